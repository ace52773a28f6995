// Chat templates of all that the language has: every word is used, most are well formed, and they
// take no more room than they may.

#include "mutate/build/template_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "mutate/build/compose.h"
#include "mutate/build/template_words.h"
#include "tests/mutate/edits/edited.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kLongest = 1024;

std::size_t TimesIn(std::string_view text, std::string_view word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++count;
  return count;
}

TEST(TemplateText, UsesEveryWord) {
  Workshop workshop(41, std::size_t{1} << 14);
  std::string all;
  for (int i = 0; i < 20'000; ++i) all += std::string(TemplateText(workshop.Fresh())) += '\n';
  const auto expect_parts = [&](std::string_view line) {
    while (!line.empty()) {
      const std::size_t end = std::min(line.find_first_of("$@"), line.size());
      EXPECT_NE(all.find(line.substr(0, end)), all.npos) << line;
      line.remove_prefix(std::min(end + 1, line.size()));
    }
  };
  for (const auto& [open, close] : jinja::kStatements) {
    expect_parts(open);
    expect_parts(close);
  }
  for (const std::string_view line : jinja::kTexts) expect_parts(line);
  for (const std::string_view line : jinja::kNames) expect_parts(line);
  for (const std::string_view line : jinja::kNumbers) expect_parts(line);
  for (const std::string_view line : jinja::kPieces) expect_parts(line);
  for (const std::string_view line : jinja::kOperators) expect_parts(line);
  for (const std::string_view line : jinja::kPrefixes) expect_parts(line);
  for (const std::string_view line : jinja::kSuffixes) expect_parts(line);
  for (const std::string_view line : jinja::kCalls) expect_parts(line);
}

TEST(TemplateText, ClosesMostOfWhatItOpens) {
  Workshop workshop(42, std::size_t{1} << 14);
  constexpr int kTexts = 2000;
  int closed = 0, open = 0;
  for (int i = 0; i < kTexts; ++i) {
    const std::string_view text = TemplateText(workshop.Fresh());
    EXPECT_LE(text.size(), kLongest);
    const bool blocks =
        TimesIn(text, "{% for ") + TimesIn(text, "{%- for ") == TimesIn(text, " endfor ");
    const bool tags = TimesIn(text, "{%") == TimesIn(text, "%}");
    (blocks && tags ? closed : open) += 1;
  }
  EXPECT_GT(closed, kTexts * 8 / 10);
  EXPECT_GT(open, 0);
}

TEST(TemplateText, ComesFromTheSeedAlone) {
  Workshop one(43, std::size_t{1} << 14);
  Workshop other(43, std::size_t{1} << 14);
  std::string before;
  for (int i = 0; i < 100; ++i) {
    const std::string text(TemplateText(one.Fresh()));
    EXPECT_EQ(TemplateText(other.Fresh()), text);
    before += text;
  }
  EXPECT_GT(before.size(), 5000U);
}

TEST(TemplateText, KeepsToTheRoomThereIs) {
  Workshop small(44, 300);
  for (int i = 0; i < 200; ++i) EXPECT_LE(TemplateText(small.Fresh()).size(), 150U);
  MutationContext& context = small.Fresh();
  (void)context.arena.Take(context.arena.Left());
  EXPECT_TRUE(TemplateText(context).empty());
}

using TemplateTextEdit = EditTest;

TEST_F(TemplateTextEdit, SetsAChatTemplateAndNothingElse) {
  std::set<std::string, std::less<>> keys;
  Edit("cross-template-text", 100, [&](MutationContext& context) {
    EXPECT_TRUE(ChangedAmong(tensors, context.draft.tensors).empty());
    ASSERT_EQ(context.draft.entries.size(), kSoundEntries + 1);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      EXPECT_TRUE(Same(context.draft.entries[i], entries[i]));
    }
    const Entry& added = context.draft.entries[kSoundEntries];
    EXPECT_FALSE(TextOf(added).value_or("").empty());
    keys.emplace(added.key);
  });
  EXPECT_THAT(
      keys, ::testing::ElementsAre("tokenizer.chat_template", "tokenizer.chat_template.tool_use"));
  MutationContext& context = Fresh();
  UseUp(context);
  ExpectRefusal(context, {"cross-template-text"});
}

// PutTemplate adds a chat template to the sound records.
constexpr std::string_view kBefore = "{% for m in messages %}{{ m.content }}{% endfor %} and so on";
void PutTemplate(MutationContext& context) {
  context.draft.entries.Add(TextEntry(context.arena, "tokenizer.chat_template", kBefore));
}

TEST_F(TemplateTextEdit, PutsAPartInOrInThePlaceOfAtMost32Bytes) {
  std::set<std::size_t> begins, cuts;
  for (int i = 0; i < 2000; ++i) {
    MutationContext& context = Fresh();
    PutTemplate(context);
    ASSERT_TRUE(Apply(context, "cross-template-part"));
    ASSERT_EQ(context.draft.entries.size(), kSoundEntries + 1);
    for (std::size_t at = 0; at < entries.size(); ++at) {
      EXPECT_TRUE(Same(context.draft.entries[at], entries[at]));
    }
    const std::string now(TextOf(context.draft.entries[kSoundEntries]).value_or(""));
    const std::size_t same =
        static_cast<std::size_t>(std::ranges::mismatch(now, kBefore).in1 - now.begin());
    std::size_t tail = 0;
    while (tail < std::min(now.size(), kBefore.size()) - same &&
           now[now.size() - 1 - tail] == kBefore[kBefore.size() - 1 - tail]) {
      ++tail;
    }
    EXPECT_LE(kBefore.size() - same - tail, 32U) << now;
    begins.insert(same);
    cuts.insert(kBefore.size() - same - tail);
  }
  EXPECT_GT(begins.size(), kBefore.size() / 2);
  EXPECT_GT(cuts.size(), 16U);
}

TEST_F(TemplateTextEdit, PutsNoPartWhereThereIsNoTemplate) {
  ExpectRefusal(Fresh(), {"cross-template-part"});
  MutationContext& context = Fresh();
  PutTemplate(context);
  UseUp(context);
  ExpectRefusal(context, {"cross-template-part"});
}

}  // namespace
}  // namespace ggufgate::mutate
