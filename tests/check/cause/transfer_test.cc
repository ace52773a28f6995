// Files damaged by a text decoder or a transfer in text mode, and valid files that resemble them.

#include "check/cause/transfer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bytes/utf8.h"
#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

using Kind = Cause::Kind;
using File = std::vector<std::uint8_t>;
using Strings = std::vector<std::string>;

// GoodBytes is the number of bytes at the front of `rest` that can begin one well-formed character,
// and whether that is complete.
struct GoodBytes {
  std::size_t count;
  bool whole;
};

GoodBytes FrontOf(Bytes rest) {
  for (std::size_t size = 1; size <= 4 && size <= rest.size(); ++size) {
    if (IsUtf8(rest.first(size))) return {size, true};
  }
  // The longest beginning of a character: further bytes could make it valid.
  for (std::size_t size = std::min<std::size_t>(rest.size(), 3); size > 1; --size) {
    File begun(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(size));
    for (std::size_t more = 0; more < 3; ++more) {
      begun.push_back(0x80);
      if (IsUtf8(begun)) return {size, false};
      begun.back() = 0xBF;
      if (IsUtf8(begun)) return {size, false};
    }
  }
  return {1, false};
}

// Lossy decodes a file as UTF-8, replaces invalid sequences with U+FFFD, and encodes it again, as
// Python's errors="replace" and JavaScript's TextDecoder do.
File Lossy(const File& file, std::uint64_t* replaced = nullptr) {
  File out;
  for (Bytes rest = file; !rest.empty();) {
    const GoodBytes front = FrontOf(rest);
    if (front.whole) {
      out.insert(out.end(), rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(front.count));
    } else {
      out.insert(out.end(), {0xEF, 0xBF, 0xBD});
      if (replaced != nullptr) ++*replaced;
    }
    rest = rest.subspan(front.count);
  }
  return out;
}

// TextMode writes a carriage return before each line feed.
File TextMode(const File& file) {
  File out;
  for (const std::uint8_t byte : file) {
    if (byte == '\n') out.push_back('\r');
    out.push_back(byte);
  }
  return out;
}

// A realistic model: floats in the metadata, a vocabulary with scores, a template, weights.
Model Realistic() {
  Model model;
  model.Set(kArchitectureKey, "llama").Set("general.name", "caf\xC3\xA9");
  model.Set("llama.context_length", std::uint32_t{131'072});
  model.Set("llama.attention.layer_norm_rms_epsilon", 1e-5F);
  model.Set("llama.rope.freq_base", 500'000.0F);
  Strings tokens;
  std::vector<float> scores;
  for (int i = 0; i < 300; ++i) {
    tokens.push_back(std::to_string(i) + "\xE2\x96\x81");
    scores.push_back(-static_cast<float>(i) / 3);
  }
  model.Set("tokenizer.ggml.tokens", tokens).Set("tokenizer.ggml.scores", scores);
  std::string text;
  for (int i = 0; i < 20; ++i) text += "{{ line }}\n";
  model.Set("tokenizer.chat_template", text);
  model.Add("token_embd.weight", TensorType::kF32, {64});
  Encoder weights(ByteOrder::kLittle);
  for (int i = 0; i < 64; ++i) weights.Put(static_cast<float>(i) * -0.37F);
  model.tensors[0].data = weights.Take();
  return model;
}

// A vocabulary with U+FFFD, and no byte above 0x7F outside strings: the whole file is UTF-8.
Model WithReplacementTokens() {
  Model model;
  model.Set(kArchitectureKey, "test");
  model.Set("tokenizer.ggml.tokens",
            Strings{"a", "\xEF\xBF\xBD", "\xEF\xBF\xBD\xEF\xBF\xBD", "\xEF\xBF\xBDx", "b"});
  model.Set("general.name", "\xEF\xBF\xBD");
  model.Set("k.b", std::uint32_t{7});
  return model;
}

TEST(TextDecoder, FirstOfAllTheModelsAreSound) {
  EXPECT_TRUE(Judge(Realistic()).Accepted());
  EXPECT_TRUE(Judge(WithReplacementTokens()).Accepted());
}

TEST(TextDecoder, IsRecognised) {
  std::uint64_t replaced = 0;
  const Judged judged = Judge(Lossy(Write(Realistic()), &replaced));
  ASSERT_GT(replaced, 100U);
  EXPECT_FALSE(judged.Accepted());
  const Cause cause = FirstCause(judged);
  EXPECT_EQ(cause.kind, Kind::kUtf8Replaced);
  EXPECT_EQ(cause.a, replaced);
}

// For any number that is damaged first.
TEST(TextDecoder, IsRecognisedWhereverItBegins) {
  for (const char* dropped : {"llama.attention.layer_norm_rms_epsilon", "llama.rope.freq_base"}) {
    Model model = Realistic();
    std::erase_if(model.metadata, [&](const Model::Entry& entry) { return entry.key == dropped; });
    EXPECT_EQ(FirstCause(Judge(Lossy(Write(model)))).kind, Kind::kUtf8Replaced) << dropped;
  }
  Model model;  // a length is damaged first
  model.Set("tokenizer.chat_template", std::string(200, 'x')).Set("k.b", -1e30F).Set("k.c", -1.0);
  EXPECT_EQ(FirstCause(Judge(Lossy(Write(model)))).kind, Kind::kUtf8Replaced);
  model = Model();  // a token of raw bytes is damaged first
  model.Set("tokenizer.ggml.tokens", Strings{"\xE4", "\xBD", "\xA0", "\xFF"}).Set("k.b", 1e-5F);
  EXPECT_EQ(FirstCause(Judge(Lossy(Write(model)))).kind, Kind::kUtf8Replaced);
}

// The parser did not stop at the number that was damaged first.
TEST(TextDecoder, IsRecognisedThoughReadingWentOn) {
  Model model;
  model.Set("k.b", -0.5F);  // 00 00 00 BF: two more bytes, which become part of a length
  model.Set("k.c", std::vector<float>(10, -0.5F));
  model.Add("weight", TensorType::kI8, {1U << 20});
  Judged judged = Judge(Lossy(Write(model)));
  EXPECT_FALSE(judged.Accepted());
  EXPECT_EQ(FirstCause(judged).kind, Kind::kUtf8Replaced);
  EXPECT_GT(judged.parsed.document.metadata.size(), 1U);

  model = Model();
  model.Add("weight", TensorType::kI8, {128, 1});
  model.tensors[0].dims = {128, 128, 128, 128};
  judged = Judge(Lossy(Write(model)));
  EXPECT_FALSE(judged.parsed.document.fault);
  EXPECT_EQ(FirstCause(judged).kind, Kind::kUtf8Replaced);
}

TEST(TextDecoder, NotWhereTheFileIsNotAllUtf8) {
  File file = Lossy(Write(Realistic()));
  file.back() = 0xC3;
  EXPECT_FALSE(Judge(file).Accepted());
  EXPECT_EQ(FirstCause(Judge(file)).kind, Kind::kUtf8Replaced);  // the end may cut a character
  file.push_back('x');
  file.resize(file.size() + 8, 'x');
  EXPECT_NE(FirstCause(Judge(file)).kind, Kind::kUtf8Replaced);

  Model model = Realistic();  // valid except for one lie, and full of U+FFFD
  model.Set("tokenizer.ggml.added_tokens", Strings(100, "\xEF\xBF\xBD"));
  model.tensors[0].type_id = 60;
  EXPECT_EQ(FirstCause(Judge(model)).kind, Kind::kUnknownType);
  model.tensors[0].type_id = 0;
  model.tensors[0].offset = 32;
  EXPECT_NE(FirstCause(Judge(model)).kind, Kind::kUtf8Replaced);
}

TEST(TextDecoder, NotForAVocabularyWithReplacementCharacters) {
  ASSERT_TRUE(IsUtf8(Write(WithReplacementTokens())));
  const auto expect_other = [](const Model& model) {
    const File file = Write(model);
    ASSERT_TRUE(IsUtf8(file));
    const Judged judged = Judge(file);
    EXPECT_FALSE(judged.Accepted());
    EXPECT_NE(FirstCause(judged).kind, Kind::kUtf8Replaced);
  };
  Model behind = WithReplacementTokens();
  behind.metadata[3].type = 13;
  expect_other(behind);
  Model before = WithReplacementTokens();
  before.metadata[0].type = 13;
  expect_other(before);
  Model count = WithReplacementTokens();
  count.claimed_metadata_count = 5;
  expect_other(count);
  Model one_token_more = WithReplacementTokens();
  one_token_more.metadata[1].payload[4] = 6;
  expect_other(one_token_more);
  Model twice = WithReplacementTokens();
  twice.metadata[3].key = "general.name";
  expect_other(twice);
}

TEST(TextDecoder, NotForThreeReplacements) {
  Model model;
  model.Set("k.b", std::uint32_t{0x80808000}).Set("k.c", std::uint32_t{1});
  const auto cause = [&] { return FirstCause(Judge(Lossy(Write(model)))).kind; };
  EXPECT_NE(cause(), Kind::kUtf8Replaced);
  model.Set("k.b", std::uint32_t{0x80808080});
  EXPECT_EQ(cause(), Kind::kUtf8Replaced);
}

// Three U+FFFD in a text, and one elsewhere. Its place distinguishes a decoder's damage from a text
// with that character.
Kind DecoderCause(Model model) {
  model.Set("general.name", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  const Judged judged = Judge(model);
  EXPECT_FALSE(judged.parsed.document.fault);
  return ThroughTextDecoder(judged.parsed.document, judged.parsed.document.prefix).kind;
}

TEST(TextDecoder, LeavesItsTraceInAnyNumber) {
  constexpr std::uint32_t kReplaced = 0x00BD'BFEF;
  const std::string long_name(0xBD, 'n');  // its length completes the sequence that EF BF begins
  EXPECT_EQ(DecoderCause(Model().Set("k.a", kReplaced)), Kind::kUtf8Replaced);
  EXPECT_EQ(DecoderCause(Model().Set("k.a", std::uint32_t{0x00BE'BFEF})), Kind::kNone);

  using Numbers = std::vector<std::uint32_t>;
  EXPECT_EQ(DecoderCause(Model().Set("k.a", Numbers{1, kReplaced, 2})), Kind::kUtf8Replaced);
  EXPECT_EQ(DecoderCause(Model().Set("k.a", Numbers{1, 2})), Kind::kNone);

  // The length of a text, of a text in an array, of a key, of a tensor's name.
  EXPECT_EQ(DecoderCause(Model().Set("k.a", std::string(kReplaced, 'x'))), Kind::kUtf8Replaced);
  EXPECT_EQ(DecoderCause(Model().Set("k.a", std::string(1000, 'x'))), Kind::kNone);
  EXPECT_EQ(DecoderCause(Model().Set("k.a", Strings{"\xEF\xBF", long_name})), Kind::kUtf8Replaced);
  EXPECT_EQ(DecoderCause(Model().Set("k.a", Strings{"\xEF\xBF\xBD", "n"})), Kind::kNone);
  EXPECT_EQ(DecoderCause(Model().Set("k.a", "\xEF\xBF").Set(long_name, std::uint8_t{1})),
            Kind::kUtf8Replaced);
  EXPECT_EQ(DecoderCause(Model().Set("k.a", "\xEF\xBF\xBD").Set("k.b", std::uint8_t{1})),
            Kind::kNone);
  Model model;
  model.Set("general.name", "").Set("k.a", "\xEF\xBF");
  model.Add(long_name, TensorType::kI8, {1});
  EXPECT_EQ(DecoderCause(model), Kind::kUtf8Replaced);
  model.tensors[0].name = "n";
  model.Set("k.a", "\xEF\xBF\xBD");
  EXPECT_EQ(DecoderCause(model), Kind::kNone);
  model.tensors[0].dims = {kReplaced};
  model.tensors[0].data.resize(kReplaced);
  EXPECT_EQ(DecoderCause(model), Kind::kUtf8Replaced);
}

TEST(TextMode, IsRecognised) {
  const File file = Write(Realistic());
  const auto feeds = static_cast<std::uint64_t>(std::ranges::count(file, '\n'));
  ASSERT_GE(feeds, 20U);
  const Judged judged = Judge(TextMode(file));
  EXPECT_FALSE(judged.Accepted());
  EXPECT_EQ(FirstCause(judged).kind, Kind::kCrLf);
  EXPECT_EQ(FirstCause(judged).a, feeds);
}

// The vocabulary alone is longer than the part that was read.
TEST(TextMode, IsRecognisedInAPrefix) {
  Model model = Realistic();
  model.Set("tokenizer.ggml.tokens", Strings(5000, "ten bytes."));
  const File file = TextMode(Write(model));
  const Limits limits;
  const ParseResult parsed = Parse(Bytes(file).first(4000), file.size(), limits);
  ASSERT_FALSE(parsed.NeedsMore());
  EXPECT_EQ(ThroughTextMode(parsed.document, limits).kind, Kind::kCrLf);
}

TEST(TextMode, NotWithALineFeedAlone) {
  File file = TextMode(Write(Realistic()));
  file.back() = '\n';
  EXPECT_FALSE(Judge(file).Accepted());
  EXPECT_NE(FirstCause(Judge(file)).kind, Kind::kCrLf);
}

// An unprintable name counts as a sign of wrong offsets, even if it is in the original file.
TEST(TextMode, NotWhereReadingGetsToNoMoreNames) {
  for (const char* name : {"\x1F", "\x7F", "\xC3\xA9", ""}) {
    Model model = Realistic();
    model.metadata[0].key = name;
    EXPECT_NE(FirstCause(Judge(TextMode(Write(model)))).kind, Kind::kCrLf) << name;
    model.metadata[0].key = "~ ";
    EXPECT_EQ(FirstCause(Judge(TextMode(Write(model)))).kind, Kind::kCrLf);
  }
}

TEST(TextMode, NotForFewLineFeeds) {
  Model model;
  model.Set(kKey, std::string(15, '\n')).Set("k.b", std::uint32_t{1});
  EXPECT_NE(FirstCause(Judge(TextMode(Write(model)))).kind, Kind::kCrLf);
  model.Set(kKey, std::string(16, '\n'));
  EXPECT_EQ(FirstCause(Judge(TextMode(Write(model)))).kind, Kind::kCrLf);
}

// A template with Windows line ends in a file without other line feeds, and a lie.
TEST(TextMode, NotForATemplateWithCarriageReturns) {
  Model sound;
  std::string text;
  for (int i = 0; i < 40; ++i) text += "{{ line }}\r\n";
  sound.Set("general.name", "x").Set("tokenizer.chat_template", text).Set("k.b", std::uint32_t{1});
  sound.Add("weight", TensorType::kF32, {8});
  EXPECT_TRUE(Judge(sound).Accepted());
  const auto expect_other = [](const Model& model) {
    const Judged judged = Judge(model);
    EXPECT_FALSE(judged.Accepted());
    EXPECT_NE(FirstCause(judged).kind, Kind::kCrLf);
  };
  for (const std::size_t entry : {0U, 1U, 2U}) {
    Model model = sound;
    model.metadata[entry].type = 13;
    expect_other(model);
    model = sound;
    model.metadata[entry].claimed_key_length = 100;
    expect_other(model);
  }
  Model model = sound;
  model.tensors[0].claimed_dimension_count = 6;
  expect_other(model);
  model = sound;
  model.tensors[0].offset = 32;
  expect_other(model);
  model = sound;
  model.claimed_metadata_count = 4;
  expect_other(model);
}

// Removing the carriage returns of the template shifts the rest. The prefix then ends in an
// apparent long key, which does not count as further progress.
TEST(TextMode, NotForATemplateWithCarriageReturnsInAPrefix) {
  Model model;
  std::string text;
  for (int i = 0; i < 43; ++i) text += "{{ line }}\r\n";
  model.Set("tokenizer.chat_template", text);
  model.Set("k.b", std::vector<std::uint64_t>(100, 1U << 20));  // 43 bytes later: a length of 1 MiB
  model.metadata[1].payload[0] = 13;
  model.trailing.assign(1U << 21, 0);
  const File file = Write(model);
  const Limits limits;
  const ParseResult parsed = Parse(Bytes(file).first(2000), file.size(), limits);
  ASSERT_FALSE(parsed.NeedsMore());
  EXPECT_EQ(ThroughTextMode(parsed.document, limits).kind, Kind::kNone);
}

}  // namespace
}  // namespace ggufgate::testing
