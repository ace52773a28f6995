#pragma once

// Common code of the tests of repair_meaning*.cc: entries, and the border between valid and invalid
// ones.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mutate/build/compose.h"
#include "mutate/build/records.h"
#include "mutate/repair/repair.h"
#include "tests/mutate/four_dimensions.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {

class MeaningLines : public ::testing::Test {
 protected:
  using Entries = std::vector<Entry>;

  Entry Text(std::string_view key, std::string_view text) { return TextEntry(arena_, key, text); }
  template <Scalar T>
  Entry Number(std::string_view key, T value) {
    return NumberEntry(arena_, key, value);
  }
  template <Scalar T>
  Entry Numbers(std::string_view key, const std::vector<T>& values) {
    auto at = values.begin();
    return ArrayEntry<T>(arena_, key, values.size(), [&] { return *at++; });
  }
  Entry Texts(std::string_view key, const std::vector<std::string_view>& texts) {
    std::size_t longest = 0;
    for (const std::string_view text : texts) longest = std::max(longest, text.size());
    auto at = texts.begin();
    return TextArrayEntry(arena_, key, texts.size(), longest, [&] { return *at++; });
  }
  Entry U32(std::string_view key, std::uint32_t value) { return Number(key, value); }
  Entry Architecture(std::string_view name) { return Text("general.architecture", name); }

  // Has adds a tensor of zeros to every later file.
  void Has(std::string_view name, const FourDimensions& dims = {8, 1, 1, 1},
           TensorType type = TensorType::kF32) {
    Tensor tensor{.name = name, .dimension_count = 4, .type = static_cast<std::uint32_t>(type)};
    tensor.dims = WithFifth(dims);
    const MutableBytes data = arena_.Take(SizeOfTensor(tensor).value());
    std::ranges::fill(data, std::uint8_t{0});
    tensor.data = data;
    tensors_.push_back(tensor);
  }
  void HasNoTensors() { tensors_.clear(); }

  // ExpectKept: the gate has no findings for the file, and Repair does not change it.
  void ExpectKept(const Entries& with, const Entry& entry) {
    EXPECT_THAT(ErrorsUnrepaired(with, entry), ::testing::IsEmpty()) << entry.key;
    const MutationContext& context = Repaired(with, entry);
    EXPECT_EQ(KeysIn(context), KeysOf(with, &entry));
    EXPECT_EQ(context.draft.tensors.size(), tensors_.size());
  }
  // ExpectDropped: the gate rejects the file, and Repair removes the entry and nothing else.
  void ExpectDropped(const Entries& with, const Entry& entry) {
    EXPECT_THAT(ErrorsUnrepaired(with, entry), ::testing::Not(::testing::IsEmpty())) << entry.key;
    ExpectDroppedToBeSure(with, entry);
  }
  // ExpectDroppedToBeSure: the same, if Repair is stricter than the gate, or if the gate only
  // warns.
  void ExpectDroppedToBeSure(const Entries& with, const Entry& entry) {
    const MutationContext& context = Repaired(with, entry);
    EXPECT_EQ(KeysIn(context), KeysOf(with, nullptr)) << entry.key;
  }
  // Keeps tells whether an entry survives Repair. The gate, which runs first, must agree.
  bool Keeps(const Entries& with, const Entry& entry) {
    const bool kept = Repaired(with, entry).draft.Find(entry.key) != nullptr;
    EXPECT_EQ(kept, ErrorsUnrepaired(with, entry).empty()) << entry.key << ", type " << entry.type;
    return kept;
  }

  MutationContext& Laid(const Entries& with, const Entry& entry) {
    MutationContext& context = workshop_.Fresh();
    for (const Entry& other : with) EXPECT_TRUE(AddEntry(context.draft, other)) << other.key;
    EXPECT_TRUE(AddEntry(context.draft, entry)) << entry.key;
    for (const Tensor& tensor : tensors_) context.draft.tensors.Add(tensor);
    LayOut(context.draft);
    return context;
  }
  std::set<std::string> ErrorsUnrepaired(const Entries& with, const Entry& entry) {
    MutationContext& context = Laid(with, entry);
    EXPECT_TRUE(context.Write());
    return ErrorsIn(context.bytes());
  }
  MutationContext& Repaired(const Entries& with, const Entry& entry) {
    MutationContext& context = Laid(with, entry);
    Repair(context);
    EXPECT_TRUE(context.Write());
    EXPECT_THAT(ErrorsIn(context.bytes()), ::testing::IsEmpty()) << entry.key;
    return context;
  }

  Arena arena_{1 << 22};
  Workshop workshop_{1};
  std::vector<Tensor> tensors_;

 private:
  static std::vector<std::string_view> KeysIn(const MutationContext& context) {
    std::vector<std::string_view> keys;
    for (const Entry& entry : context.draft.entries) keys.push_back(entry.key);
    return keys;
  }
  static std::vector<std::string_view> KeysOf(const Entries& with, const Entry* entry) {
    std::vector<std::string_view> keys;
    for (const Entry& other : with) keys.push_back(other.key);
    if (entry != nullptr) keys.push_back(entry->key);
    return keys;
  }
};

}  // namespace ggufgate::mutate
