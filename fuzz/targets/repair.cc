// repair: whatever is repaired is accepted, needs no second repair, and has the same tensors. No
// input makes the plan read outside the file.

#include "repair/repair.h"

#include <algorithm>
#include <vector>

#include "bytes/memory_source.h"
#include "fuzz/support/target.h"
#include "parse/extent.h"
#include "repair/repaired_source.h"
#include "tests/oracles/verdict.h"

namespace {

using namespace ggufgate;
using fuzz::Require;

Bytes DataOf(const Document& document, const TensorInfo& tensor, Bytes file) {
  const auto range = DataRange(document, tensor, ExtentOf(tensor, 1));
  if (!range) return {};
  Require(range->FitsIn(file.size()), "the data of a tensor are in the file");
  return file.subspan(range->begin, range->size);
}

void RequireSameTensors(const Document& old, Bytes from, const Document& repaired, Bytes to) {
  Require(old.tensors.size() == repaired.tensors.size(), "a repair keeps all tensors");
  for (std::size_t i = 0; i < old.tensors.size(); ++i) {
    const TensorInfo& a = old.tensors.at(i);
    const TensorInfo& b = repaired.tensors.at(i);
    Require(a.name == b.name && a.type_id == b.type_id && a.dims == b.dims,
            "a repair keeps the record of a tensor");
    Require(std::ranges::equal(DataOf(old, a, from), DataOf(repaired, b, to)),
            "a repair keeps the data of a tensor");
  }
}

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  const fuzz::GuardedCopy copy(input);
  const Policy policy = PolicyOfRepair();
  const fuzz::Judgement before = fuzz::Judge(copy.bytes(), policy);
  const MemorySource source(copy.bytes());
  const Repair repair = TryRepair(before.document, source);
  Require(repair.io.complete(), "memory can be read");
  if (repair.outcome != Repair::Outcome::kRepaired) {
    Require(repair.outcome == Repair::Outcome::kRefused || !before.Rejected(),
            "a rejected file is repaired or refused");
    return;
  }
  const RepairedSource repaired(repair.plan, source);
  std::vector<std::uint8_t> file(repaired.size());
  Require(repaired.ReadAt(0, file).complete(), "a repaired file can be read");
  const fuzz::Judgement after = fuzz::Judge(file, policy);
  Require(!after.Rejected(), "a repaired file is accepted");
  RequireSameTensors(WithData(before.document), copy.bytes(), after.document, file);
  const MemorySource again(file);
  Require(TryRepair(after.document, again).plan.changes.empty(),
          "a repaired file needs no second repair");
}
