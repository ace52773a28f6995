#include "gate/tensor_floats.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <random>
#include <vector>

#include "bytes/memory_source.h"
#include "dequantize/dequantize.h"
#include "format/limits.h"
#include "parse/model.h"
#include "parse/parse.h"

namespace ggufgate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Opened is a model that was written and parsed.
struct Opened {
  explicit Opened(const Model& model)
      : file(Write(model)), source(file), document(Parse(file, file.size(), Limits{}).document) {}

  std::vector<std::uint8_t> file;
  MemorySource source;
  Document document;
};

Model ModelWith(TensorType type, std::vector<std::uint64_t> dims) {
  Model model;
  model.Set("general.architecture", "test");
  model.Add("other", TensorType::kF32, {8});
  std::mt19937_64 random(1);
  for (std::uint8_t& byte : model.Add("t", type, std::move(dims)).data) {
    byte = static_cast<std::uint8_t>(random() & 0x3F);
  }
  return model;
}

std::vector<float> Expected(const Model& model) {
  const Model::Tensor& tensor = model.tensors.back();
  const TensorTypeInfo& info = *FindTensorType(tensor.type_id);
  std::vector<float> out(tensor.data.size() / info.block_bytes * info.block_elements);
  EXPECT_EQ(Dequantize(info.type, tensor.data, out, model.byte_order), Dequantized::kDone);
  return out;
}

absl::StatusOr<std::vector<float>> Decoded(const TensorFloats& tensor, RowRange rows,
                                           unsigned jobs) {
  std::vector<float> out((rows.end - rows.first) * tensor.row_elements());
  std::uint64_t next = 0;
  const absl::Status status = tensor.Decode(
      rows, jobs,
      {.at_once =
           [&](const TensorFloats::Chunk& chunk) {
             EXPECT_LT(chunk.worker, jobs);
             std::ranges::copy(chunk.floats,
                               out.begin() + static_cast<std::ptrdiff_t>(chunk.first));
             return absl::OkStatus();
           },
       .in_turn =
           [&](const TensorFloats::Chunk& chunk) {
             EXPECT_EQ(chunk.first, next) << "out of turn";
             next = chunk.first + chunk.floats.size();
             return absl::OkStatus();
           }});
  if (!status.ok()) return status;
  EXPECT_EQ(next, out.size());
  return out;
}

TEST(TensorFloats, DecodesAllOfATensorWithAnyNumberOfThreads) {
  const Model model = ModelWith(TensorType::kQ4_K, {512, 2000});  // four chunks
  const Opened opened(model);
  const auto tensor = TensorFloats::Find(opened.document, opened.source, "t");
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_EQ(tensor->type().type, TensorType::kQ4_K);
  EXPECT_THAT(tensor->Shape(), ElementsAre(2000, 512));
  EXPECT_EQ(tensor->row_count(), 2000U);
  for (const unsigned jobs : {1U, 2U, 3U, 16U}) {
    const auto out = Decoded(*tensor, {.first = 0, .end = 2000}, jobs);
    ASSERT_TRUE(out.ok());
    EXPECT_EQ(*out, Expected(model)) << jobs;
  }
}

TEST(TensorFloats, DecodesRows) {
  const Model model = ModelWith(TensorType::kQ8_0, {32, 5, 3});
  const Opened opened(model);
  const auto tensor = TensorFloats::Find(opened.document, opened.source, "t");
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(tensor->row_count(), 15U);
  const std::vector<float> whole = Expected(model);
  const auto some = Decoded(*tensor, {.first = 4, .end = 11}, 2);
  ASSERT_TRUE(some.ok());
  EXPECT_EQ(*some, std::vector<float>(whole.begin() + 4 * 32, whole.begin() + 11 * 32));
  EXPECT_THAT(*Decoded(*tensor, {.first = 15, .end = 15}, 2), IsEmpty());
}

TEST(TensorFloats, ReadsBigEndianFiles) {
  Model model;
  model.byte_order = ByteOrder::kBig;
  model.Set("general.architecture", "test");
  model.Add("t", TensorType::kF32, {2}).data = {0x3F, 0x80, 0, 0, 0xC0, 0, 0, 0};
  const Opened opened(model);
  const auto tensor = TensorFloats::Find(opened.document, opened.source, "t");
  ASSERT_TRUE(tensor.ok());
  EXPECT_THAT(*Decoded(*tensor, {.first = 0, .end = 1}, 1), ElementsAre(1.0F, -2.0F));
}

TEST(TensorFloats, OneValueAndNoneAreTensorsToo) {
  for (const std::vector<std::uint64_t>& dims :
       {std::vector<std::uint64_t>{}, {0}, {4, 0}, {0, 4}}) {
    const Opened opened(ModelWith(TensorType::kF32, dims));
    const auto tensor = TensorFloats::Find(opened.document, opened.source, "t");
    ASSERT_TRUE(tensor.ok());
    const auto out = Decoded(*tensor, {.first = 0, .end = tensor->row_count()}, 4);
    ASSERT_TRUE(out.ok());
    EXPECT_EQ(out->size(), dims.empty() ? 1U : 0U);
    EXPECT_EQ(tensor->Shape().size(), dims.size());
  }
}

TEST(TensorFloats, FindsNothingThatIsNotThere) {
  const Opened opened(ModelWith(TensorType::kF32, {4}));
  EXPECT_EQ(TensorFloats::Find(opened.document, opened.source, "T").status().code(),
            absl::StatusCode::kNotFound);
}

TEST(TensorFloats, TakesNothingOnTrust) {
  const auto find = [](const Model& model) {
    const Opened opened(model);
    return TensorFloats::Find(opened.document, opened.source, "t").status().code();
  };
  Model model = ModelWith(TensorType::kQ4_0, {64, 2});
  EXPECT_EQ(find(model), absl::StatusCode::kOk);
  Model unknown = model;
  unknown.tensors.back().type_id = 4;
  EXPECT_EQ(find(unknown), absl::StatusCode::kDataLoss);
  Model beyond = model;
  beyond.tensors.back().offset += 32;
  EXPECT_EQ(find(beyond), absl::StatusCode::kDataLoss);
  Model wraps = model;
  wraps.tensors.back().offset = UINT64_MAX - 31;
  EXPECT_EQ(find(wraps), absl::StatusCode::kDataLoss);
  Model half = model;
  half.tensors.back().dims = {48, 2};
  EXPECT_EQ(find(half), absl::StatusCode::kDataLoss);
  Model huge = model;
  huge.tensors.back().dims = {std::uint64_t{1} << 62, 4};
  EXPECT_EQ(find(huge), absl::StatusCode::kDataLoss);
}

TEST(TensorFloats, AnErrorEndsTheWork) {
  const Opened opened(ModelWith(TensorType::kF32, {1024, 2048}));  // eight chunks
  const auto tensor = TensorFloats::Find(opened.document, opened.source, "t");
  ASSERT_TRUE(tensor.ok());
  for (const unsigned jobs : {1U, 4U}) {
    for (const bool at_once : {true, false}) {
      std::atomic<int> in_turn = 0;
      const auto fail_at_two = [](const TensorFloats::Chunk& chunk) {
        return chunk.first == 2 * TensorFloats::kChunkElements ? absl::AbortedError("enough")
                                                               : absl::OkStatus();
      };
      const auto status =
          tensor->Decode({.first = 0, .end = 2048}, jobs,
                         {.at_once =
                              [&](const TensorFloats::Chunk& chunk) {
                                return at_once ? fail_at_two(chunk) : absl::OkStatus();
                              },
                          .in_turn =
                              [&](const TensorFloats::Chunk& chunk) {
                                ++in_turn;
                                return at_once ? absl::OkStatus() : fail_at_two(chunk);
                              }});
      EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
      EXPECT_EQ(in_turn, at_once ? 2 : 3);
    }
  }
}

// ShrinkingSource is shorter than its size.
class ShrinkingSource final : public ByteSource {
 public:
  explicit ShrinkingSource(std::uint64_t size) : size_(size) {}
  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t, MutableBytes) const override {
    return {.kind = ReadOutcome::Kind::kShrunk};
  }

 private:
  std::uint64_t size_;
};

TEST(TensorFloats, AFileThatShrinksIsAnError) {
  const Opened opened(ModelWith(TensorType::kF16, {1024, 2048}));
  const ShrinkingSource source(opened.file.size());
  const auto tensor = TensorFloats::Find(opened.document, source, "t");
  ASSERT_TRUE(tensor.ok());
  EXPECT_FALSE(Decoded(*tensor, {.first = 0, .end = 2048}, 3).ok());
}

}  // namespace
}  // namespace ggufgate
