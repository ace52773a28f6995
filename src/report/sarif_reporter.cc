// Format sarif: SARIF 2.1.0, one run. Results are written file by file. The facts about the files
// and about the run come after them.

#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "report/json_value.h"
#include "report/reporter.h"
#include "report/sarif_value.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;

// Without the rules, which are written one per line.
constexpr std::string_view kHead =
    R"({"version":"2.1.0",)"
    R"("$schema":"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",)"
    "\n\"runs\":[{\"tool\":{\"driver\":{\"name\":\"ggufgate\",\"version\":";

class SarifReporter final : public Reporter {
 public:
  SarifReporter(const Policy& policy, const ReportStyle& style, std::ostream& out)
      : policy_(policy), run_(style.run), out_(out) {
    out_ << kHead << JsonText(GGUFGATE_VERSION)
         << ",\"semanticVersion\":" << JsonText(GGUFGATE_VERSION);
    if (!ProjectUrl().empty()) out_ << ",\"informationUri\":" << JsonText(ProjectUrl());
    out_ << ",\"rules\":[";
    for (const Rule& rule : AllRules()) {
      Line(rule.id == RuleId{} ? "" : ",", SarifRule(rule, policy.profile));
    }
    out_ << "]}},\n\"results\":[";
  }

  void Add(const FileReport& report) override {
    const std::size_t artifact = ArtifactFor(report);
    if (report.verdict == Verdict::kUndecided) {
      notifications_.push_back(
          JsonText({{"level", "error"},
                    {"message", SarifMessage(EscapeText(std::string(report.problem.message())))},
                    {"locations", Json::array({SarifLocation(report.path, artifact)})}}));
      return;  // findings of an undecided file do not count
    }
    std::unordered_map<std::string, std::uint64_t> ordinals;
    for (const Finding& finding : report.findings.list) {
      Line(results_++ == 0 ? "" : ",",
           SarifResult(finding, report.path, artifact, ordinals[RecordKey(finding)]++));
    }
  }

  void Finish() override {
    if (artifacts_.empty()) {  // if no file was checked, the run is not successful
      notifications_.push_back(
          JsonText({{"level", "error"}, {"message", {{"text", "nothing was checked"}}}}));
    }
    out_ << "],\n\"artifacts\":[";
    Lines(artifacts_);
    out_ << "],\n\"invocations\":[{\"executionSuccessful\":"
         << (notifications_.empty() ? "true" : "false") << ",\"toolExecutionNotifications\":[";
    Lines(notifications_);
    out_ << ']';
    if (run_) out_ << ",\"startTimeUtc\":" << JsonText(run_->time);
    out_ << ",\"properties\":" << JsonText(PropertiesOfRun()) << "}]}]}\n";
  }

 private:
  // PropertiesOfRun returns the policy and the options of the check (3.20.27 has a property bag for
  // it).
  [[nodiscard]] Json PropertiesOfRun() const {
    Json properties = {{"profile", kProfileWords.at(static_cast<std::size_t>(policy_.profile))}};
    if (!run_) return properties;
    properties["data"] = kDataScanWords.at(static_cast<std::size_t>(policy_.data));
    properties["policySha256"] = run_->policy_sha256;
    if (!policy_.loaders.empty()) properties["loaders"] = LoadersJson(policy_);
    properties["confinement"] = ConfinementJson(*run_);
    return properties;
  }

  // ArtifactFor returns the index of a file among the artifacts. Artifacts must differ, so a path
  // that is given twice is one artifact.
  std::size_t ArtifactFor(const FileReport& report) {
    std::string artifact = JsonText(SarifArtifact(report));
    const auto [place, is_new] = index_.try_emplace(artifact, artifacts_.size());
    if (is_new) artifacts_.push_back(std::move(artifact));
    return place->second;
  }

  void Line(std::string_view separator, const Json& json) {
    out_ << separator << '\n' << JsonText(json);
  }

  void Lines(const std::vector<std::string>& list) {
    std::string_view separator;
    for (const std::string& text : list) {
      out_ << separator << '\n' << text;
      separator = ",";
    }
  }

  Policy policy_;
  std::optional<RunFacts> run_;
  std::ostream& out_;
  std::uint64_t results_ = 0;
  std::vector<std::string> artifacts_;
  std::unordered_map<std::string, std::size_t> index_;  // index in artifacts_
  std::vector<std::string> notifications_;
};

}  // namespace

std::unique_ptr<Reporter> MakeSarifReporter(const Policy& policy, const ReportStyle& style,
                                            std::ostream& out) {
  return std::make_unique<SarifReporter>(policy, style, out);
}

}  // namespace ggufgate
