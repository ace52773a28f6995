// Files with a fault that can be repaired, and then with others: whatever is repaired is accepted,
// has the same tensors, and needs no second repair.

#include "mutate/mutator.h"
#include "tests/mutate/seed_files.h"
#include "tests/repair/causes.h"

namespace ggufgate::testing {
namespace {

void ExpectSound(const File& old, const Repaired& repaired) {
  EXPECT_TRUE(Judge(repaired.file, PolicyOfRepair()).Accepted());
  EXPECT_EQ(ManifestOf(old).tensors, ManifestOf(repaired.file).tensors);
  EXPECT_THAT(RepairOf(repaired.file).repair.plan.changes, IsEmpty());
}

TEST(Mutants, OfFaultyFilesAreRepairedOrRefused) {
  const std::vector<Cause> causes = Causes();
  mutate::Mutator mutator(std::size_t{1} << 20);
  std::size_t repaired_files = 0;
  for (std::uint64_t i = 0; i < mutate::Rounds(6'000); ++i) {
    const File& seed = causes.at(i % causes.size()).file;
    const File& donor = causes.at((i / causes.size()) % causes.size()).file;
    const mutate::Mutant mutant =
        mutator.Make({.input = seed,
                      .donor = donor,
                      .mode = mutate::kModes.at(i % mutate::kModes.size()),
                      .seed = i});
    const File file(mutant.bytes.begin(), mutant.bytes.end());
    const Repaired repaired = RepairOf(file);
    if (repaired.repair.outcome != Repair::Outcome::kRepaired) continue;
    ++repaired_files;
    SCOPED_TRACE(i);
    ExpectSound(file, repaired);
  }
  EXPECT_GE(repaired_files, mutate::Rounds(300));
  RecordProperty("repaired", static_cast<int>(repaired_files));
}

}  // namespace
}  // namespace ggufgate::testing
