#include "cli/check/contracts.h"

#include <ostream>

#include "bytes/memory_source.h"
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

}  // namespace ggufgate
