// Edits of values: what each does to a value that is known, and where it does not apply.

#include <string>

#include "mutate/build/entry_value.h"
#include "tests/mutate/edits/edited.h"

namespace ggufgate::mutate {
namespace {

constexpr int kValueEdits = 400;

// Places of the entries of the sound file.
constexpr std::size_t kArchitecture = 0, kNumber = 1, kText = 2, kFlag = 3, kNumbers = 4,
                      kTexts = 5, kFlags = 6, kAlignment = 7, kFloat = 8;
using Places = std::set<std::size_t>;

class ValueEdits : public EditTest {};

std::vector<std::string> TextsOf(const Entry& entry) {
  std::vector<std::string> texts;
  for (Strings strings(ElementsOf(entry)); strings.Next();) texts.emplace_back(strings.text());
  return texts;
}

TEST_F(ValueEdits, PutNumbersAtBoundaries) {
  std::set<std::uint64_t> numbers;
  const auto look = [&](const Entry& after, const Entry& before) {
    EXPECT_EQ(after.type, before.type);
    EXPECT_EQ(after.value.size(), 4U);
    numbers.insert(UnsignedOf(after).value_or(0));
  };
  EXPECT_EQ(EditOneEntry("metadata-number", 2000, look), (Places{kNumber, kAlignment}));
  for (const std::uint64_t number : {0U, 1U, 65U, 511U, 513U, 0x10000U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    EXPECT_TRUE(numbers.contains(number)) << number;
  }
}

TEST_F(ValueEdits, PutNumbersOfTheFile) {
  std::set<std::uint64_t> numbers;
  EditOneEntry("metadata-number-of-file", kValueEdits, [&](const Entry& after, const Entry&) {
    numbers.insert(UnsignedOf(after).value_or(0));
  });
  for (const std::uint64_t number : {kSoundEntries - 1, kSoundEntries + 1, kSoundTensors,
                                     kSoundTensors + 1, std::size_t{kSoundAlignment - 1}}) {
    EXPECT_TRUE(numbers.contains(number)) << number;
  }
}

TEST_F(ValueEdits, StepFromTheNumberThereIs) {
  std::set<std::uint32_t> from_seven;
  EditOneEntry("metadata-number-step", kValueEdits, [&](const Entry& after, const Entry& before) {
    if (UnsignedOf(before) == 7U) {
      from_seven.insert(static_cast<std::uint32_t>(UnsignedOf(after).value_or(0)));
    }
  });
  EXPECT_EQ(from_seven, (std::set<std::uint32_t>{8, 6, 14, 3, 0U - 7U, ~7U}));
}

TEST_F(ValueEdits, PutFloatsAtBoundaries) {
  std::set<std::uint32_t> bits;
  const auto look = [&](const Entry& after, const Entry&) {
    bits.insert(Load<std::uint32_t>(after.value, ByteOrder::kLittle));
  };
  EXPECT_EQ(EditOneEntry("metadata-float", kValueEdits, look), Places{kFloat});
  EXPECT_THAT(bits, ::testing::IsSupersetOf({0x8000'0000U, 0x7F80'0000U, 0xFF80'0000U, 0x7FC0'0000U,
                                             0x0000'0001U, 0x7F7F'FFFFU}));
}

TEST_F(ValueEdits, TurnABoolOver) {
  const auto look = [](const Entry& after, const Entry& before) {
    EXPECT_EQ(after.value.front(), 1 - before.value.front());
  };
  EXPECT_EQ(EditOneEntry("metadata-bool", 10, look), Places{kFlag});
}

TEST_F(ValueEdits, SwapTwoValuesAndNoKeys) {
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  Edit("metadata-swap-values", kValueEdits, [&](MutationContext& context) {
    const std::vector<std::size_t> changed = ChangedAmong(entries, context.draft.entries);
    ASSERT_EQ(changed.size(), 2U);
    Entry one = context.draft.entries[changed[0]];
    Entry other = context.draft.entries[changed[1]];
    std::swap(one.key, other.key);
    EXPECT_TRUE(Same(one, entries[changed[1]]));
    EXPECT_TRUE(Same(other, entries[changed[0]]));
    pairs.emplace(changed[0], changed[1]);
  });
  EXPECT_EQ(pairs.size(), kSoundEntries * (kSoundEntries - 1) / 2);
}

TEST_F(ValueEdits, GrowAString) {
  std::set<std::size_t> more, begins;
  const auto look = [&](const Entry& after, const Entry& before) {
    const std::string_view text = *TextOf(after), had = *TextOf(before);
    ASSERT_GT(text.size(), had.size());
    more.insert(text.size() - had.size());
    // What was there is in front of the letters and behind them.
    const auto front = static_cast<std::size_t>(std::ranges::mismatch(had, text).in1 - had.begin());
    begins.insert(front);
    EXPECT_TRUE(text.ends_with(had.substr(front)));
  };
  EXPECT_EQ(EditOneEntry("metadata-string-grow", kValueEdits, look),
            (Places{kArchitecture, kText}));
  EXPECT_EQ(*more.begin(), 1U);
  EXPECT_EQ(*more.rbegin(), 64U);
  EXPECT_THAT(begins, ::testing::IsSupersetOf({0U, 4U, 9U}));
}

TEST_F(ValueEdits, LeaveAPartOfAString) {
  std::set<std::size_t> sizes;
  const auto look = [&](const Entry& after, const Entry& before) {
    sizes.insert(TextOf(after)->size());
    EXPECT_LT(TextOf(after)->size(), TextOf(before)->size());
    EXPECT_NE(TextOf(before)->find(*TextOf(after)), std::string_view::npos);
  };
  EXPECT_EQ(EditOneEntry("metadata-string-shrink", kValueEdits, look),
            (Places{kArchitecture, kText}));
  EXPECT_EQ(*sizes.begin(), 0U);
  EXPECT_EQ(*sizes.rbegin(), 8U);
}

TEST_F(ValueEdits, GrowAnArrayAtItsEnd) {
  std::set<std::uint64_t> more;
  const auto look = [&](const Entry& after, const Entry& before) {
    EXPECT_EQ(ElementTypeOf(after), ElementTypeOf(before));
    more.insert(CountOf(after) - CountOf(before));
    const Bytes had = ElementsOf(before);
    ASSERT_GT(ElementsOf(after).size(), had.size());
    EXPECT_TRUE(std::ranges::equal(ElementsOf(after).first(had.size()), had));
    EXPECT_EQ(SizeOfValue(after.type, after.value, {}), after.value.size());
  };
  EXPECT_EQ(EditOneEntry("metadata-array-grow", kValueEdits, look),
            (Places{kNumbers, kTexts, kFlags}));
  EXPECT_EQ(*more.begin(), 1U);
  EXPECT_GT(*more.rbegin(), 32U);
}

TEST_F(ValueEdits, ShrinkAnArrayFromItsEnd) {
  std::set<std::uint64_t> left;
  const auto look = [&](const Entry& after, const Entry& before) {
    left.insert(CountOf(after));
    EXPECT_LT(CountOf(after), CountOf(before));
    EXPECT_TRUE(
        std::ranges::equal(ElementsOf(after), ElementsOf(before).first(ElementsOf(after).size())));
    EXPECT_EQ(SizeOfValue(after.type, after.value, {}), after.value.size());
  };
  EXPECT_EQ(EditOneEntry("metadata-array-shrink", kValueEdits, look),
            (Places{kNumbers, kTexts, kFlags}));
  EXPECT_EQ(left, (std::set<std::uint64_t>{0, 1, 2, 3, 4}));
}

TEST_F(ValueEdits, DoubleAnArray) {
  const auto look = [&](const Entry& after, const Entry& before) {
    EXPECT_EQ(CountOf(after), 2 * CountOf(before));
    const Bytes twice = ElementsOf(after), once = ElementsOf(before);
    ASSERT_EQ(twice.size(), 2 * once.size());
    EXPECT_TRUE(std::ranges::equal(twice.first(once.size()), once));
    EXPECT_TRUE(std::ranges::equal(twice.last(once.size()), once));
  };
  EXPECT_EQ(EditOneEntry("metadata-array-double", 60, look), (Places{kNumbers, kTexts, kFlags}));
}

// Elements that differ, of an array of numbers or bools of one size before and after.
std::vector<std::size_t> ElementsChanged(const Entry& after, const Entry& before) {
  EXPECT_EQ(after.value.size(), before.value.size());
  const std::size_t size = InfoOf(ElementTypeOf(before)).scalar_bytes;
  std::vector<std::size_t> changed;
  for (std::size_t i = 0; i < CountOf(before); ++i) {
    const Bytes one = ElementsOf(after).subspan(i * size, size);
    if (!std::ranges::equal(one, ElementsOf(before).subspan(i * size, size))) changed.push_back(i);
  }
  return changed;
}

TEST_F(ValueEdits, ChangeOneElement) {
  std::set<std::size_t> ever;
  const auto look = [&](const Entry& after, const Entry& before) {
    const std::vector<std::size_t> changed = ElementsChanged(after, before);
    ASSERT_EQ(changed.size(), 1U);
    ever.insert(changed.front());
  };
  EXPECT_EQ(EditOneEntry("metadata-array-element", kValueEdits, look), (Places{kNumbers, kFlags}));
  EXPECT_EQ(ever.size(), 5U);
}

TEST_F(ValueEdits, SwapTwoElements) {
  const auto look = [&](const Entry& after, const Entry& before) {
    EXPECT_EQ(ElementsChanged(after, before).size(), 2U);
    EXPECT_TRUE(std::ranges::is_permutation(after.value, before.value));
  };
  EXPECT_EQ(EditOneEntry("metadata-array-swap", 100, look), (Places{kNumbers, kFlags}));
}

TEST_F(ValueEdits, TurnAnArrayOfStrings) {
  using Texts = std::vector<std::string>;
  std::set<Texts> orders;
  const auto look = [&](const Entry& after, const Entry&) { orders.insert(TextsOf(after)); };
  EXPECT_EQ(EditOneEntry("metadata-array-turn", 40, look), Places{kTexts});
  EXPECT_EQ(orders, (std::set<Texts>{{"", "three", "one"}, {"three", "one", ""}}));
}

TEST_F(ValueEdits, ChangeBytesAndLeaveAWholeValue) {
  const auto look = [](const Entry& after, const Entry& before) {
    EXPECT_EQ(after.type, before.type);
    EXPECT_EQ(SizeOfValue(after.type, after.value, {}), after.value.size());
  };
  EXPECT_EQ(EditOneEntry("metadata-bytes", kValueEdits, look),
            (Places{kArchitecture, kText, kNumbers, kFlags}));
}

const std::vector<std::string_view> kAllOfValues = {
    "metadata-number",       "metadata-number-of-file", "metadata-number-step",
    "metadata-float",        "metadata-bool",           "metadata-swap-values",
    "metadata-string-grow",  "metadata-string-shrink",  "metadata-array-grow",
    "metadata-array-shrink", "metadata-array-double",   "metadata-array-element",
    "metadata-array-swap",   "metadata-array-turn",     "metadata-bytes"};

TEST_F(ValueEdits, DoNotApplyWithoutEntries) {
  MutationContext& context = Fresh();
  context.draft.entries.Clear();
  ExpectRefusal(context, kAllOfValues);
}

TEST_F(ValueEdits, DoNotApplyWithoutAValueOfTheirKind) {
  MutationContext& context = Fresh();
  context.draft.entries.Cut(1);  // one string is left
  ExpectRefusal(context,
                {"metadata-number", "metadata-float", "metadata-bool", "metadata-swap-values",
                 "metadata-array-grow", "metadata-array-shrink", "metadata-array-turn"});
}

// But for the one that needs none.
TEST_F(ValueEdits, DoNotApplyWithoutScratch) {
  MutationContext& context = Fresh();
  UseUp(context);
  std::vector<std::string_view> needy = kAllOfValues;
  std::erase(needy, "metadata-swap-values");
  ExpectRefusal(context, needy);
  EXPECT_TRUE(Apply(context, "metadata-swap-values"));
}

}  // namespace
}  // namespace ggufgate::mutate
