#pragma once

// A small sound file that is known to the last byte, and what mutations make of it: for tests that
// say exactly which field lies, and how.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "bytes/byte_range.h"
#include "format/tensors/tensor_type.h"
#include "mutate/build/compose.h"
#include "mutate/file/placement.h"
#include "mutate/mutation.h"
#include "mutate/repair/repair.h"
#include "tests/mutate/seed_files.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {

inline constexpr std::size_t kSoundEntries = 9;
inline constexpr std::size_t kSoundTensors = 4;
inline constexpr std::uint64_t kSoundAlignment = 32;

// PutSoundRecords fills a draft that has nothing: every kind of record that lies are told of.
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

// Told is one mutant of the sound file.
struct Told {
  File bytes;
  std::optional<std::uint64_t> lie_at;
};

// ToldOf tells a lie, or a benign mutation, of the sound file so many times.
inline std::vector<Told> ToldOf(std::string_view slug, int times,
                                std::size_t room = std::size_t{1} << 17) {
  std::vector<Told> told;
  const Mutation* const mutation = FindMutation(slug);
  EXPECT_NE(mutation, nullptr) << slug;
  if (mutation == nullptr) return told;
  const File sound = SoundFile();
  Workshop workshop(21, room);
  for (int i = 0; i < times; ++i) {
    MutationContext& context = workshop.Fresh(sound);
    Repair(context);
    if (mutation->kind == MutationKind::kBenign) {
      EXPECT_TRUE(context.Write());
    }
    if (!mutation->apply(context)) continue;
    EXPECT_TRUE(context.Write()) << slug;
    told.push_back({.bytes = Copied(context), .lie_at = context.lie_at});
  }
  EXPECT_FALSE(told.empty()) << slug << " never applies";
  return told;
}

// Records takes a mutant apart, whatever it is.
struct Records {
  explicit Records(const File& file) : bytes(file) {
    TakeApart(bytes, draft);
    AttachData(draft);
  }
  File bytes;
  Draft draft;
};

// DocumentOf is what a reader makes of a file, which it views.
inline Document DocumentOf(const File& file) {
  return Parse(file, file.size(), PolicyFor(Profile::kGate).limits).document;
}

template <Scalar T>
T At(const File& file, std::uint64_t at) {
  EXPECT_LE(at + sizeof(T), file.size());
  return at + sizeof(T) > file.size() ? T{} : Load<T>(Bytes(file).subspan(at), ByteOrder::kLittle);
}

// NumberAt is the number of 1, 4 or 8 bytes in a field.
inline std::uint64_t NumberAt(const File& file, ByteRange field) {
  if (field.size == 8) return At<std::uint64_t>(file, field.begin);
  return field.size == 4 ? At<std::uint32_t>(file, field.begin)
                         : At<std::uint8_t>(file, field.begin);
}

// Difference is from the first byte to the last in which two files of one size differ.
inline ByteRange Difference(const File& one, const File& other) {
  EXPECT_EQ(one.size(), other.size());
  const auto front = std::ranges::mismatch(one, other).in1 - one.begin();
  std::size_t end = std::min(one.size(), other.size());
  while (end > 0 && one[end - 1] == other[end - 1]) --end;
  const auto begin = static_cast<std::uint64_t>(front);
  return ByteRange::Between(std::min<std::uint64_t>(begin, end), end);
}

inline bool Within(ByteRange inner, ByteRange outer) {
  return outer.begin <= inner.begin && inner.End() <= outer.End();
}

// FieldThatLies is the one of some fields of the sound file that a mutant has another value in;
// everything else is as it was.
inline std::size_t FieldThatLies(const File& sound, const File& mutant,
                                 const std::vector<ByteRange>& fields) {
  const ByteRange changed = Difference(sound, mutant);
  EXPECT_GT(changed.size, 0U) << "nothing lies";
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (Within(changed, fields[i])) return i;
  }
  ADD_FAILURE() << "bytes " << changed.begin << " to " << changed.End() << " are no such field";
  return 0;
}

class SoundFileTest : public ::testing::Test {
 protected:
  // Every mutant lies in one of the fields, and each of them lies some time; `promised` is given
  // the field's number in the mutant.
  template <typename Promised>
  void ExpectLies(std::string_view slug, const std::vector<ByteRange>& fields, Promised promised) {
    SCOPED_TRACE(slug);
    std::vector<bool> lied(fields.size());
    for (const Told& told : ToldOf(slug, 400)) {
      const std::size_t i = FieldThatLies(sound, told.bytes, fields);
      lied.at(i) = true;
      EXPECT_EQ(told.lie_at, fields.at(i).begin);
      const std::uint64_t number = NumberAt(told.bytes, fields.at(i));
      EXPECT_TRUE(promised(number, fields.at(i))) << number << " at " << fields.at(i).begin;
    }
    EXPECT_EQ(std::ranges::count(lied, false), 0) << "some field never lies";
  }
  // Behind is how much of the sound file stands behind a field.
  [[nodiscard]] std::uint64_t Behind(ByteRange field) const { return sound.size() - field.End(); }

  const File sound = SoundFile();
  const Document document = DocumentOf(sound);
};

}  // namespace ggufgate::mutate
