// The stand-in for a model.

#include "rehearse/stand_in.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "parse/model.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace ggufgate::testing {
namespace {

class StandInTest : public ::testing::Test {
 protected:
  [[nodiscard]] Input Open(const Model& model) {
    bytes_ = Write(model);
    absl::StatusOr<Input> input = Input::Open(folder_.Write("model.gguf", bytes_));
    EXPECT_TRUE(input.ok()) << input.status();
    return *std::move(input);
  }

  static Model WithWeights() {
    Model model = Model::Minimal();
    model.Add("weights", TensorType::kF32, {64});
    model.tensors.back().data.assign(256, 0x3C);
    return model;
  }

  // Of the minimal model's tensor, and of the added one.
  static constexpr std::ptrdiff_t kDataBytes = 32 + 256;

  TempFolder folder_;
  std::vector<std::uint8_t> bytes_;
};

TEST_F(StandInTest, HoldsTheFrontAndAHole) {
  const Input input = Open(WithWeights());
  const absl::StatusOr<ModelFront> front = FrontOf(input);
  ASSERT_TRUE(front.ok()) << front.status();
  EXPECT_EQ(front->bytes, bytes_.size() - kDataBytes);
  EXPECT_EQ(front->shards, 0U);
  const absl::StatusOr<Descriptor> stand_in = MakeStandIn(input, *front);
  ASSERT_TRUE(stand_in.ok()) << stand_in.status();
  std::vector<std::uint8_t> held(bytes_.size() + 1);
  ASSERT_EQ(::pread(stand_in->get(), held.data(), held.size(), 0),
            static_cast<ssize_t>(bytes_.size()));
  held.pop_back();
  std::fill_n(bytes_.end() - kDataBytes, kDataBytes, std::uint8_t{0});
  EXPECT_EQ(held, bytes_);
}

TEST_F(StandInTest, NobodyCanChangeIt) {
  const Input input = Open(WithWeights());
  const absl::StatusOr<Descriptor> stand_in = MakeStandIn(input, *FrontOf(input));
  ASSERT_TRUE(stand_in.ok());
  EXPECT_LT(::pwrite(stand_in->get(), "x", 1, 0), 0);
  EXPECT_NE(::ftruncate(stand_in->get(), 1), 0);
  EXPECT_NE(::fallocate(stand_in->get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096), 0);
}

TEST_F(StandInTest, AHoleTakesNoMemory) {
  const std::vector<std::uint8_t> head = Write(WithWeights());
  const std::string path = folder_.MakeSparse("large.gguf", head, std::uint64_t{300} << 30);
  const absl::StatusOr<Input> input = Input::Open(path);
  ASSERT_TRUE(input.ok()) << input.status();
  const absl::StatusOr<Descriptor> stand_in = MakeStandIn(*input, *FrontOf(*input));
  ASSERT_TRUE(stand_in.ok()) << stand_in.status();
  struct stat facts = {};
  ASSERT_EQ(::fstat(stand_in->get(), &facts), 0);
  EXPECT_EQ(facts.st_size, off_t{300} << 30);
  EXPECT_LT(facts.st_blocks * 512, 1 << 20);
}

TEST_F(StandInTest, ShardsAreCountedAndFaultsToldOf) {
  const Input shard = Open(WithWeights().Set("split.count", std::uint16_t{3}));
  EXPECT_EQ(FrontOf(shard)->shards, 3U);
  const Input other = Open(WithWeights().Set("split.count", "three"));
  EXPECT_EQ(FrontOf(other)->shards, 0U);
  std::vector<std::uint8_t> broken = Write(WithWeights());
  broken.resize(40);
  const absl::StatusOr<Input> cut = Input::Open(folder_.Write("cut.gguf", broken));
  EXPECT_FALSE(FrontOf(*cut).ok());
}

}  // namespace
}  // namespace ggufgate::testing
