#pragma once

// A small valid file with known bytes.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "format/tensors/tensor_type.h"
#include "mutate/build/compose.h"
#include "mutate/file/placement.h"
#include "mutate/repair/repair.h"
#include "tests/mutate/seed_files.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {

inline constexpr std::size_t kSoundEntries = 9;
inline constexpr std::size_t kSoundTensors = 4;
inline constexpr std::uint64_t kSoundAlignment = 32;

// PutSoundRecords fills an empty draft with every kind of record that lies change.
inline void PutSoundRecords(MutationContext& context) {
  Arena& arena = context.arena;
  Draft& draft = context.draft;
  constexpr std::array<std::string_view, 3> kTexts = {"one", "", "three"};
  std::size_t text = 0;
  std::uint32_t number = 0;
  bool flag = false;
  draft.entries.Add(TextEntry(arena, "general.architecture", "test"));
  draft.entries.Add(NumberEntry(arena, "user.number", std::uint32_t{7}));
  draft.entries.Add(TextEntry(arena, "user.text", "some text"));
  draft.entries.Add(NumberEntry(arena, "user.flag", true));
  draft.entries.Add(ArrayEntry<std::uint32_t>(arena, "user.numbers", 5, [&] { return ++number; }));
  draft.entries.Add(
      TextArrayEntry(arena, "user.texts", kTexts.size(), 8, [&] { return kTexts.at(text++); }));
  draft.entries.Add(ArrayEntry<bool>(arena, "user.flags", 3, [&] { return flag = !flag; }));
  draft.entries.Add(NumberEntry(arena, "general.alignment", std::uint32_t{kSoundAlignment}));
  draft.entries.Add(NumberEntry(arena, "user.float", 1.5F));
  const auto add = [&](std::string_view name, TensorType type, std::uint64_t row,
                       std::uint64_t rows) {
    Tensor tensor{.name = name,
                  .dimension_count = rows == 1 ? 1U : 2U,
                  .type = static_cast<std::uint32_t>(type)};
    tensor.dims = {row, rows, 1, 1};
    const MutableBytes data = arena.Take(SizeOfTensor(tensor).value_or(0));
    std::ranges::fill(data, static_cast<std::uint8_t>(draft.tensors.size() + 1));
    tensor.data = data;
    draft.tensors.Add(tensor);
  };
  add("first", TensorType::kF32, 4, 3);
  add("blocks", TensorType::kQ8_0, 64, 2);
  add("half", TensorType::kF16, 5, 1);
  add("last", TensorType::kI8, 40, 1);
  draft.alignment = kSoundAlignment;
  LayOut(draft);
}

inline File Copied(const MutationContext& context) {
  return {context.bytes().begin(), context.bytes().end()};
}

inline File SoundFile() {
  Workshop workshop(0, std::size_t{8} << 10);
  MutationContext& context = workshop.Fresh();
  PutSoundRecords(context);
  EXPECT_TRUE(context.Write());
  return Copied(context);
}

// DocumentOf parses a file, which the document views.
inline Document DocumentOf(const File& file) {
  return Parse(file, file.size(), PolicyFor(Profile::kGate).limits).document;
}

}  // namespace ggufgate::mutate
