// Edits of text: what is put where, and that all the rest stays.

#include "bytes/utf8.h"
#include "mutate/build/entry_value.h"
#include "tests/mutate/edits/edited.h"

namespace ggufgate::mutate {
namespace {

// PutInto is what stands in a text that stood not in another, of which it is an extension;
// nullopt when it is none.
std::optional<std::string_view> PutInto(std::string_view before, std::string_view after) {
  if (after.size() <= before.size()) return std::nullopt;
  const std::size_t more = after.size() - before.size();
  for (std::size_t at = 0; at <= before.size(); ++at) {
    if (after.starts_with(before.substr(0, at)) && after.ends_with(before.substr(at))) {
      return after.substr(at, more);
    }
  }
  return std::nullopt;
}

class TextEdits : public EditTest {
 protected:
  // PartsOf are what an edit puts into strings, in many tries; every string gets one some time.
  std::set<std::string, std::less<>> PartsOf(std::string_view slug) {
    std::set<std::string, std::less<>> parts;
    const auto ever = EditOneEntry(slug, 600, [&](const Entry& now, const Entry& before) {
      const auto part = PutInto(TextOf(before).value_or(""), TextOf(now).value_or(""));
      ASSERT_TRUE(part.has_value());
      parts.emplace(*part);
    });
    EXPECT_EQ(ever, (std::set<std::size_t>{0, 2}));  // the two strings
    return parts;
  }
};

TEST_F(TextEdits, EncodingIsNotUtf8OrAtItsEdge) {
  const auto parts = PartsOf("text-encoding");
  EXPECT_EQ(parts.size(), 16U);
  EXPECT_EQ(
      std::ranges::count_if(parts, [](const std::string& part) { return IsUtf8(AsBytes(part)); }),
      4);
}

TEST_F(TextEdits, InvisibleCharactersAreUtf8) {
  const auto parts = PartsOf("text-invisible");
  EXPECT_EQ(parts.size(), 12U);
  for (const std::string& part : parts) EXPECT_TRUE(IsUtf8(AsBytes(part)));
  EXPECT_TRUE(parts.contains("\u202E"));
}

TEST_F(TextEdits, ControlsAreWhatTerminalsAndCStringsObey) {
  const auto parts = PartsOf("text-control");
  EXPECT_EQ(parts.size(), 9U);
  EXPECT_TRUE(parts.contains(std::string_view("\0", 1)));
  EXPECT_TRUE(parts.contains("\x1B[2J"));
}

TEST_F(TextEdits, PathsStandInAStringOrAreAllOfIt) {
  bool inside = false, alone = false;
  Edit("text-path", 400, [&](MutationContext& context) {
    const std::vector<std::size_t> changed = ChangedAmong(entries, context.draft.entries);
    ASSERT_EQ(changed.size(), 1U);
    const std::string_view before = TextOf(entries[changed.front()]).value_or("");
    const std::string_view now = TextOf(context.draft.entries[changed.front()]).value_or("");
    (PutInto(before, now) ? inside : alone) = true;
  });
  EXPECT_TRUE(inside && alone);
}

TEST_F(TextEdits, LongStringsEndWhereBuffersDo) {
  std::set<std::size_t> sizes;
  Edit("text-long", 400, [&](MutationContext& context) {
    ASSERT_EQ(context.draft.entries.size(), kSoundEntries + 1);
    for (const Entry& entry : context.draft.entries) {
      const std::string_view text = TextOf(entry).value_or("");
      if (text.size() < 100) continue;
      sizes.insert(text.size());
      EXPECT_EQ(text.find_first_not_of(text.front()), std::string_view::npos);
    }
  });
  EXPECT_EQ(sizes, (std::set<std::size_t>{127, 255, 256, 1023, 4096, 32768, 65535, 65536}));
}

TEST_F(TextEdits, ElementsOfArraysBecomeOddAndLong) {
  std::set<std::size_t> elements, fillers;
  bool utf8 = false, other = false;
  const auto ever = EditOneEntry("text-element", 2000, [&](const Entry& now, const Entry& before) {
    ASSERT_TRUE(IsArrayOf(now, ValueType::kString));
    ASSERT_EQ(CountOf(now), CountOf(before));
    Strings these(ElementsOf(now)), those(ElementsOf(before));
    std::size_t changed = 0;
    for (std::size_t i = 0; i < CountOf(now); ++i) {
      ASSERT_TRUE(these.Next() && those.Next());
      const std::string_view text = these.text(), old = those.text();
      if (text == old) continue;
      ++changed;
      elements.insert(i);
      EXPECT_TRUE(text.ends_with(old));
      fillers.insert(std::min(text.find_first_not_of('e'), text.size()));
      (IsUtf8(AsBytes(text)) ? utf8 : other) = true;
    }
    EXPECT_EQ(changed, 1U);
    EXPECT_FALSE(these.Next());
  });
  EXPECT_EQ(ever, std::set<std::size_t>{5});
  EXPECT_EQ(elements, (std::set<std::size_t>{0, 1, 2}));
  EXPECT_EQ(fillers, (std::set<std::size_t>{0, 31, 127, 128, 255}));
  EXPECT_TRUE(utf8 && other);
}

TEST_F(TextEdits, TensorNamesStayWithinWhatReadersHaveRoomFor) {
  const auto ever =
      EditOneTensor("text-tensor-name", 200, [&](const Tensor& now, const Tensor& was) {
        EXPECT_LE(now.name.size(), 63U);
        EXPECT_TRUE(now.name.starts_with(was.name) && now.name.size() > was.name.size());
        EXPECT_EQ(now.dims, was.dims);
      });
  EXPECT_EQ(ever.size(), kSoundTensors);
}

TEST_F(TextEdits, WithoutTextOrRoomNothingIsDone) {
  MutationContext& context = Fresh();
  context.draft.entries.Clear();
  context.draft.tensors.Clear();
  ExpectRefusal(context, {"text-element", "text-tensor-name"});
  MutationContext& full = Fresh();
  UseUp(full);
  ExpectRefusal(full, {"text-encoding", "text-invisible", "text-control", "text-long",
                       "text-element", "text-tensor-name"});
}

}  // namespace
}  // namespace ggufgate::mutate
