// Keys, values, arrays, the alignment.

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

using namespace std::string_literals;
using namespace std::string_view_literals;

// Nested returns `depth` nested arrays, the innermost of three u8.
FileBytes Nested(std::uint32_t depth) {
  Encoder array(ByteOrder::kLittle);
  for (std::uint32_t i = 1; i < depth; ++i) array.Put(std::uint32_t{9}).Put(std::uint64_t{1});
  array.Put(std::uint32_t{0}).Put(std::uint64_t{3}).PutBytes(AsBytes("\1\2\3"));
  return array.Take();
}

// ArrayHead returns an array that claims `count` elements of a type, followed by `bytes` zero
// bytes.
FileBytes ArrayHead(std::uint32_t element_type, std::uint64_t count, std::uint64_t bytes) {
  return Encoder(ByteOrder::kLittle).Put(element_type).Put(count).PutZeros(bytes).Take();
}

Recipes KeyRecipes() {
  return {
      FromBase("invalid/key-empty.gguf", "a key without characters; llama.cpp refuses", kReject,
               {"key-empty"}, "a u8 under the empty key", [](Model& m) { Append(m, "", 1); }),
      FromBase("valid/key-empty.near-miss.gguf", "a key of one character", kAccept, {},
               "a u8 under `k`", [](Model& m) { Append(m, "k", 1); }),
      FromBase(
          "invalid/key-length.gguf",
          "a key of 65,536 characters: one more than the specification allows; llama.cpp loads it",
          kOnlyLlamaCpp, {"key-length"}, "a u8 under 65,536 times `k`; as large as it has to be",
          [](Model& m) { Append(m, std::string(65'536, 'k'), 1); }),
      FromBase("valid/key-length.near-miss.gguf", "a key of 65,535 characters", kAccept, {},
               "a u8 under 65,535 times `k`; as large as it has to be",
               [](Model& m) { Append(m, std::string(65'535, 'k'), 1); }),
      FromBase("invalid/key-duplicate.gguf", "a key twice, with different values", kReject,
               {"key-duplicate"}, "`test.value` = 1, `test.value` = 2",
               [](Model& m) {
                 Append(m, "test.value", 1);
                 Append(m, "test.value", 2);
               }),
      FromBase("invalid/key-duplicate.apart.gguf",
               "a key twice, the same value, others between them", kReject, {"key-duplicate"},
               "`a`, `b`, `c`, `a`",
               [](Model& m) {
                 for (const char* key : {"a", "b", "c", "a"}) Append(m, key, 1);
               }),
      FromBase("valid/key-duplicate.near-miss.gguf", "keys that differ in their last character",
               kAccept, {}, "`test.value1`, `test.value2`",
               [](Model& m) {
                 Append(m, "test.value1", 1);
                 Append(m, "test.value2", 2);
               }),
      FromBase(
          "invalid/key-nul.gguf",
          "`general.alignment` followed by a NUL and `x`: llama.cpp obeys it as the alignment, 64, "
          "and reads the data elsewhere than who compares whole keys",
          kReject, {"key-nul"}, "that key as u32 64 in a file laid out for 32",
          [](Model& m) { m.Set("general.alignment\0x"sv, std::uint32_t{64}); }),
      FromBase("invalid/key-nul.same-to-c.gguf",
               "two keys that are one to a reader in C; llama.cpp compares them whole and loads",
               kReject, {"key-nul"}, "`test.value`, `test.value` NUL `x`",
               [](Model& m) {
                 Append(m, "test.value", 1);
                 Append(m, std::string("test.value\0x"sv), 2);
               }),
      FromBase("valid/key-nul.near-miss.gguf", "the same key with a full stop for the NUL", kAccept,
               {}, "`general.alignment.x` as u32 64",
               [](Model& m) { m.Set("general.alignment.x", std::uint32_t{64}); }),
      FromBase("invalid/key-characters.gguf",
               "a key that moves the cursor when printed; llama.cpp loads", kOnlyLlamaCpp,
               {"key-characters"}, "`test.` ESC `[2J`",
               [](Model& m) { Append(m, "test.\x1B[2J", 1); }),
      FromBase("invalid/key-characters.not-ascii.gguf",
               "a key with a Cyrillic letter that looks like a Latin one; llama.cpp loads",
               kOnlyLlamaCpp, {"key-characters"}, "`test.v` U+0430 `lue`",
               [](Model& m) { Append(m, "test.v\xD0\xB0lue", 1); }),
      FromBase("valid/key-characters.near-miss.gguf",
               "a key with a tilde, the last printable character of ASCII: a matter of style",
               kOnlySpecRejects, {}, "`test.value~`",
               [](Model& m) { Append(m, "test.value~", 1); }),
      FromBase("valid/key-style.architecture.noted.gguf",
               "a hyphen in the architecture, which is llama.cpp's name for it: a note", kAccept,
               {}, "architecture gpt-oss, `gpt-oss.note`",
               [](Model& m) {
                 m.Set("general.architecture", "gpt-oss");
                 Append(m, "gpt-oss.note", 1);
               }),
  };
}

Recipes ValueRecipes() {
  return {
      FromBase("invalid/value-type.gguf", "value type 13 does not exist", kReject, {"value-type"},
               "a value of type 13 with 8 bytes",
               [](Model& m) { m.SetRaw("test.value", static_cast<ValueType>(13), FileBytes(8)); }),
      FromBase("invalid/value-type.all-ones.gguf", "value type 2^32-1: -1 to a signed enum",
               kReject, {"value-type"}, "a value of type 2^32-1",
               [](Model& m) {
                 m.SetRaw("test.value", static_cast<ValueType>(UINT32_MAX), FileBytes(8));
               }),
      FromBase("valid/value-type.near-miss.gguf", "value type 12, the last there is: f64", kAccept,
               {}, "a value of type 12 with 8 bytes",
               [](Model& m) { m.SetRaw("test.value", ValueType::kF64, FileBytes(8)); }),
      FromBase("invalid/array-element-type.gguf", "an array of elements of type 13", kReject,
               {"array-element-type"}, "one element of type 13",
               [](Model& m) { m.SetRaw("test.values", ValueType::kArray, ArrayHead(13, 1, 8)); }),
      FromBase("invalid/array-element-type.empty.gguf",
               "an empty array of type 13: no element is read, the type is wrong all the same",
               kReject, {"array-element-type"}, "no elements of type 13",
               [](Model& m) { m.SetRaw("test.values", ValueType::kArray, ArrayHead(13, 0, 0)); }),
      FromBase("valid/array-element-type.near-miss.gguf", "an empty array of type 12", kAccept, {},
               "no elements of type 12",
               [](Model& m) { m.SetRaw("test.values", ValueType::kArray, ArrayHead(12, 0, 0)); }),
      FromBase("invalid/array-nested.gguf",
               "an array of an array: right by the specification, refused by llama.cpp", kOnlySpec,
               {"array-nested"}, "two levels",
               [](Model& m) { m.SetRaw("test.values", ValueType::kArray, Nested(2)); }),
      FromBase("invalid/array-nested.empty.gguf", "an empty array of arrays", kOnlySpec,
               {"array-nested"}, "element type 9, count 0",
               [](Model& m) { m.SetRaw("test.values", ValueType::kArray, ArrayHead(9, 0, 0)); }),
      FromBase("invalid/array-nested.depth-4.gguf", "as deep as profile spec goes", kOnlySpec,
               {"array-nested"}, "four levels",
               [](Model& m) { m.SetRaw("test.values", ValueType::kArray, Nested(4)); }),
      FromBase("invalid/array-nested.depth-5.gguf", "one level deeper than profile spec goes",
               kReject, {"array-nested"}, "five levels",
               [](Model& m) { m.SetRaw("test.values", ValueType::kArray, Nested(5)); }),
      FromBase(
          "invalid/array-nested.depth-100.gguf",
          "12 bytes a level: a reader that recurses lets the file choose the depth of its stack",
          kReject, {"array-nested"}, "a hundred levels",
          [](Model& m) { m.SetRaw("test.values", ValueType::kArray, Nested(100)); }),
      FromBase("valid/array-nested.near-miss.gguf", "an array of three u8, not nested", kAccept, {},
               "one level",
               [](Model& m) { m.SetRaw("test.values", ValueType::kArray, Nested(1)); }),
      FromBase("invalid/array-count.gguf", "one element more than what is left", kReject,
               {"array-count"}, "no tensors; 9 elements of u8 claimed, 8 there",
               [](Model& m) {
                 m.tensors.clear();
                 m.SetRaw("test.values", ValueType::kArray, ArrayHead(0, 9, 8));
               }),
      FromBase("invalid/array-count.wraps.gguf", "2^61+1 elements of 8 bytes: 8 bytes in 64 bits",
               kReject, {"array-count"}, "no tensors; 2^61+1 elements of u64 claimed, one there",
               [](Model& m) {
                 m.tensors.clear();
                 m.SetRaw("test.values", ValueType::kArray,
                          ArrayHead(10, (std::uint64_t{1} << 61) + 1, 8));
               }),
      FromBase(
          "invalid/array-count.strings.gguf", "2^63 strings, each at least its length of 8 bytes",
          kReject, {"array-count"}, "2^63 strings claimed, one there",
          [](Model& m) {
            m.SetRaw("test.values", ValueType::kArray, ArrayHead(8, std::uint64_t{1} << 63, 8));
          }),
      FromBase("valid/array-count.near-miss.gguf", "elements up to the last byte of the file",
               kAccept, {}, "no tensors; 8 elements of u8",
               [](Model& m) {
                 m.tensors.clear();
                 m.SetRaw("test.values", ValueType::kArray, ArrayHead(0, 8, 8));
               }),
      FromBase("invalid/bool-value.gguf",
               "a bool of 2: undefined as a C++ bool; llama.cpp loads it as true", kOnlyLlamaCpp,
               {"bool-value"}, "a bool byte 2",
               [](Model& m) { m.SetRaw("test.flag", ValueType::kBool, {2}); }),
      FromBase("invalid/bool-value.in-array.gguf", "the last of three bools in an array is 255",
               kOnlyLlamaCpp, {"bool-value"}, "an array of bools 0, 1, 255",
               [](Model& m) {
                 m.SetRaw("test.flags", ValueType::kArray,
                          Encoder(ByteOrder::kLittle)
                              .Put(std::uint32_t{7})
                              .Put(std::uint64_t{3})
                              .PutBytes(AsBytes("\0\1\xFF"sv))
                              .Take());
               }),
      FromBase("valid/bool-value.near-miss.gguf", "a bool of 1", kAccept, {}, "a bool byte 1",
               [](Model& m) { m.SetRaw("test.flag", ValueType::kBool, {1}); }),
      FromBase(
          "invalid/string-nul.gguf",
          "the type of the file ends in a NUL: a model to some readers, something else to others",
          kOnlySpec, {"string-nul"}, "`model` 00",
          [](Model& m) { m.Set("general.type", "model\0"s); }),
      FromBase("valid/string-nul.near-miss.gguf", "the same without it", kAccept, {}, "`model`",
               [](Model& m) { m.Set("general.type", "model"); }),
      FromBase("valid/string-nul.warned.gguf", "a NUL in a text that people read: reported",
               kAccept, {"string-nul"}, "`two` 00 `faced`",
               [](Model& m) { m.Set("general.name", "two\0faced"s); }),
      FromBase("valid/string-nul.token.warned.gguf", "a NUL in a token: reported", kAccept,
               {"string-nul"}, "tokens `caf`, `a` 00",
               [](Model& m) {
                 m.Set("tokenizer.ggml.tokens", std::vector<std::string>{"caf", "a\0"s});
               }),
      FromBase("valid/string-utf8.warned.gguf",
               "text in Latin-1 where UTF-8 is asked for: reported; llama.cpp loads",
               kOnlySpecRejects, {"string-utf8"}, "`caf` E9",
               [](Model& m) { m.Set("general.name", "caf\xE9"); }),
      FromBase(
          "valid/string-utf8.overlong.warned.gguf", "an overlong NUL, C0 80", kOnlySpecRejects,
          {"string-utf8"}, "an array of two strings, the second C0 80",
          [](Model& m) { m.Set("general.tags", std::vector<std::string>{"fine", "\xC0\x80"}); }),
      FromBase("valid/string-utf8.near-miss.gguf", "the same in UTF-8", kAccept, {}, "`caf` C3 A9",
               [](Model& m) { m.Set("general.name", "caf\xC3\xA9"); }),
      FromBase("valid/string-utf8.raw-token.gguf",
               "a token that is half a character: tokens may hold raw bytes, a note", kAccept, {},
               "tokens `caf`, C3",
               [](Model& m) {
                 m.Set("tokenizer.ggml.tokens", std::vector<std::string>{"caf", "\xC3"});
               }),
  };
}

Recipes AlignmentRecipes() {
  return {
      FromBase("invalid/alignment-type.gguf", "general.alignment as i32; llama.cpp refuses",
               kReject, {"alignment-type"}, "i32 32",
               [](Model& m) { m.Set("general.alignment", std::int32_t{32}); }),
      FromBase("invalid/alignment-type.u64.gguf", "general.alignment as u64", kReject,
               {"alignment-type"}, "u64 32",
               [](Model& m) { m.Set("general.alignment", std::uint64_t{32}); }),
      FromBase("invalid/alignment-type.array.gguf",
               "general.alignment as an array of one u32: its element type is right", kReject,
               {"alignment-type"}, "array of u32 [32]",
               [](Model& m) { m.Set("general.alignment", std::vector<std::uint32_t>{32}); }),
      FromBase("invalid/alignment-type.string.gguf", "general.alignment as a string", kReject,
               {"alignment-type"}, "string 32", [](Model& m) { m.Set("general.alignment", "32"); }),
      FromBase("valid/alignment-type.near-miss.gguf", "general.alignment as u32 32, the default",
               kAccept, {}, "u32 32", [](Model& m) { SetAlignment(m, 32); }),
      FromBase("invalid/alignment-value.gguf", "alignment 0: readers divide by it", kReject,
               {"alignment-value"}, "u32 0",
               [](Model& m) { m.Set("general.alignment", std::uint32_t{0}); }),
      FromBase("invalid/alignment-value.13.gguf", "alignment 13: no power of two, no multiple of 8",
               kReject, {"alignment-value"}, "u32 13, laid out for it",
               [](Model& m) { SetAlignment(m, 13); }),
      FromBase(
          "invalid/alignment-value.24.gguf",
          "alignment 24: a multiple of 8 as the specification asks, no power of two as llama.cpp "
          "demands",
          kOnlySpec, {"alignment-value"}, "u32 24, laid out for it",
          [](Model& m) { SetAlignment(m, 24); }),
      FromBase("valid/alignment-value.near-miss.gguf", "alignment 16, data on a multiple of 32",
               kAccept, {}, "u32 16, laid out for it",
               [](Model& m) {
                 SetAlignment(m, 16);
                 BeginDataAt(m);
               }),
      FromBase("invalid/alignment-large.gguf", "alignment 2 MiB; llama.cpp loads", kOnlyGateRejects,
               {"alignment-large"}, "u32 2^21, no tensors",
               [](Model& m) {
                 m.tensors.clear();
                 m.Set("general.alignment", std::uint32_t{1} << 21);
               }),
      FromBase("invalid/alignment-large.2-31.gguf",
               "alignment 2^31: negative to a signed int; llama.cpp loads", kOnlyGateRejects,
               {"alignment-large"}, "u32 2^31, no tensors",
               [](Model& m) {
                 m.tensors.clear();
                 m.Set("general.alignment", std::uint32_t{1} << 31);
               }),
      FromBase("valid/alignment-large.near-miss.gguf", "alignment 1 MiB", kAccept, {},
               "u32 2^20, no tensors",
               [](Model& m) {
                 m.tensors.clear();
                 m.Set("general.alignment", std::uint32_t{1} << 20);
               }),
      FromBase(
          "valid/alignment-small.warned.gguf",
          "alignment 1: a tensor of 3 bytes and one at the odd offset behind it; llama.cpp loads",
          kOnlySpecRejects, {"alignment-small"}, "u32 1, laid out for it, data at byte 192",
          [](Model& m) {
            m.tensors.clear();
            SetAlignment(m, 1);
            m.Add("odd", TensorType::kI8, {3}).data = {1, 2, 3};
            AddFloats(m, "unaligned", 2);
            BeginDataAt(m);
          }),
      FromBase("valid/alignment-small.4.warned.gguf", "alignment 4", kOnlySpecRejects,
               {"alignment-small"}, "u32 4, laid out for it, data on a multiple of 32",
               [](Model& m) {
                 SetAlignment(m, 4);
                 BeginDataAt(m);
               }),
      FromBase("invalid/alignment-small.gguf",
               "alignment 16, and the data begin 16 bytes past a multiple of 32: llama.cpp aborts",
               kOnlySpec, {"alignment-small"}, "u32 16, laid out for it, data 16 bytes past",
               [](Model& m) {
                 SetAlignment(m, 16);
                 BeginDataAt(m, 16);
               }),
      FromBase(
          "invalid/alignment-small.behind-repacked.gguf",
          "alignment 8: a matrix of Q4_0, which llama.cpp may copy elsewhere, on 32 and the tensor "
          "behind it not",
          kOnlySpec, {"alignment-small"}, "u32 8, Q4_0 [32, 4] and 8 F32 behind its 72 bytes",
          [](Model& m) {
            SetAlignment(m, 8);
            Claim(m, {32, 4}, TensorType::kQ4_0);
            m.tensors.front().data = FileBytes(72);
            AddFloats(m, "behind", 8);
            BeginDataAt(m);
          }),
      FromBase(
          "valid/alignment-small.near-miss.gguf",
          "alignment 8, the least that is good for the specification, data on a multiple of 32 and "
          "a second tensor off it",
          kAccept, {}, "u32 8, laid out for it, F32 [10] and F32 [8]",
          [](Model& m) {
            SetAlignment(m, 8);
            AddFloats(m, "first", 10);
            AddFloats(m, "second", 8);
            BeginDataAt(m);
          }),
  };
}

}  // namespace

Recipes MetadataRecipes() {
  Recipes all;
  for (const auto& part : {KeyRecipes(), ValueRecipes(), AlignmentRecipes()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace ggufgate::corpus
