// Metadata records: each one that RepairMetadata drops or repairs, next to the most similar one
// that it keeps.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "mutate/repair/repair.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class Metadata : public ::testing::Test {
 protected:
  using Values = std::vector<std::uint8_t>;

  static Entry Raw(std::string_view key, std::uint32_t type, const Values& value) {
    return {.key = key, .type = type, .value = value};
  }
  static Entry Raw(std::string_view key, ValueType type, const Values& value) {
    return Raw(key, static_cast<std::uint32_t>(type), value);
  }
  // Repaired returns a draft after Repair of these entries; the gate accepts the rest.
  Draft& Repaired(const std::vector<Entry>& entries) {
    MutationContext& context = workshop_.Fresh();
    for (const Entry& entry : entries) context.draft.entries.Add(entry);
    RepairMetadata(context);
    EXPECT_TRUE(context.Write());
    EXPECT_THAT(ErrorsIn(context.bytes()), IsEmpty());
    return context.draft;
  }
  bool Keeps(const Entry& entry) {
    const Draft& draft = Repaired({entry});
    if (draft.entries.empty()) return false;
    EXPECT_EQ(draft.entries[0].key, entry.key);
    EXPECT_TRUE(std::ranges::equal(draft.entries[0].value, entry.value));
    return true;
  }

  Workshop workshop_{1};
};

TEST_F(Metadata, HasKeysOfPrintableCharacters) {
  const Values one = {1};
  for (int c = 0; c < 256; ++c) {
    const std::string key = {'k', static_cast<char>(c), 'y'};
    EXPECT_EQ(Keeps(Raw(key, ValueType::kU8, one)), c >= 0x20 && c <= 0x7E) << c;
  }
}

TEST_F(Metadata, HasKeysOfOneTo65535Characters) {
  const Values one = {1};
  for (const auto& [size, kept] : std::vector<std::pair<std::size_t, bool>>{
           {0, false}, {1, true}, {65'535, true}, {65'536, false}}) {
    const std::string key(size, 'k');
    EXPECT_EQ(Keeps(Raw(key, ValueType::kU8, one)), kept) << size;
  }
}

TEST_F(Metadata, HasNoSegmentOfJavaScriptsObjectModel) {
  const Values one = {1};
  for (const std::string name : {"__proto__", "constructor", "prototype"}) {
    for (std::size_t before = 0; before < 10; ++before) {
      const std::string front = before > 0 ? std::string(before, 'k') + '.' : "";
      for (const std::string end : {"", ".", ".k"}) {
        EXPECT_FALSE(Keeps(Raw(front + name + end, ValueType::kU8, one))) << front << name << end;
        EXPECT_TRUE(Keeps(Raw(front + name + 'k' + end, ValueType::kU8, one)));
      }
    }
  }
}

TEST_F(Metadata, HasEachKeyOnce) {
  const Values one = {1};
  const Values two = {2};
  const Draft& draft = Repaired({Raw("a", ValueType::kU8, one), Raw("b", ValueType::kU8, one),
                                 Raw("a", ValueType::kU8, two), Raw("A", ValueType::kU8, two)});
  ASSERT_EQ(draft.entries.size(), 3u);
  EXPECT_EQ(draft.entries[0].key, "a");
  EXPECT_EQ(draft.entries[0].value.front(), 1);
  EXPECT_EQ(draft.entries[2].key, "A");
}

// The first valid entry stays.
TEST_F(Metadata, DoesNotCountWhatGoesAnyway) {
  const Values none = {};
  const Values two = {2};
  const Draft& draft = Repaired({Raw("a", ValueType::kU8, none), Raw("a", ValueType::kU8, two)});
  ASSERT_EQ(draft.entries.size(), 1u);
  EXPECT_EQ(draft.entries[0].value.front(), 2);
}

TEST_F(Metadata, HasValuesAsLongAsTheirTypes) {
  for (std::uint32_t id = 0; id <= 12; ++id) {
    const std::size_t size = FindValueType(id)->scalar_bytes;
    if (size == 0) continue;
    EXPECT_TRUE(Keeps(Raw("k", id, Values(size, 1)))) << id;
    EXPECT_FALSE(Keeps(Raw("k", id, Values(size - 1, 1)))) << id;
    EXPECT_FALSE(Keeps(Raw("k", id, Values(size + 1, 1)))) << id;
  }
  for (const std::uint32_t unknown : {13u, 14u, 255u, 0x0400'0000u, 0xFFFF'FFFFu}) {
    EXPECT_FALSE(Keeps(Raw("k", unknown, Values(1, 1)))) << unknown;
    EXPECT_FALSE(Keeps(Raw("k", unknown, {}))) << unknown;
  }
}

TEST_F(Metadata, HasStringsAsLongAsTheySay) {
  EXPECT_TRUE(Keeps(Raw("k", ValueType::kString, {2, 0, 0, 0, 0, 0, 0, 0, 'a', 'b'})));
  EXPECT_TRUE(Keeps(Raw("k", ValueType::kString, {0, 0, 0, 0, 0, 0, 0, 0})));
  EXPECT_FALSE(Keeps(Raw("k", ValueType::kString, {3, 0, 0, 0, 0, 0, 0, 0, 'a', 'b'})));
  EXPECT_FALSE(Keeps(Raw("k", ValueType::kString, {1, 0, 0, 0, 0, 0, 0, 0, 'a', 'b'})));
  EXPECT_FALSE(Keeps(Raw("k", ValueType::kString, {2, 0, 0, 0, 0, 0, 0, 1, 'a', 'b'})));
  EXPECT_FALSE(Keeps(Raw("k", ValueType::kString, {0, 0, 0, 0, 0, 0, 0})));
}

TEST_F(Metadata, HasArraysAsLongAsTheySay) {
  const auto array = [](std::uint8_t element, std::uint8_t count, const Values& elements) {
    Values value(12 + elements.size());
    value[0] = element;
    value[4] = count;
    std::ranges::copy(elements, value.begin() + 12);
    return value;
  };
  const auto keeps = [&](const Values& value) { return Keeps(Raw("k", ValueType::kArray, value)); };
  EXPECT_TRUE(keeps(array(0, 0, {})));
  EXPECT_TRUE(keeps(array(2, 2, {1, 2, 3, 4})));
  EXPECT_FALSE(keeps(array(2, 2, {1, 2, 3})));
  EXPECT_FALSE(keeps(array(2, 2, {1, 2, 3, 4, 5})));
  EXPECT_TRUE(keeps(array(8, 1, {1, 0, 0, 0, 0, 0, 0, 0, 'a'})));
  EXPECT_FALSE(keeps(array(8, 2, {1, 0, 0, 0, 0, 0, 0, 0, 'a'})));
  EXPECT_FALSE(keeps(array(13, 1, {1})));
  EXPECT_FALSE(keeps(array(13, 0, {})));
  // Nested arrays are removed, even empty ones.
  EXPECT_FALSE(keeps(array(9, 1, array(0, 1, {1}))));
  EXPECT_FALSE(keeps(array(9, 0, {})));
  // Every element of a boolean array must be 0 or 1, too.
  EXPECT_TRUE(keeps(array(7, 3, {1, 0, 1})));
  EXPECT_FALSE(keeps(array(7, 3, {1, 0, 2})));
  EXPECT_FALSE(keeps(array(7, 3, {0xFF, 0, 1})));
  EXPECT_TRUE(keeps(array(0, 3, {0xFF, 0, 2})));
}

TEST_F(Metadata, HasBooleansThatAreMended) {
  for (int byte = 0; byte < 256; ++byte) {
    const Values value = {static_cast<std::uint8_t>(byte)};
    const Draft& draft = Repaired({Raw("k", ValueType::kBool, value)});
    ASSERT_EQ(draft.entries.size(), 1u) << byte;
    EXPECT_EQ(draft.entries[0].value.front(), byte == 0 ? 0 : 1) << byte;
  }
}

TEST_F(Metadata, HasAnAlignmentThatIsAPowerOfTwo) {
  for (const std::uint32_t value : {0u, 1u, 2u, 3u, 8u, 24u, 31u, 32u, 33u, 64u, 4096u, 1u << 20,
                                    (1u << 20) + 1, 1u << 21, 1u << 31, 0xFFFF'FFFFu}) {
    const bool sound = std::has_single_bit(value) && value <= 1u << 20;
    Values bytes(4);
    Store(value, ByteOrder::kLittle, MutableBytes(bytes));
    const Draft& draft = Repaired({Raw(kAlignmentKey, ValueType::kU32, bytes)});
    EXPECT_EQ(draft.entries.size(), sound ? 1u : 0u) << value;
    EXPECT_EQ(draft.alignment, sound ? value : kDefaultAlignment) << value;
  }
}

TEST_F(Metadata, HasAnAlignmentThatIsAU32) {
  for (std::uint32_t id = 0; id <= 12; ++id) {
    const std::size_t size = FindValueType(id)->scalar_bytes;
    if (size == 0) continue;
    Values bytes(size);
    bytes.front() = id == 7 ? 1 : 64;  // a boolean cannot be 64
    const Draft& draft = Repaired({Raw(kAlignmentKey, id, bytes)});
    const bool sound = ValueType{id} == ValueType::kU32;
    EXPECT_EQ(draft.entries.size(), sound ? 1u : 0u) << id;
    EXPECT_EQ(draft.alignment, sound ? 64u : kDefaultAlignment) << id;
  }
}

TEST_F(Metadata, HasAHeaderThatLoadersKnow) {
  const std::vector<std::uint8_t> magic = {'G', 'G', 'M', 'L'};
  for (const auto& [version, mended] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {0, 3}, {1, 3}, {2, 2}, {3, 3}, {4, 3}, {0xFFFF'FFFF, 3}}) {
    MutationContext& context = workshop_.Fresh();
    context.draft.version = version;
    context.draft.magic = magic;
    RepairMetadata(context);
    EXPECT_EQ(context.draft.version, mended) << version;
    EXPECT_EQ(AsText(context.draft.magic), "GGUF");
  }
}

}  // namespace
}  // namespace ggufgate::mutate
