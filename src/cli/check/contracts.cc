#include "cli/check/contracts.h"

#include <ostream>
#include <utility>

#include "absl/strings/str_join.h"
#include "bytes/memory_source.h"
#include "check/loaders/loader_names.h"
#include "check/rules/contract/table/parse_contracts.h"
#include "gate/reading/digest.h"
#include "gate/reading/policy_text.h"
#include "words/escape.h"

namespace ggufgate {

std::optional<std::string> ContractsText(const std::string& path, const Streams& streams) {
  if (path.empty()) return std::string();
  absl::StatusOr<std::string> text = ReadContractsFile(path);
  if (text.ok()) return *std::move(text);
  streams.error << "ggufgate: contracts " << EscapeText(path) << ": "
                << EscapeText(std::string(text.status().message())) << '\n';
  return std::nullopt;
}

std::shared_ptr<const ContractTable> ContractsIn(const std::string& text, const std::string& path,
                                                 const Streams& streams) {
  ParsedContracts parsed = ParseContracts(text, Sha256Of(MemorySource(AsBytes(text))).value());
  if (parsed.problem) {
    streams.error << WithoutCommand(EscapeText(path)) << ':' << parsed.problem->line << ": "
                  << EscapeText(parsed.problem->what) << '\n';
  }
  return std::move(parsed.table);
}

std::string FaultOfLoader(const std::string& name) {
  if (!LoaderNamed(name).contracts.empty()) return "";
  return "there are no contracts of \"" + name + "\"; give one of " +
         absl::StrJoin(LoaderNames(), ", ") +
         ", or learn your build and use --contracts (docs/contracts.md)";
}

bool HasJudgingProfile(const Policy& policy, const Streams& streams) {
  if (policy.loaders.empty() || JudgesLoaders(policy.profile)) return true;
  streams.error
      << "ggufgate: profile " << kProfileWords.at(static_cast<std::size_t>(policy.profile))
      << " does not judge loaders; use profile gate or llama.cpp with --loader, --loaders "
         "and --contracts\n";
  return false;
}

void AddLoaders(const std::vector<std::string>& names, Policy& policy, const Streams& streams) {
  for (const std::string& name : names) {
    NamedLoader loader = LoaderNamed(name);
    if (!loader.note.empty()) streams.error << "ggufgate: note: " << loader.note << '\n';
    for (auto& contracts : loader.contracts) AddLoader(std::move(contracts), policy);
  }
}

void AddAllLoaders(Policy& policy) {
  if (!policy.loaders.empty()) return;
  for (const ContractTable& table : ContractTable::Learned()) {
    AddLoader(SharedTable(table), policy);
  }
}

}  // namespace ggufgate
