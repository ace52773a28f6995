// Lies about vocabularies that load, and that texts are the end of.

#include <algorithm>
#include <array>

#include "mutate/compose.h"
#include "mutate/lie_context.h"
#include "mutate/mutations.h"

namespace ggufgate::mutate {
namespace {

constexpr std::uint64_t kRoom = 1536;

constexpr std::string_view kModel = "tokenizer.ggml.model";
constexpr std::string_view kTokens = "tokenizer.ggml.tokens";
constexpr std::string_view kCharsMap = "tokenizer.ggml.precompiled_charsmap";
constexpr std::string_view kPretokenizer = "tokenizer.ggml.pre";

using Four = std::array<std::string_view, 4>;

// SetVocabulary makes the tokenizer one of this model with four tokens, and nothing else.
bool SetVocabulary(Bench& bench, std::string_view model, const Four& tokens) {
  DropKeys(bench.draft, "tokenizer.ggml.");
  std::size_t i = 0;
  return AddEntry(bench.draft, TextEntry(bench.scratch, kModel, model)) &&
         AddEntry(bench.draft, TextArrayEntry(bench.scratch, kTokens, tokens.size(), 16,
                                              [&] { return tokens.at(i++); }));
}

bool SetId(Bench& bench, std::string_view key, std::uint32_t id) {
  return SetEntry(bench.draft, NumberEntry(bench.scratch, key, id));
}

}  // namespace

bool LieTokenTwice(Bench& bench) {
  constexpr std::array<std::string_view, 3> kModels = {"t5", "plamo2", "test"};
  constexpr std::array<Four, 3> kTwice = {
      {{"a", "b", "c", "a"}, {"</s>", "</s>", "b", "c"}, {"", "[EMPTY_0]", "a", "b"}}};
  if (!MakeRoom(bench, kRoom)) return false;
  const std::string_view model = bench.random.Pick(kModels);
  return SetVocabulary(bench, model, bench.random.Pick(kTwice)) &&
         Tell(bench, kTokens, Part::kValue);
}

bool LieFirstBytes(Bench& bench) {
  constexpr std::array<Four, 4> kEndless = {{{"a", "b", "ab", "cd"},
                                             {"\\x61b", "\\xff", "\\n", "b"},
                                             {"\\r\\n", "\\n", "\\t", "a"},
                                             {"\\\\x", "x", "61", "6"}}};
  if (!MakeRoom(bench, kRoom)) return false;
  return SetVocabulary(bench, "rwkv", bench.random.Pick(kEndless)) &&
         SetId(bench, "tokenizer.ggml.unknown_token_id", 0) && Tell(bench, kTokens, Part::kValue);
}

bool LieTokenUtf8(Bench& bench) {
  constexpr std::array<std::string_view, 6> kWrong = {"\x80",     "a\xFF",        "\xC3(",
                                                      "\xE6\x97", "\xE0\x82\x80", "\xC0\x80"};
  if (!MakeRoom(bench, kRoom)) return false;
  return SetVocabulary(bench, "plamo2", {"a", "b", "c", bench.random.Pick(kWrong)}) &&
         Tell(bench, kTokens, Part::kValue);
}

bool LieSpecialTokens(Bench& bench) {
  if (!MakeRoom(bench, kRoom)) return false;
  return SetVocabulary(bench, "bert", {"[PAD]", "[UNK]", "[CLS]", "[SEP]"}) &&
         Tell(bench, kTokens, Part::kCount);
}

bool LieTokenCost(Bench& bench) {
  constexpr std::uint64_t kLongest = 900;
  if (!MakeRoom(bench, kRoom + 4 * kLongest)) return false;
  const std::uint64_t size = bench.random.Between(500, kLongest);  // 500 cubed is over the limit
  const MutableBytes text = bench.scratch.Take(size);
  if (text.empty()) return false;
  std::ranges::fill(text, static_cast<std::uint8_t>(bench.random.Between('a', 'z')));
  DropKeys(bench.draft, "tokenizer.ggml.");
  std::size_t i = 0;
  constexpr Four kOthers = {"a", "b", "c", ""};
  const auto next = [&] { return i < 3 ? kOthers.at(i++) : AsText(text); };
  return AddEntry(bench.draft, TextEntry(bench.scratch, kModel, "plamo2")) &&
         AddEntry(bench.draft, TextArrayEntry(bench.scratch, kTokens, 4, size, next)) &&
         Tell(bench, kTokens, Part::kValue);
}

bool LieVocabularyClaimed(Bench& bench) {
  constexpr std::array<std::string_view, 2> kModels = {"none", "no_vocab"};
  constexpr std::array<std::uint32_t, 4> kSizes = {2'000'001, 2'020'000, 2'040'000, 2'050'000};
  if (!MakeRoom(bench, kRoom)) return false;
  const auto any = [](const ArchitectureInfo& /*info*/) { return true; };
  const auto architecture = SomeArchitecture(bench, any);
  if (!architecture) return false;
  DropKeys(bench.draft, "tokenizer.ggml.");
  const std::string_view key = KeyFor(bench, *architecture, "vocab_size");
  return AddEntry(bench.draft, TextEntry(bench.scratch, kModel, bench.random.Pick(kModels))) &&
         SetEntry(bench.draft, NumberEntry(bench.scratch, key, bench.random.Pick(kSizes))) &&
         Tell(bench, key, Part::kValue);
}

bool LieCharsMapWalk(Bench& bench) {
  if (!MakeRoom(bench, kRoom)) return false;
  DropKeys(bench.draft, "tokenizer.ggml.");
  if (!AddEntry(bench.draft, TextEntry(bench.scratch, kModel, "t5"))) return false;
  // A trie of zeros, too small for the first letter; or one whose root's base is behind its end.
  const bool small = bench.random.OneIn(2);
  const std::uint64_t trie = small ? 4 * bench.random.Between(1, 255) : 1024;
  constexpr std::uint8_t kBeyond = 0x04;  // the root's number is 0x4'0000: base 256
  std::uint64_t i = 0;
  const auto next = [&]() -> std::uint8_t {
    const std::uint64_t at = i++;
    if (at < 4) return static_cast<std::uint8_t>(trie >> (8 * at));
    return !small && at == 6 ? kBeyond : std::uint8_t{0};
  };
  return AddEntry(bench.draft,
                  ArrayEntry<std::uint8_t>(bench.scratch, kCharsMap, 4 + trie + 1, next)) &&
         Tell(bench, kCharsMap, Part::kValue);
}

bool LieBlanksLeft(Bench& bench) {
  constexpr std::array<std::string_view, 2> kModels = {"gpt2", "hybriddna"};
  if (!MakeRoom(bench, kRoom)) return false;
  const std::string_view model = bench.random.Pick(kModels);
  return SetVocabulary(bench, model, {"a", "b", "ab", "c"}) &&
         AddEntry(bench.draft, TextEntry(bench.scratch, kPretokenizer, "whitespace")) &&
         SetId(bench, "tokenizer.ggml.bos_token_id", 0) &&
         SetId(bench, "tokenizer.ggml.eos_token_id", 1) && Tell(bench, kPretokenizer, Part::kValue);
}

}  // namespace ggufgate::mutate
