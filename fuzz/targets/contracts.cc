// contracts: any text as a file of contracts. A table that is read can be written and read again.
// Models of one of its architectures are checked by it.

#include <algorithm>
#include <cstdint>
#include <string>

#include "bytes/memory_source.h"
#include "check/check.h"
#include "check/rules/contract/table/parse_contracts.h"
#include "fuzz/support/target.h"
#include "parse/model.h"
#include "parse/parse.h"

using namespace ggufgate;
using fuzz::Require;

namespace {

std::string TextOf(const ContractTable& table) {
  std::string text(kContractsFileHead);
  text.append("\nrelease ").append(table.release()).append("\n");
  for (const Contract& contract : table.All()) {
    text.append("architecture ").append(contract.architecture).append(" ");
    text.append(contract.vocabulary).append("\n");
    for (const std::uint32_t offset : contract.lines) {
      text.append(LineAt(contract.text, offset)).append("\n");
    }
  }
  return text.append(kContractsFileEnd).append(std::to_string(table.All().size())).append("\n");
}

// ModelOf has the keys and tensors of a block, with small values.
Model ModelOf(const Contract& contract) {
  Model model;
  model.Set("general.architecture", contract.architecture);
  for (const ContractLine& line : ContractLines(contract)) {
    if (const std::optional<ContractKey> key = KeyOf(line)) {
      const std::string prefix =
          key->after_architecture ? std::string(contract.architecture) + "." : std::string();
      model.Set(prefix + std::string(key->name), std::uint32_t{2});
    }
    if (const std::optional<ContractTensor> tensor = TensorOf(line)) {
      std::string name(tensor->name);
      if (tensor->InEachLayer()) name.replace(name.find('*'), 1, "0");
      model.Add(name, TensorType::kF32, {2, 2});
    }
  }
  return model;
}

void CheckBy(const std::shared_ptr<const ContractTable>& table, const Contract& contract) {
  Policy policy;
  policy.loaders = {table};
  const std::vector<std::uint8_t> file = Write(ModelOf(contract));
  const ParseResult parsed = Parse(file, file.size(), policy.limits);
  if (parsed.NeedsMore()) return;
  for (const Finding& finding : Check(parsed.document, MemorySource(file), policy).findings.list) {
    Require(finding.rule != RuleId::kArchitectureUnknown, "the table has the architecture");
  }
}

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  const fuzz::GuardedCopy copy(input);
  const std::string text(AsText(copy.bytes()));
  const ParsedContracts parsed = ParseContracts(text, "");
  Require((parsed.table == nullptr) == parsed.problem.has_value(), "a table or a problem");
  if (parsed.problem) {
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
    Require(parsed.problem->line >= 1 && parsed.problem->line <= lines, "a problem is on a line");
    Require(!parsed.problem->what.empty(), "and is told in words");
    return;
  }
  Require(TextOf(*parsed.table) == text, "a table has all of the text");
  for (const Contract& contract : parsed.table->All()) {
    Require(parsed.table->Find(contract.architecture) == &contract, "each is found");
  }
  CheckBy(parsed.table, parsed.table->All().front());
}
