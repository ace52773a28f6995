#include "cli/rehearse/rehearsal_report.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string_view>

#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "report/json_value.h"
#include "words/escape.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;

double Thousandths(double seconds) { return std::round(seconds * 1000) / 1000; }

std::string_view WordForCode(int code) {
  return code == kExitAccept ? "accept" : code == kExitReject ? "reject" : "undecided";
}

// Line returns "crashes  model.gguf  at context: SIGABRT …  0.4 s, 31 MB".
std::string Line(const RehearsedModel& model) {
  const Rehearsal& rehearsal = model.rehearsal;
  std::string line =
      absl::StrFormat("%-14s  %s", std::string(WordFor(rehearsal.outcome)), EscapeText(model.path));
  if (rehearsal.outcome != RehearsalOutcome::kRuns) {
    if (rehearsal.stage != RehearsalStage::kOpen) {
      absl::StrAppendFormat(&line, "  at %s", std::string(WordFor(rehearsal.stage)));
    }
    line += ": " + EscapeText(rehearsal.reason);
  }
  if (rehearsal.seconds > 0) {
    absl::StrAppendFormat(&line, "  (%.1f s, CPU time %.1f s, %s resident)", rehearsal.seconds,
                          rehearsal.cpu_seconds, HumanBytes(rehearsal.peak_bytes));
  }
  return line;
}

Json Entry(const RehearsedModel& model, bool accepts_refusal) {
  const Rehearsal& rehearsal = model.rehearsal;
  Json notes = Json::array();
  for (const std::string& note : rehearsal.notes) notes.push_back(EscapeText(note));
  return {{"path", EscapeText(model.path)},
          {"verdict", WordForCode(CodeOf(model, accepts_refusal))},
          {"static_verdict", WordForCode(model.verdict)},
          {"outcome", WordFor(rehearsal.outcome)},
          {"stage", WordFor(rehearsal.stage)},
          {"signal", rehearsal.signal},
          {"reason", EscapeText(rehearsal.reason)},
          {"notes", notes},
          {"seconds", Thousandths(rehearsal.seconds)},
          {"cpu_seconds", Thousandths(rehearsal.cpu_seconds)},
          {"peak_bytes", rehearsal.peak_bytes},
          {"size", model.size},
          {"shards", model.shards},
          {"read_bytes", model.front_bytes}};
}

// The loader reports its version each time; the first one is printed.
std::string VersionIn(const std::vector<RehearsedModel>& models) {
  for (const RehearsedModel& model : models) {
    if (!model.rehearsal.version.empty()) return EscapeText(model.rehearsal.version);
  }
  return "";
}

}  // namespace

int WorseCode(int one, int other) {
  if (one == kExitReject || other == kExitReject) return kExitReject;
  return one == kExitAccept ? other : one;
}

int CodeOf(const RehearsedModel& model, bool accepts_refusal) {
  const int verdict = WorseCode(model.verdict, model.adapters_verdict);
  if (verdict != kExitAccept) return verdict;
  switch (model.rehearsal.outcome) {
    case RehearsalOutcome::kRuns:
      return kExitAccept;
    case RehearsalOutcome::kRefuses:
      return accepts_refusal ? kExitAccept : kExitReject;
    case RehearsalOutcome::kCrashes:
    case RehearsalOutcome::kHangs:
    case RehearsalOutcome::kExceedsMemory:
      return kExitReject;
    case RehearsalOutcome::kNotRehearsed:
      return kExitUndecided;
  }
  return kExitUndecided;
}

void PrintAsText(const RehearsedLoader& loader, const std::vector<RehearsedModel>& models,
                 const Streams& streams) {
  const std::string version = VersionIn(models);
  streams.out << "loader  " << EscapeText(loader.path) << '\n'
              << "        SHA-256 " << loader.sha256 << '\n';
  if (!loader.command.empty()) {
    streams.out << "        command " << EscapeText(absl::StrJoin(loader.command, " ")) << '\n';
  }
  if (loader.real_data) streams.out << "        data    real\n";
  for (const RehearsedAdapter& adapter : loader.adapters) {
    streams.out << "        adapter " << EscapeText(adapter.path) << '\n';
  }
  if (!version.empty()) streams.out << "        version " << version << ", as it says\n";
  for (const RehearsedModel& model : models) {
    streams.out << Line(model) << '\n';
    for (const std::string& note : model.rehearsal.notes) {
      streams.out << "                note: " << EscapeText(note) << '\n';
    }
  }
}

void PrintAsJson(const RehearsedLoader& loader, const std::vector<RehearsedModel>& models,
                 bool accepts_refusal, const Streams& streams) {
  Json entries = Json::array();
  for (const RehearsedModel& model : models) entries.push_back(Entry(model, accepts_refusal));
  Json command = Json::array();
  for (const std::string& word : loader.command) command.push_back(EscapeText(word));
  Json adapters = Json::array();
  for (const RehearsedAdapter& adapter : loader.adapters) {
    adapters.push_back(
        {{"path", EscapeText(adapter.path)}, {"static_verdict", WordForCode(adapter.verdict)}});
  }
  const Json document = {{"schema", "ggufgate.rehearsal/1"},
                         {"loader",
                          {{"path", EscapeText(loader.path)},
                           {"sha256", loader.sha256},
                           {"version", VersionIn(models)},
                           {"command", command}}},
                         {"data", loader.real_data ? "real" : "zeros"},
                         {"adapters", adapters},
                         {"files", entries}};
  streams.out << JsonText(document) << '\n';
}

}  // namespace ggufgate
