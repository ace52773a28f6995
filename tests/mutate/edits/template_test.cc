// Edits of chat templates: what they change, and that they keep to the room there is.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "mutate/build/compose.h"
#include "tests/mutate/edits/edited.h"

namespace ggufgate::mutate {
namespace {

using TemplateEdit = EditTest;

TEST_F(TemplateEdit, SetsAChatTemplateAndNothingElse) {
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

TEST_F(TemplateEdit, PutsAPartInOrInThePlaceOfAtMost32Bytes) {
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

TEST_F(TemplateEdit, PutsNoPartWhereThereIsNoTemplate) {
  ExpectRefusal(Fresh(), {"cross-template-part"});
  MutationContext& context = Fresh();
  PutTemplate(context);
  UseUp(context);
  ExpectRefusal(context, {"cross-template-part"});
}

}  // namespace
}  // namespace ggufgate::mutate
