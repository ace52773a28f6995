#include "repair/repaired_source.h"

#include "tests/repair/repaired.h"

namespace ggufgate::testing {
namespace {

RepairPlan Plan() {
  RepairPlan plan;
  plan.front = {1, 2, 3};
  plan.zeros_before = 2;
  plan.kept = {.begin = 4, .size = 3};
  plan.zeros_after = 4;
  return plan;
}

const File kOld = {10, 11, 12, 13, 14, 15, 16, 17};
const File kNew = {1, 2, 3, 0, 0, 14, 15, 16, 0, 0, 0, 0};

TEST(RepairedSource, ReadsEveryRange) {
  const RepairPlan plan = Plan();
  const MemorySource old(kOld);
  const RepairedSource source(plan, old);
  ASSERT_EQ(source.size(), kNew.size());
  for (std::size_t begin = 0; begin <= kNew.size(); ++begin) {
    for (std::size_t size = 0; begin + size <= kNew.size(); ++size) {
      File read(size, 99);
      ASSERT_TRUE(source.ReadAt(begin, read).complete());
      EXPECT_TRUE(std::ranges::equal(read, Bytes(kNew).subspan(begin, size)))
          << begin << ' ' << size;
    }
  }
}

TEST(RepairedSource, EndsWhereItEnds) {
  const RepairPlan plan = Plan();
  const MemorySource old(kOld);
  const RepairedSource source(plan, old);
  File read(1);
  EXPECT_EQ(source.ReadAt(kNew.size(), read).kind, ReadOutcome::Kind::kShrunk);
  EXPECT_EQ(source.ReadAt(UINT64_MAX, read).kind, ReadOutcome::Kind::kShrunk);
}

TEST(RepairedSource, ReportsThatTheOldFileShrank) {
  const RepairPlan plan = Plan();
  const MemorySource old(Bytes(kOld).first(5));
  const RepairedSource source(plan, old);
  File read(kNew.size());
  EXPECT_EQ(source.ReadAt(0, read).kind, ReadOutcome::Kind::kShrunk);
}

// A source whose bytes from 5 to 6 are a hole.
class WithHole final : public ByteSource {
 public:
  [[nodiscard]] std::uint64_t size() const override { return kOld.size(); }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t, MutableBytes) const override { return {}; }
  [[nodiscard]] std::uint64_t NextData(std::uint64_t offset) const override {
    return offset == 5 || offset == 6 ? 7 : offset;
  }
};

TEST(RepairedSource, KnowsTheHolesOfTheOldFile) {
  const RepairPlan plan = Plan();
  const WithHole old;
  const RepairedSource source(plan, old);
  EXPECT_EQ(source.NextData(0), 0U);
  EXPECT_EQ(source.NextData(5), 5U);
  EXPECT_EQ(source.NextData(6), 8U);  // the end of the part
  EXPECT_EQ(source.NextData(9), 9U);
}

}  // namespace
}  // namespace ggufgate::testing
