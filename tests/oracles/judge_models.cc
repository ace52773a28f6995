// judge-models: prints the gate's findings on files, and the conditions of its table that they
// break, regardless of their architecture. It reads paths from standard input, and answers each
// with a line of JSON. scripts/learn-reference compares the answers with the behaviour of the
// loader.

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "bytes/memory_source.h"
#include "check/check.h"
#include "check/rule.h"
#include "check/rules/contract/conditions/conditions.h"
#include "check/values.h"
#include "parse/parse.h"
#include "tests/oracles/plain_files.h"
#include "words/message.h"

namespace {

using namespace ggufgate;
using Json = nlohmann::ordered_json;

// ClaimsDeath returns whether a message says that the loader crashes, aborts, hangs or corrupts
// memory.
bool ClaimsDeath(std::string_view message) {
  constexpr std::array<std::string_view, 4> kWords = {" aborts", " crashes", " hangs", " corrupts"};
  return std::ranges::any_of(
      kWords, [&](std::string_view word) { return message.find(word) != std::string_view::npos; });
}

Json FindingsOf(const Document& document, Bytes file, Profile profile) {
  Policy policy = PolicyFor(profile);
  policy.data = DataScan::kFull;
  const MemorySource source(file);
  Json errors = Json::array();
  Json warnings = Json::array();
  Json claims = Json::array();
  for (const Finding& finding : Check(document, source, policy).findings.list) {
    const bool error = finding.severity >= Severity::kError;
    if (finding.severity < Severity::kWarning) continue;
    const std::string slug(RuleOf(finding.rule).slug);
    const auto add = [&](Json& list) {
      if (std::find(list.begin(), list.end(), slug) == list.end()) list.push_back(slug);
    };
    add(error ? errors : warnings);
    if (error && ClaimsDeath(MessageFor(finding))) add(claims);
  }
  return {{"errors", errors}, {"warnings", warnings}, {"claims", claims}};
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

// With --conditions, it prints only those, and the tensor data may be missing.
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
