// Invisible characters and addresses in the text of a template.

#include "jinja/hidden_text.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace ggufgate::testing {
namespace {

std::vector<std::string> Invisible(std::string_view text) {
  std::vector<std::string> names;
  for (const HiddenText& hidden : FindInvisible(text)) names.push_back(hidden.name);
  return names;
}

std::vector<std::string> Addresses(std::string_view text) {
  std::vector<std::string> names;
  for (const HiddenText& hidden : FindAddresses(text)) names.push_back(hidden.name);
  return names;
}

constexpr const char* kAlef = "\xD7\x90";

TEST(Invisible, MarksOfDirectionBelongBesideTheirScripts) {
  for (const auto& [mark, name] :
       {std::pair("\xE2\x80\x8E", "U+200E"), std::pair("\xE2\x80\x8F", "U+200F"),
        std::pair("\xD8\x9C", "U+061C")}) {
    EXPECT_THAT(Invisible("a" + std::string(mark) + "b"), ElementsAre(name));
    EXPECT_THAT(Invisible(kAlef + std::string(mark) + "b"), IsEmpty()) << name;
    EXPECT_THAT(Invisible("a" + std::string(mark) + kAlef), IsEmpty()) << name;
  }
}

TEST(Invisible, VariationSelectorsBelongToACharacter) {
  constexpr const char* kSelector = "\xEF\xB8\x8F";
  EXPECT_THAT(Invisible("\xE2\x9C\x94" + std::string(kSelector)), IsEmpty());
  EXPECT_THAT(Invisible(" " + std::string(kSelector)), ElementsAre("U+FE0F"));
  // One run: an embedding, and a selector without effect.
  EXPECT_THAT(Invisible("\xE2\x80\xAA" + std::string(kSelector)), ElementsAre("U+202A"));
  EXPECT_EQ(FindInvisible("\xE2\x80\xAA" + std::string(kSelector)).front().count, 2U);
  EXPECT_THAT(Invisible("\xE2\x80\x8B" + std::string(kSelector)), ElementsAre("U+200B"));
}

TEST(Invisible, AllThatIsIgnorableByDefaultIs) {
  // Unassigned, shorthand, unassigned: rarely in a list.
  EXPECT_THAT(Invisible("a\uFFF0b\U0001BCA0c\U000E0FFFd"),
              ElementsAre("U+FFF0", "U+1BCA0", "U+E0FFF"));
  EXPECT_THAT(Invisible("a\uFFEFb\uFFFCc\U0001BC9Fd\U000E1000e"), IsEmpty());
}

TEST(Invisible, BytesThatAreNoCharacterHideNothing) {
  EXPECT_THAT(Invisible("a\xFF\xE2\x80\xC0\x8B"), IsEmpty());
  EXPECT_THAT(Invisible("\xE2\x80\xE2\x80\x8B"), ElementsAre("U+200B"));
}

TEST(Invisible, TagsBelongToAFlag) {
  const std::string flag = "\xF0\x9F\x8F\xB4";
  const std::string tag = "\xF3\xA0\x81\xA7";     // U+E0067
  const std::string cancel = "\xF3\xA0\x81\xBF";  // U+E007F
  EXPECT_THAT(Invisible(flag + tag + cancel), IsEmpty());
  EXPECT_THAT(Invisible(flag + tag), ElementsAre("U+E0067"));
  EXPECT_THAT(Invisible(flag + cancel), ElementsAre("U+E007F"));
  EXPECT_THAT(Invisible(tag + cancel), ElementsAre("U+E0067"));
  EXPECT_THAT(Invisible(flag + tag + "a" + cancel), ElementsAre("U+E0067", "U+E007F"));
}

TEST(Addresses, AreNamedByTheirHost) {
  EXPECT_THAT(Addresses("see http://evil.io/x and HTTP"), ElementsAre("evil.io"));
  EXPECT_THAT(Addresses("{{ 'https://evil.io' }}"), ElementsAre("evil.io"));
  EXPECT_THAT(Addresses("ftp://me@EVIL.Zone:21/"), ElementsAre("me@EVIL.Zone:21"));
  EXPECT_THAT(Addresses("http://a{b http://c[d"), ElementsAre("a", "c"));
  EXPECT_THAT(Addresses("file://evil.io"), IsEmpty());
  EXPECT_THAT(Addresses("http:///x"), IsEmpty());
}

TEST(Addresses, OfNobodyAreHarmless) {
  EXPECT_THAT(Addresses("http://example.com/ http://www.example.com https://a.test"), IsEmpty());
  EXPECT_THAT(Addresses("http://notexample.com"), ElementsAre("notexample.com"));
  EXPECT_THAT(Addresses("http://localhost:80 http://my.localhost"), IsEmpty());
}

TEST(Addresses, OfGreatLengthAreCut) {
  const std::vector<HiddenText> found = FindAddresses("http://" + std::string(1000, 'a'));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().name.size(), 253U);
  EXPECT_EQ(found.front().size, 4U + 256U);
}

}  // namespace
}  // namespace ggufgate::testing
