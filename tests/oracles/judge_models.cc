// judge-models: what the gate says of files, and which conditions of its table they break whatever
// their architecture. Reads paths on standard input, answers each with a line of JSON.
// scripts/learn-reference holds its answers against what the loader did.

#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "bytes/memory_source.h"
#include "check/check.h"
#include "check/rule.h"
#include "check/rules/contract/conditions.h"
#include "check/values.h"
#include "parse/parse.h"
#include "tests/oracles/plain_files.h"

namespace {

using namespace ggufgate;
using Json = nlohmann::ordered_json;

Json FindingsOf(const Document& document, Bytes file, Profile profile) {
  Policy policy = PolicyFor(profile);
  policy.data = DataScan::kFull;
  const MemorySource source(file);
  Json errors = Json::array();
  Json warnings = Json::array();
  for (const Finding& finding : Check(document, source, policy).findings.list) {
    const bool error = finding.severity >= Severity::kError;
    if (finding.severity < Severity::kWarning) continue;
    const std::string slug(RuleOf(finding.rule).slug);
    Json& list = error ? errors : warnings;
    if (std::find(list.begin(), list.end(), slug) == list.end()) list.push_back(slug);
  }
  return {{"errors", errors}, {"warnings", warnings}};
}

Json BrokenBy(const Document& document) {
  Json broken = Json::array();
  const LoaderParameters parameters(document, ArchitectureOf(document));
  for (const Condition& condition : AllConditions()) {
    if (IsBroken(condition, parameters)) broken.push_back(condition.slug);
  }
  return broken;
}

}  // namespace

// With --conditions only those are told, and the tensor data need not be there.
int main(int argc, char** argv) {
  const bool verdicts = argc < 2 || std::string_view(argv[1]) != "--conditions";
  for (std::string path; std::getline(std::cin, path);) {
    std::vector<std::uint8_t> bytes;
    Json answer = {{"file", path}};
    if (testing::ReadWhole(path, bytes)) {
      const ParseResult parsed = Parse(bytes, bytes.size(), Policy().limits);
      for (const Profile profile : {Profile::kGate, Profile::kLlamaCpp}) {
        if (!verdicts) break;
        answer[std::string(kProfileWords.at(static_cast<std::size_t>(profile)))] =
            FindingsOf(parsed.document, bytes, profile);
      }
      answer["broken"] = BrokenBy(parsed.document);
    }
    std::cout << answer.dump() << std::endl;
  }
}
