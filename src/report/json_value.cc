#include "report/json_value.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "format/contracts/contract_table.h"
#include "report/loaders/outcomes.h"
#include "words/escape.h"
#include "words/loader_outcomes.h"
#include "words/message.h"
#include "words/numbers.h"

namespace ggufgate {

using Json = nlohmann::ordered_json;

Json JsonOf(const Fact& fact) {
  if (const auto* number = std::get_if<std::uint64_t>(&fact)) return *number;
  if (const auto* text = std::get_if<std::string>(&fact)) return EscapeText(*text);
  return nullptr;
}

Json JsonOf(const Finding& finding) {
  Json json = {{"rule", RuleOf(finding.rule).slug},    {"severity", WordFor(finding.severity)},
               {"offset", finding.where.begin},        {"length", finding.where.size},
               {"path", PathFor(finding.subject)},     {"message", MessageFor(finding)},
               {"observed", JsonOf(finding.observed)}, {"allowed", JsonOf(finding.allowed)}};
  if (finding.cause) {
    json["cause"] = {{"id", InfoOf(finding.cause.kind).slug},
                     {"message", CauseText(finding.cause)},
                     {"advice", AdviceFor(finding.cause)}};
  }
  if (!finding.releases.empty()) {
    Json& loaders = json["loaders"] = Json::array();
    for (const std::string& release : finding.releases) loaders.push_back(EscapeText(release));
  }
  if (finding.suppression) json["suppressed"] = {{"reason", EscapeText(*finding.suppression)}};
  return json;
}

namespace {

// ByRule lists the counts that are not 0.
Json ByRule(const std::vector<std::uint64_t>& counts) {
  Json list = Json::object();
  for (const Rule& rule : AllRules()) {
    const auto index = static_cast<std::size_t>(rule.id);
    if (index < counts.size() && counts.at(index) > 0) {
      list[std::string(rule.slug)] = counts.at(index);
    }
  }
  return list;
}

std::string HexOf(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += Hex(static_cast<std::uint8_t>(c), 2);
  return text;
}

Json SummaryOf(const Summary& summary) {
  return {{"version", summary.version},
          {"architecture", EscapeText(summary.architecture)},
          {"metadata_keys", summary.metadata_keys},
          {"tensors", summary.tensors},
          {"parameters", summary.parameters},
          {"main_type", summary.main_type}};
}

Json IdentityOf(const Identity& identity) {
  return {{"size", identity.size},
          {"device", identity.device},
          {"inode", identity.inode},
          {"modified_ns", identity.modified_ns},
          {"changed_ns", identity.changed_ns}};
}

Json RemoteOf(const RemoteFacts& facts) {
  Json json = {{"size", facts.size}, {"fetched", facts.fetched}, {"requests", facts.requests}};
  if (!facts.entity.empty()) json["etag"] = EscapeText(facts.entity);
  if (!facts.linked_entity.empty()) json["linked_etag"] = EscapeText(facts.linked_entity);
  if (!facts.modified.empty()) json["last_modified"] = EscapeText(facts.modified);
  return json;
}

Json RehearsalOf(const RehearsalFacts& facts) {
  constexpr double kThousand = 1000;
  const auto thousandths = [](double seconds) {
    return std::round(seconds * kThousand) / kThousand;
  };
  return {{"loader", EscapeText(facts.loader)},
          {"loader_sha256", facts.loader_sha256},
          {"loader_version", EscapeText(facts.loader_version)},
          {"outcome", facts.outcome},
          {"stage", facts.stage},
          {"seconds", thousandths(facts.seconds)},
          {"cpu_seconds", thousandths(facts.cpu_seconds)},
          {"peak_bytes", facts.peak_bytes}};
}

}  // namespace

Json JsonOf(const FileVerdict& report, const Policy& policy,
            std::optional<std::string_view> problem) {
  Json json = {{"path", EscapeText(report.path)}, {"verdict", WordFor(report.verdict)}};
  if (EscapeText(report.path) != report.path) {
    // The exact name, for programs; the escaped one is for people.
    json["path_hex"] = HexOf(report.path);
  }
  if (problem) json["problem"] = EscapeText(*problem);
  Json findings = Json::array();
  for (const Finding& finding : report.findings.list) findings.push_back(JsonOf(finding));
  json["findings"] = std::move(findings);
  json["totals"] = ByRule(report.findings.totals);
  if (Json suppressed = ByRule(report.findings.suppressed); !suppressed.empty()) {
    json["suppressed_totals"] = std::move(suppressed);
  }
  json["summary"] = SummaryOf(report.summary);
  json["identity"] = IdentityOf(report.identity);
  json["data"] = kDataScanWords.at(static_cast<std::size_t>(report.data));
  if (report.remote) json["remote"] = RemoteOf(*report.remote);
  if (report.rehearsal) json["rehearsal"] = RehearsalOf(*report.rehearsal);
  if (!policy.loaders.empty()) {
    json["loaders"] = OutcomesJson(OutcomesIn(report.findings, report.verdict, policy));
  }
  if (report.came) json["came"] = *report.came;
  if (report.sha256) json["sha256"] = *report.sha256;
  constexpr double kNanosecondsPerMillisecond = 1e6;
  json["elapsed_ms"] = static_cast<double>(report.elapsed.count()) / kNanosecondsPerMillisecond;
  return json;
}

Json ConfinementJson(const RunFacts& run) {
  return {{"system_calls", run.system_calls_confined}, {"files", run.files_confined}};
}

Json LoadersJson(const Policy& policy) {
  Json list = Json::array();
  for (const auto& loader : policy.loaders) {
    Json json = {{"release", EscapeText(loader->release())}};
    if (!loader->IsCompiledIn()) json["sha256"] = loader->sha256();
    list.push_back(std::move(json));
  }
  return list;
}

std::string JsonHead(const Policy& policy, const std::optional<RunFacts>& run) {
  const auto word = [](const auto& words, auto which) {
    return JsonText(words.at(static_cast<std::size_t>(which)));
  };
  std::string head = R"({"schema":"ggufgate.report/1","tool":)";
  head += JsonText({{"name", "ggufgate"}, {"version", GGUFGATE_VERSION}});
  head += ",\"profile\":" + word(kProfileWords, policy.profile);
  head += ",\"policy\":" +
          JsonText(policy.source.empty() ? Json(nullptr) : Json(EscapeText(policy.source)));
  head += ",\"data\":" + word(kDataScanWords, policy.data);
  if (!policy.loaders.empty()) head += ",\"loaders\":" + JsonText(LoadersJson(policy));
  if (run) {
    head += ",\"time\":" + JsonText(run->time);
    head += ",\"policy_sha256\":" + JsonText(run->policy_sha256);
    head += ",\"confinement\":" + JsonText(ConfinementJson(*run));
  }
  return head + ",\"files\":[";
}

std::string JsonText(const Json& json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

}  // namespace ggufgate
