#include "words/message.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <vector>

#include "check/wording.h"
#include "tests/support/matchers.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate::testing {
namespace {

constexpr std::array kPlaceholders = {"observed", "allowed", "other", "excess", "release"};
// Every format of numbers and texts; "in tensors" adds a noun in plural.
bool IsFormat(std::string_view format) {
  constexpr std::array<std::string_view, 5> kFormats = {"", "bytes", "hex", "plain", "index"};
  return std::ranges::find(kFormats, format) != kFormats.end() ||
         (format.starts_with("in ") && format.ends_with('s'));
}

// The placeholders between braces in a pattern: name and format.
std::vector<std::pair<std::string, std::string>> PlaceholdersOf(std::string_view pattern) {
  std::vector<std::pair<std::string, std::string>> found;
  const std::string filled = FillIn(pattern, [&](std::string_view name, std::string_view format) {
    found.emplace_back(name, format);
    return std::string();
  });
  EXPECT_EQ(filled.find_first_of("{}"), std::string::npos) << pattern;
  return found;
}

Finding FindingOf(const Rule& rule, std::size_t wording, const Fact& observed, const Fact& allowed,
                  const Fact& other) {
  return {.rule = rule.id,
          .wording = static_cast<std::uint8_t>(wording),
          .observed = observed,
          .allowed = allowed,
          .other = other};
}

TEST(MessageFor, FillsInEveryWordingOfEveryRule) {
  for (const Rule& rule : AllRules()) {
    std::set<std::string> messages;
    for (std::size_t wording = 0; wording < rule.messages.size(); ++wording) {
      for (const Finding& finding :
           {FindingOf(rule, wording, std::uint64_t{20}, std::uint64_t{10}, std::uint64_t{5}),
            FindingOf(rule, wording, "observed", "allowed", "other"),
            FindingOf(rule, wording, {}, {}, {})}) {
        const std::string message = MessageFor(finding);
        EXPECT_EQ(message.find_first_of("{}"), std::string::npos) << rule.slug << ": " << message;
        EXPECT_GT(message.size(), 5U) << rule.slug;
        messages.insert(message);
      }
    }
    EXPECT_GE(messages.size(), rule.messages.size()) << rule.slug << " says the same twice";
  }
}

TEST(MessageFor, KnowsEveryPlaceholderOfTheCatalogue) {
  for (const Rule& rule : AllRules()) {
    for (const std::string_view message : rule.messages) {
      for (const auto& [name, format] : PlaceholdersOf(message)) {
        EXPECT_THAT(kPlaceholders, ::testing::Contains(name)) << rule.slug;
        EXPECT_TRUE(IsFormat(format)) << rule.slug << ": " << format;
      }
    }
  }
}

TEST(MessageFor, HasTextThatFitsALine) {
  for (const Rule& rule : AllRules()) {
    for (const std::string_view message : rule.messages) {
      EXPECT_TRUE(testing::IsHarmless(message)) << rule.slug;
      EXPECT_EQ(message.find('\n'), std::string_view::npos) << rule.slug;
      EXPECT_FALSE(message.ends_with('.')) << rule.slug << ": it may be followed by more";
    }
  }
}

TEST(MessageFor, WritesNumbersAsAsked) {
  const auto with = [](Wording wording, Fact observed, Fact allowed) {
    Finding finding{.rule = wording.rule, .wording = wording.number};
    finding.observed = std::move(observed);
    finding.allowed = std::move(allowed);
    return MessageFor(finding);
  };
  EXPECT_EQ(with(TensorDataBoundsWording::kPastTheFile, std::uint64_t{4112}, std::uint64_t{4096}),
            "data ends at byte 4,112; the file has 4,096: 16 bytes missing");
  EXPECT_EQ(
      with(TensorDataBoundsWording::kPastAnyFile, UINT64_MAX, std::uint64_t{0}),
      "tensor offset is 18,446,744,073,709,551,615, past the end of any file; the data section "
      "begins at byte 0");
  EXPECT_EQ(with(TrailingBytesWording::kBytes, std::uint64_t{2'000'000}, {}),
            "the file continues for 2,000,000 bytes after the end of the model");
  EXPECT_EQ(with(TrailingBytesWording::kBytes, std::uint64_t{1}, {}),
            "the file continues for 1 byte after the end of the model");
  EXPECT_EQ(with(TensorAllZeroWording::kTensor, std::uint64_t{2'000'000}, {}),
            "all 2.0 MB of the tensor are zero");
  EXPECT_THAT(with(PaddingNotZeroWording::kByte, std::uint64_t{7}, {}), HasSubstr("byte 0x07;"));
}

TEST(MessageFor, HasNoExcessWhereThereIsNone) {
  Finding finding{.rule = RuleId::kTensorDataBounds};
  finding.observed = std::uint64_t{1};
  finding.allowed = std::uint64_t{2};
  EXPECT_THAT(MessageFor(finding), HasSubstr(":  missing")) << "and no wrapped number";
}

TEST(MessageFor, EscapesTextOfTheFile) {
  Finding magic{.rule = RuleId::kMagic};
  magic.observed = std::string("\x1b[3\xff");
  EXPECT_THAT(MessageFor(magic), HasSubstr("magic is 1b 5b 33 ff;"));

  Finding overlap{.rule = RuleId::kTensorOverlap};
  overlap.other = std::string("evil\x1b[31m\"\xe2\x80\xae");
  EXPECT_THAT(MessageFor(overlap), HasSubstr(R"("evil\x1b[31m\"\u{202e}")"));

  Finding plain{.rule = RuleId::kAlignmentType};
  plain.observed = std::string("u64\n");
  EXPECT_THAT(MessageFor(plain), HasSubstr("type is u64\\x0a;"));
}

TEST(PathFor, NamesTheRecord) {
  using Section = Place::Section;
  EXPECT_EQ(PathFor({}), "");
  EXPECT_EQ(PathFor({.section = Section::kHeader}), "header");
  EXPECT_EQ(PathFor({.section = Section::kMetadata, .index = 17}), "metadata[17]");
  EXPECT_EQ(PathFor({.section = Section::kMetadata, .name = "general.name"}), "general.name");
  EXPECT_EQ(PathFor({.section = Section::kMetadata, .name = "tokens", .element = 431}),
            "tokens[431]");
  EXPECT_EQ(PathFor({.section = Section::kTensor, .index = 3}), "tensor[3]");
  EXPECT_EQ(PathFor({.section = Section::kTensor, .index = 3, .name = "output"}), "output");
}

TEST(PathFor, EscapesNamesAndMarksThoseThatWereCut) {
  const Subject hostile{.section = Place::Section::kTensor, .name = "a\x1b]0;b\x07\xc2\x9b"};
  EXPECT_EQ(PathFor(hostile), "a\\x1b]0;b\\x07\\u{009b}");
  const Subject cut{.section = Place::Section::kMetadata,
                    .name = std::string(Subject::kLongestText, 'k'),
                    .element = 0};
  EXPECT_EQ(PathFor(cut), std::string(Subject::kLongestText, 'k') + "…[0]");
  const Subject command{.section = Place::Section::kMetadata, .name = "a##", .element = 3};
  EXPECT_EQ(PathFor(command), "a\\x23#[3]");
}

std::vector<Cause::Kind> AllCauses() {
  return {
#define GGUFGATE_CAUSE(name, slug, happened, advice) Cause::Kind::k##name,
#include "check/cause/causes.def"
#undef GGUFGATE_CAUSE
  };
}

TEST(CauseText, FillsInEveryCause) {
  for (const Cause::Kind kind : AllCauses()) {
    const Cause cause{.kind = kind, .a = 123'456, .b = 78, .other = "OTHER"};
    const std::string text = CauseText(cause);
    EXPECT_EQ(text.find_first_of("{}"), std::string::npos) << text;
    EXPECT_EQ(text.empty(), kind == Cause::Kind::kNone);
    EXPECT_EQ(AdviceFor(cause).empty(), kind == Cause::Kind::kNone);
    EXPECT_TRUE(testing::IsHarmless(text));
    for (const auto& [name, format] : PlaceholdersOf(InfoOf(kind).happened)) {
      EXPECT_THAT((std::array{"a", "b", "other"}), ::testing::Contains(name)) << text;
      EXPECT_THAT((std::array{"", "bytes"}), ::testing::Contains(format)) << text;
    }
  }
}

TEST(CauseText, TellsNumbersAndWords) {
  EXPECT_EQ(CauseText({.kind = Cause::Kind::kCutShort, .a = 4'096, .b = 2'000'000}),
            "the file was cut short: 4,096 bytes of 2.0 MB are there");
  EXPECT_EQ(CauseText({.kind = Cause::Kind::kForeignType, .a = 36, .other = "a type of a fork"}),
            "tensor type 36 is a type of a fork");
}

TEST(FillIn, ReplacesWhatStandsInBraces) {
  const auto echo = [](std::string_view name, std::string_view format) {
    return "<" + std::string(name) + "|" + std::string(format) + ">";
  };
  EXPECT_EQ(FillIn("", echo), "");
  EXPECT_EQ(FillIn("nothing", echo), "nothing");
  EXPECT_EQ(FillIn("{a}{b:hex} c", echo), "<a|><b|hex> c");
  // Inserted text is not expanded again.
  EXPECT_EQ(FillIn("{a}", [](auto, auto) { return std::string("{a}"); }), "{a}");
}

TEST(SentenceFor, HasPlaceMessageByteAndCause) {
  Finding finding = FindingOf(RuleOf(RuleId::kKeyEmpty), 0, {}, {}, {});
  finding.where = {.begin = 64, .size = 8};
  EXPECT_EQ(SentenceFor(finding), "the key is empty (at byte 0x40)");
  finding.subject = {.section = Place::Section::kMetadata, .index = 3};
  EXPECT_EQ(SentenceFor(finding), "metadata[3]: the key is empty (at byte 0x40)");
  finding.cause = {.kind = Cause::Kind::kEmpty};
  EXPECT_EQ(SentenceFor(finding),
            "metadata[3]: the key is empty (at byte 0x40): the file is empty; fetch it again");
}

TEST(UnlistedIn, IsTheTotalLessWhatWasKept) {
  Findings findings;
  findings.totals.resize(AllRules().size());
  EXPECT_TRUE(UnlistedIn(findings).empty());
  findings.list = {FindingOf(RuleOf(RuleId::kKeyEmpty), 0, {}, {}, {}),
                   FindingOf(RuleOf(RuleId::kMagic), 0, {}, {}, {})};
  findings.totals.at(static_cast<std::size_t>(RuleId::kKeyEmpty)) = 1;
  findings.totals.at(static_cast<std::size_t>(RuleId::kMagic)) = 11;
  const std::vector<Unlisted> unlisted = UnlistedIn(findings);
  ASSERT_EQ(unlisted.size(), 1U);
  EXPECT_EQ(unlisted.front().rule, "magic");
  EXPECT_EQ(unlisted.front().count, 10U);
  findings.totals.at(static_cast<std::size_t>(RuleId::kMagic)) = 2;
  ASSERT_EQ(UnlistedIn(findings).size(), 1U);
  EXPECT_EQ(UnlistedIn(findings).front().count, 1U);
  findings.totals.clear();
  EXPECT_TRUE(UnlistedIn(findings).empty()) << "nothing was counted";
}

TEST(SuppressionOf, IsNothingForAFindingThatCounts) {
  EXPECT_EQ(SuppressionOf(FindingOf(RuleOf(RuleId::kMagic), 0, {}, {}, {})), std::nullopt);
}

}  // namespace
}  // namespace ggufgate::testing
