// judge-models: prints the gate's findings on files, and the conditions of its table that they
// break, regardless of their architecture. It reads paths from standard input, and answers each
// with a line of JSON. scripts/learn-reference compares the answers with the behaviour of the
// loader.

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/memory_source.h"
#include "check/check.h"
#include "check/rule.h"
#include "check/rules/contract/conditions/conditions.h"
#include "check/rules/contract/table/parse_contracts.h"
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

// IsHedged returns whether such a message leaves open whether the loader refuses the file first.
bool IsHedged(std::string_view message) {
  return message.find("refuses the file or crashes") != std::string_view::npos;
}

using Loaders = std::vector<std::shared_ptr<const ContractTable>>;

Json FindingsOf(const Document& document, Bytes file, Profile profile, const Loaders& loaders) {
  Policy policy = PolicyFor(profile);
  policy.loaders = loaders;
  policy.data = DataScan::kFull;
  const MemorySource source(file);
  Json errors = Json::array();
  Json warnings = Json::array();
  Json claims = Json::array();
  Json hedged = Json::array();
  for (const Finding& finding : Check(document, source, policy).findings.list) {
    const bool error = finding.severity >= Severity::kError;
    if (finding.severity < Severity::kWarning) continue;
    const std::string slug(RuleOf(finding.rule).slug);
    const auto add = [&](Json& list) {
      if (std::find(list.begin(), list.end(), slug) == list.end()) list.push_back(slug);
    };
    add(error ? errors : warnings);
    const std::string message = MessageFor(finding);
    if (error && ClaimsDeath(message)) add(IsHedged(message) ? hedged : claims);
  }
  return {{"errors", errors}, {"warnings", warnings}, {"claims", claims}, {"hedged", hedged}};
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

// With --conditions, it prints only those, and the tensor data may be missing. With --contracts
// FILE, it judges by these.
int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const bool verdicts = words.empty() || words.front() != "--conditions";
  Loaders loaders;
  if (words.size() == 2 && words.front() == "--contracts") {
    std::vector<std::uint8_t> text;
    ParsedContracts parsed;
    if (testing::ReadWhole(words.back(), text)) {
      parsed = ParseContracts(std::string(text.begin(), text.end()), "");
    }
    if (parsed.table == nullptr) {
      std::cerr << "judge-models: no contracts in " << words.back() << '\n';
      return 2;
    }
    loaders = {parsed.table};
  }
  for (std::string path; std::getline(std::cin, path);) {
    std::vector<std::uint8_t> bytes;
    Json answer = {{"file", path}};
    if (testing::ReadWhole(path, bytes)) {
      const ParseResult parsed = Parse(bytes, bytes.size(), Policy().limits);
      for (const Profile profile : {Profile::kGate, Profile::kLlamaCpp}) {
        if (!verdicts) break;
        answer[std::string(kProfileWords.at(static_cast<std::size_t>(profile)))] =
            FindingsOf(parsed.document, bytes, profile, loaders);
      }
      answer["broken"] = BrokenBy(parsed.document);
    }
    std::cout << answer.dump() << std::endl;
  }
}
