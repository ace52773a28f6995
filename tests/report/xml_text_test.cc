#include "report/xml_text.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/texts/hostile_texts.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

TEST(XmlText, LeavesPlainTextAlone) { EXPECT_EQ(XmlText("a b\nc-1.x/{}[]"), "a b\nc-1.x/{}[]"); }

TEST(XmlText, EscapesMarkup) {
  EXPECT_EQ(XmlText("<a b=\"c\">&'"), "&#x3c;a b=&#x22;c&#x22;&#x3e;&#x26;&#x27;");
  EXPECT_EQ(XmlText("]]>"), "]]&#x3e;");
}

TEST(XmlText, IsAscii) {
  EXPECT_EQ(XmlText("é€日\U0001F600"), "&#xe9;&#x20ac;&#x65e5;&#x1f600;");
  EXPECT_EQ(XmlText("\x7f"), "&#x7f;");
  EXPECT_EQ(XmlText("\t\r"), "&#x9;&#xd;");
}

TEST(XmlText, HasNothingThatXmlCannotHold) {
  EXPECT_EQ(XmlText(std::string("a\0b", 3)), "a?b");
  EXPECT_EQ(XmlText("\x1b[31m"), "?[31m");
  EXPECT_EQ(XmlText("\x1f\x20"), "? ");
  EXPECT_EQ(XmlText("\xef\xbf\xbd\xef\xbf\xbe\xef\xbf\xbf"), "&#xfffd;??");
  EXPECT_EQ(XmlText("\xff\xe2\x82"), "???");
  EXPECT_EQ(XmlText("\xed\xa0\x80"), "???") << "a surrogate is no UTF-8";
}

TEST(XmlText, OfEscapedTextLosesNothing) {
  for (const std::string& text : testing::HostileTexts()) {
    EXPECT_EQ(XmlText(EscapeText(text)).find('?'), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace ggufgate
