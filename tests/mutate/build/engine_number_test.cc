// Numbers from the engine: its mutator gets the bytes of the field, in the order of the file.

#include "mutate/build/engine_number.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {
namespace {

std::vector<std::uint8_t> seen;

// Compared acts like an engine that has seen the target compare with 0x0102030405060708.
std::size_t Compared(std::uint8_t* data, std::size_t size, std::size_t most) {
  seen.assign(data, data + size);
  for (std::size_t i = 0; i < most; ++i) data[i] = static_cast<std::uint8_t>(most - i);
  return most;
}
std::size_t Shorter(std::uint8_t*, std::size_t, std::size_t) { return 1; }
std::size_t Liar(std::uint8_t*, std::size_t, std::size_t most) { return most + 1000; }

class EngineNumberTest : public ::testing::Test {
 protected:
  std::uint64_t Ask(LeafMutator leaf, std::uint64_t number, std::size_t size) {
    MutationContext& fresh = workshop.Fresh();
    MutationContext context(fresh.draft, fresh.donor, fresh.arena, fresh.placement, fresh.seen,
                            fresh.all(), fresh.random, leaf);
    context.draft.encoding.order = order;
    return EngineNumber(context, number, size);
  }

  Workshop workshop{1, 4096};
  ByteOrder order = ByteOrder::kLittle;
};

TEST_F(EngineNumberTest, IsWhatTheEngineMakesOfTheField) {
  EXPECT_EQ(Ask(Compared, 0x1122'3344, 8), 0x0102'0304'0506'0708U);
  EXPECT_THAT(seen, ::testing::ElementsAre(0x44, 0x33, 0x22, 0x11, 0, 0, 0, 0));
  EXPECT_EQ(Ask(Compared, 0x1122'3344, 4), 0x0102'0304U);
  EXPECT_THAT(seen, ::testing::ElementsAre(0x44, 0x33, 0x22, 0x11));
}

TEST_F(EngineNumberTest, StandsInTheOrderOfTheFile) {
  order = ByteOrder::kBig;
  EXPECT_EQ(Ask(Compared, 0x1122'3344, 4), 0x0403'0201U);
  EXPECT_THAT(seen, ::testing::ElementsAre(0x11, 0x22, 0x33, 0x44));
}

TEST_F(EngineNumberTest, NeedsNoHonestEngine) {
  EXPECT_EQ(Ask(Shorter, 0x1122'3344, 8), 0x44U);
  EXPECT_EQ(Ask(Liar, 0x1122'3344, 8), 0x1122'3344U);
}

TEST_F(EngineNumberTest, IsABoundaryWithoutOne) {
  std::set<std::uint64_t> numbers;
  for (int i = 0; i < 500; ++i) numbers.insert(Ask(nullptr, 5, 8));
  EXPECT_TRUE(numbers.contains(UINT64_MAX));
  EXPECT_GT(numbers.size(), 50U);
}

}  // namespace
}  // namespace ggufgate::mutate
