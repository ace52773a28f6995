// Names, types and gaps that other readers interpret differently.

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

using namespace std::string_view_literals;

Recipes KeyRecipes() {
  return {
      FromBase("invalid/key-prototype.gguf",
               "a chat template that only a reader sees which makes objects of segments",
               kOnlyGateRejects, {"key-prototype"},
               "`tokenizer.__proto__.chat_template` as a string",
               [](Model& m) { m.Set("tokenizer.__proto__.chat_template", "{{ messages }}"); }),
      FromBase("invalid/key-prototype.constructor.gguf", "the same by another way",
               kOnlyGateRejects, {"key-prototype"}, "`constructor.prototype.note` = 1",
               [](Model& m) { Append(m, "constructor.prototype.note", 1); }),
      FromBase("valid/key-prototype.near-miss.gguf", "segments that hold such a name and more",
               kAccept, {}, "`user.__proto__s`, `prototypes`",
               [](Model& m) {
                 Append(m, "user.__proto__s", 1);
                 Append(m, "prototypes", 1);
               }),
      FromBase("valid/key-reader-field.gguf-py.warned.gguf",
               "a key that gguf-py keeps for the header", kOnlySpecRejects, {"key-reader-field"},
               "`GGUF.version` as u32 3",
               [](Model& m) { m.Set("GGUF.version", std::uint32_t{3}); }),
      FromBase("valid/key-alike.warned.gguf", "keys that differ in case alone", kOnlySpecRejects,
               {"key-alike"}, "`test.value`, `test.Value`",
               [](Model& m) {
                 Append(m, "test.value", 1);
                 Append(m, "test.Value", 2);
               }),
      FromBase("valid/key-alike.space.warned.gguf", "a key with a space behind it",
               kOnlySpecRejects, {"key-alike"}, "`test.value`, `test.value `",
               [](Model& m) {
                 Append(m, "test.value", 1);
                 Append(m, "test.value ", 2);
               }),
      FromBase("valid/key-alike.near-miss.gguf",
               "a key with a capital and a space, and none like it", kOnlySpecRejects, {},
               "`test.value`, `test.Values `",
               [](Model& m) {
                 Append(m, "test.value", 1);
                 Append(m, "test.Values ", 2);
               }),
  };
}

// TwoNames returns a file of two tensors.
Recipe TwoNames(const std::string& variant, std::string shows, std::vector<std::string> rules,
                std::string recipe, std::string_view first, std::string_view second) {
  return FromBase("valid/tensor-name-alike." + variant + ".gguf", std::move(shows), kAccept,
                  std::move(rules), std::move(recipe), [first, second](Model& m) {
                    m.tensors.front().name = first;
                    AddFloats(m, second, 8);
                  });
}

Recipes NameRecipes() {
  return {
      FromBase("valid/string-bom.warned.gguf",
               "an architecture behind a byte order mark: another to @huggingface/gguf",
               kOnlyLlamaCppRejects, {"architecture-unknown", "string-bom"}, "EF BB BF `llama`",
               [](Model& m) { m.Set("general.architecture", "\xEF\xBB\xBFllama"); }),
      FromBase("valid/string-bom.near-miss.gguf", "a byte order mark behind a letter", kAccept, {},
               "`general.name`: `a` EF BB BF",
               [](Model& m) { m.Set("general.name", "a\xEF\xBB\xBF"); }),
      FromBase("valid/key-nested.noted.gguf",
               "a key below one that has a value: elsewhere to a reader", kAccept, {},
               "`some.key` and `some.key.below`",
               [](Model& m) { m.Set("some.key", "a").Set("some.key.below", "b"); }),
      FromBase("valid/key-nested.near-miss.gguf", "a key that only begins like another", kAccept,
               {}, "`some.key` and `some.keys`",
               [](Model& m) { m.Set("some.key", "a").Set("some.keys", "b"); }),
      FromBase(
          "invalid/tensor-name-invisible.gguf",
          "a byte order mark in front of a name that stands in the file too: one reader strips it",
          kOnlyGateRejects, {"tensor-name-invisible"}, "`weight`, EF BB BF `weight`",
          [](Model& m) { AddFloats(m, "\xEF\xBB\xBFweight", 8); }),
      FromBase("invalid/tensor-name-invisible.joiner.gguf", "a zero-width joiner within a name",
               kOnlyGateRejects, {"tensor-name-invisible"}, "`wei` E2 80 8D `ght`",
               [](Model& m) { m.tensors.front().name = "wei\xE2\x80\x8Dght"; }),
      FromBase("valid/tensor-name-invisible.near-miss.gguf",
               "a hyphen and a point that are seen, next to characters that are not", kAccept, {},
               "`weight` E2 80 90 E2 80 A7",
               [](Model& m) { m.tensors.front().name = "weight\xE2\x80\x90\xE2\x80\xA7"; }),
      TwoNames("case.warned", "names that differ in case alone", {"tensor-name-alike"},
               "`weight`, `Weight`", "weight", "Weight"),
      TwoNames("form.warned", "a letter with its accent, and the letter and the accent",
               {"tensor-name-alike"}, "`caf` C3 A9, `cafe` CC 81", "caf\xC3\xA9", "cafe\xCC\x81"),
      TwoNames("wide.warned", "the same in letters of full width", {"tensor-name-alike"},
               "`wk`, EF BD 97 EF BD 8B", "wk", "\xEF\xBD\x97\xEF\xBD\x8B"),
      TwoNames("near-miss", "a capital with an accent, and the letter without", {},
               "`caf` C3 89, `cafe`", "caf\xC3\x89", "cafe"),
  };
}

Recipe OneBlock(std::string file, std::string shows, std::vector<std::string> rules,
                TensorType type) {
  return FromBase(std::move(file), std::move(shows), kAccept, std::move(rules), "one block",
                  [type](Model& m) {
                    m.Set("general.quantization_version", std::uint32_t{2});
                    m.Add("block", type, {32});
                  });
}

Recipes SizeRecipes() {
  return {
      OneBlock("valid/tensor-type-disputed.warned.gguf",
               "Q8_1: blocks of 36 bytes to some readers, of 40 to others",
               {"tensor-type-disputed"}, TensorType::kQ8_1),
      OneBlock("valid/tensor-type-disputed.near-miss.gguf", "Q8_0: of one size to all", {},
               TensorType::kQ8_0),
      FromBase("valid/alignment-unusual.noted.gguf",
               "alignment 64: readers that know 32 alone go wrong", kAccept, {},
               "u32 64, laid out for it", [](Model& m) { SetAlignment(m, 64); }),
      FromBase("valid/alignment-unusual.near-miss.gguf", "the default, stated", kAccept, {},
               "u32 32, laid out for it", [](Model& m) { SetAlignment(m, 32); }),
  };
}

// A zip archive of one empty file `a`, and the position where it is split.
constexpr std::string_view kZipFile =
    "PK\x03\x04\x14\0\0\0\0\0\0\0!\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0a"sv;
constexpr std::string_view kZipDirectory =
    "PK\x01\x02\x14\0\x14\0\0\0\0\0\0\0!\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0"
    "\0\0\0\0\0\0\0\0a"sv;
constexpr std::string_view kZipEnd = "PK\x05\x06\0\0\0\0\x01\0\x01\0/\0\0\0\x1F\0\0\0\0\0"sv;
// `os.system("id")`.
constexpr std::string_view kPickle =
    "\x80\x02"
    "cos\nsystem\nq\0X\x02\0\0\0idq\1\x85q\2Rq\3."sv;

// Behind appends texts to the model.
Recipe Behind(std::string file, std::string shows, std::vector<std::string> rules,
              std::string recipe, std::vector<std::string_view> texts) {
  return FromBase(std::move(file), std::move(shows), kAccept, std::move(rules), std::move(recipe),
                  [all = std::move(texts)](Model& m) {
                    for (const std::string_view text : all) {
                      m.trailing.insert(m.trailing.end(), text.begin(), text.end());
                    }
                  });
}

// WithData fills the first tensor with a text, and zeros.
Recipe WithData(std::string file, std::string shows, std::vector<std::string> rules,
                std::string recipe, std::string_view text) {
  return FromBase(std::move(file), std::move(shows), kAccept, std::move(rules), std::move(recipe),
                  [text](Model& m) {
                    Claim(m, {text.size() + 32}, TensorType::kI8);
                    m.tensors.front().data.assign(text.begin(), text.end());
                    m.tensors.front().data.resize(text.size() + 32);
                  });
}

Recipes InsideRecipes() {
  const std::vector<std::string> both = {"foreign-file-inside", "trailing-bytes"};
  return {
      Behind("valid/foreign-file-inside.warned.gguf",
             "a zip archive behind the model: `unzip` reads the file as one", both,
             "an archive of one empty file", {kZipFile, kZipDirectory, kZipEnd}),
      Behind("valid/foreign-file-inside.near-miss.gguf",
             "the same archive with a method of compression that there is not, and without its end",
             {"trailing-bytes"}, "the header of its file, method 0x2100",
             {"PK\x03\x04\x14\0\0\0\0!\0\0!\0\0\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0a"sv}),
      WithData("valid/foreign-file-inside.pickle.warned.gguf",
               "weights that begin with a pickle which calls a function", {"foreign-file-inside"},
               "protocol 2, GLOBAL `os system`", kPickle),
      WithData("valid/foreign-file-inside.pickle.near-miss.gguf",
               "the same bytes with a protocol that there is not", {}, "protocol 9",
               "\x80\x09"
               "cos\nsystem\nq\0."sv),
  };
}

}  // namespace

Recipes OtherReaderRecipes() {
  Recipes all;
  for (const auto& part : {KeyRecipes(), NameRecipes(), SizeRecipes(), InsideRecipes()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace ggufgate::corpus
