// The C interface of the mutator.

#include <gmock/gmock.h>

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "ggufgate/mutator.h"
#include "mutate/mutator.h"
#include "parse/model.h"
#include "tests/engines/c_api_c11.h"

namespace ggufgate::testing {
namespace {

using File = std::vector<std::uint8_t>;

class CApiTest : public ::testing::Test {
 protected:
  ~CApiTest() override { ggufgate_mutator_destroy(mutator_); }

  int Mutate(const ggufgate_request& request) {
    return ggufgate_mutator_mutate(mutator_, &request, &mutant_);
  }
  [[nodiscard]] File Bytes() const { return {mutant_.bytes, mutant_.bytes + mutant_.size}; }

  File seed_ = Write(Model::Minimal());
  ggufgate_request request_ = {.input = seed_.data(),
                               .input_size = seed_.size(),
                               .donor = nullptr,
                               .donor_size = 0,
                               .mode = GGUFGATE_MODE_HAVOC,
                               .data = GGUFGATE_DATA_NONE,
                               .seed = 1,
                               .max_size = 4096,
                               .leaf = nullptr};
  ggufgate_mutator* mutator_ = ggufgate_mutator_create(4096);
  ggufgate_mutant mutant_ = {};
};

TEST(CApi, IsUsableFromC) { EXPECT_EQ(ggufgate_test_from_c(), 0); }

TEST(CApi, CreateRefusesWhatNoMemoryHolds) {
  EXPECT_EQ(ggufgate_mutator_create(SIZE_MAX), nullptr);
  EXPECT_EQ(ggufgate_mutator_create((std::size_t{1} << 30) + 1), nullptr);
  ggufgate_mutator* const empty = ggufgate_mutator_create(0);
  EXPECT_NE(empty, nullptr);
  ggufgate_mutator_destroy(empty);
  ggufgate_mutator_destroy(nullptr);
}

TEST_F(CApiTest, MakesWhatTheMutatorMakes) {
  mutate::Mutator same(4096);
  for (request_.seed = 0; request_.seed < 500; ++request_.seed) {
    ASSERT_EQ(Mutate(request_), GGUFGATE_OK);
    const mutate::Mutant mutant =
        same.Make({.input = seed_, .seed = request_.seed, .max_size = 4096});
    ASSERT_EQ(Bytes(), File(mutant.bytes.begin(), mutant.bytes.end()));
    EXPECT_EQ(mutant_.mode, static_cast<int>(mutant.mode));
    EXPECT_EQ(mutant_.expect, static_cast<int>(mutant.expect));
    EXPECT_EQ(std::string(mutant_.rules), mutant.rules);
    ASSERT_EQ(mutant_.mutation_count, mutant.mutations.size());
    for (std::size_t i = 0; i < mutant_.mutation_count; ++i) {
      EXPECT_EQ(std::string(std::span(mutant_.mutations)[i]), mutant.mutations[i]->slug);
    }
    EXPECT_EQ(mutant_.lie_at, mutant.lie_at ? static_cast<std::int64_t>(*mutant.lie_at) : -1);
  }
}

TEST_F(CApiTest, RefusesWrongArgumentsAndLeavesTheMutantAlone) {
  mutant_.lie_at = 77;
  const auto refused = [&](auto change) {
    ggufgate_request wrong = request_;
    change(wrong);
    return Mutate(wrong) == GGUFGATE_BAD_ARGUMENT && mutant_.lie_at == 77;
  };
  EXPECT_TRUE(refused([](ggufgate_request& r) { r.input = nullptr; }));
  EXPECT_TRUE(refused([](ggufgate_request& r) { r.donor_size = 1; }));
  EXPECT_TRUE(refused([](ggufgate_request& r) { r.mode = 7; }));
  EXPECT_TRUE(refused([](ggufgate_request& r) { r.mode = -1; }));
  EXPECT_TRUE(refused([](ggufgate_request& r) { r.data = 3; }));
  EXPECT_EQ(ggufgate_mutator_mutate(nullptr, &request_, &mutant_), GGUFGATE_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_mutator_mutate(mutator_, nullptr, &mutant_), GGUFGATE_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_mutator_mutate(mutator_, &request_, nullptr), GGUFGATE_BAD_ARGUMENT);
  EXPECT_EQ(Mutate(request_), GGUFGATE_OK);
}

TEST_F(CApiTest, NothingIsAGoodInput) {
  request_.input = nullptr;
  request_.input_size = 0;
  ASSERT_EQ(Mutate(request_), GGUFGATE_OK);
  EXPECT_GT(mutant_.size, 0U);
  request_.max_size = 0;
  ASSERT_EQ(Mutate(request_), GGUFGATE_OK);
  EXPECT_EQ(mutant_.size, 0U);
  EXPECT_NE(mutant_.bytes, nullptr);
}

TEST_F(CApiTest, KeepsToMaxSizeWhateverTheInput) {
  const File large(10'000, 'G');
  request_.input = large.data();
  request_.input_size = large.size();
  for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{30}, SIZE_MAX}) {
    request_.max_size = most;
    for (request_.seed = 0; request_.seed < 200; ++request_.seed) {
      ASSERT_EQ(Mutate(request_), GGUFGATE_OK);
      ASSERT_LE(mutant_.size, std::min<std::size_t>(most, 4096));
    }
  }
}

int leaf_calls_in_c = 0;

std::size_t FlipFirst(std::uint8_t* data, std::size_t size, std::size_t most) {
  ++leaf_calls_in_c;
  if (size > 0) *data ^= 0xFF;
  return std::min(size, most);
}

TEST_F(CApiTest, LeavesAreTheEngines) {
  request_.mode = GGUFGATE_MODE_RAW;
  request_.leaf = FlipFirst;
  ASSERT_EQ(Mutate(request_), GGUFGATE_OK);
  EXPECT_GT(leaf_calls_in_c, 0);
  File expected = seed_;
  expected.front() ^= 0xFF;
  EXPECT_EQ(Bytes(), expected);
}

TEST_F(CApiTest, DescribesAsFarAsThereIsRoom) {
  std::vector<char> text(100, 'x');
  EXPECT_EQ(ggufgate_mutator_describe(mutator_, text.data(), text.size()), 0U) << "nothing made";
  request_.mode = GGUFGATE_MODE_ONE_LIE;
  ASSERT_EQ(Mutate(request_), GGUFGATE_OK);
  const std::size_t whole = ggufgate_mutator_describe(mutator_, text.data(), text.size());
  EXPECT_EQ(std::string(text.data()).substr(0, 8), "one-lie:");
  EXPECT_EQ(std::strlen(text.data()), whole);
  std::ranges::fill(text, 'x');
  EXPECT_EQ(ggufgate_mutator_describe(mutator_, text.data(), 8), 7U) << "no slug cut in two";
  EXPECT_EQ(std::string(text.data()), "one-lie");
  EXPECT_EQ(text.at(8), 'x');
  EXPECT_EQ(ggufgate_mutator_describe(mutator_, text.data(), 1), 0U);
  EXPECT_EQ(text.front(), '\0');
  EXPECT_EQ(ggufgate_mutator_describe(mutator_, text.data(), 0), 0U);
  EXPECT_EQ(ggufgate_mutator_describe(mutator_, nullptr, 9), 0U);
  EXPECT_EQ(ggufgate_mutator_describe(nullptr, text.data(), 9), 0U);
}

}  // namespace
}  // namespace ggufgate::testing
