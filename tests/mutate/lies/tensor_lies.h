#pragma once

// Lies about the tensor directory of the sound file: which tensor lies, and what its dimensions
// come to when they are multiplied exactly.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/mutate/sound_file.h"

namespace ggufgate::mutate {

__extension__ using Wide = unsigned __int128;

inline constexpr int kTimes = 400;
inline constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
inline constexpr Wide kWraps = Wide{1} << 64;

class TensorLies : public SoundFileTest {
 protected:
  // Fields are those of all tensors.
  template <typename Field>
  std::vector<ByteRange> Fields(Field field) const {
    std::vector<ByteRange> fields;
    for (const TensorInfo& tensor : document.tensors) fields.push_back(field(tensor));
    return fields;
  }

  // TheLiar is the one tensor whose dimensions are not those of the sound file; names, types and
  // all other tensors are as they were.
  std::size_t TheLiar(const Draft& draft) const {
    std::vector<std::size_t> liars;
    EXPECT_EQ(draft.tensors.size(), kSoundTensors);
    for (std::size_t i = 0; i < std::min(draft.tensors.size(), kSoundTensors); ++i) {
      const Tensor& tensor = draft.tensors[i];
      const TensorInfo& before = document.tensors[i];
      EXPECT_EQ(tensor.name, before.name);
      EXPECT_EQ(tensor.type, before.type_id);
      const bool same =
          tensor.dims == before.dims && tensor.dimension_count == before.dimension_count;
      if (!same) liars.push_back(i);
    }
    EXPECT_EQ(liars.size(), 1U);
    return liars.empty() ? 0 : liars.front();
  }

  // ExpectDimensions wants `promised` of every tensor that lies, and that each of `liars` does.
  template <typename Promised>
  void ExpectDimensions(std::string_view slug, std::set<std::size_t> liars, Promised promised) {
    SCOPED_TRACE(slug);
    std::set<std::size_t> lied;
    for (const Told& told : ToldOf(slug, kTimes)) {
      const Records records(told.bytes);
      const std::size_t i = TheLiar(records.draft);
      lied.insert(i);
      const Tensor& tensor = records.draft.tensors[i];
      EXPECT_TRUE(promised(tensor, document.tensors[i]))
          << tensor.name << ::testing::PrintToString(tensor.dims);
    }
    EXPECT_EQ(lied, liars);
  }

  const std::set<std::size_t> all = {0, 1, 2, 3};
};

inline const TensorTypeInfo& TypeOf(const Tensor& tensor) { return *FindTensorType(tensor.type); }

// ProductOf is exact while it has at most 128 bits, as with three factors of 2^42 it has.
template <typename Numbers>
Wide ProductOf(const Numbers& numbers) {
  Wide product = 1;
  for (const std::uint64_t number : numbers) {
    if (number != 0) {
      EXPECT_LE(product, ~Wide{0} / number) << "more than 128 bits";
    }
    product *= number;
  }
  return product;
}
inline std::uint64_t WrappedProductOf(const std::array<std::uint64_t, kReadDimensions>& dims) {
  return dims[0] * dims[1] * dims[2] * dims[3] * dims[4];
}

}  // namespace ggufgate::mutate
