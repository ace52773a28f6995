#include "remote/answer.h"

#include <gmock/gmock.h>

#include <initializer_list>
#include <string>

namespace ggufgate {
namespace {

using ::testing::HasSubstr;

AnswerHead Head(int status, std::initializer_list<const char*> lines) {
  AnswerHead head;
  EXPECT_TRUE(head.Take("HTTP/1.1 " + std::to_string(status) + " words\r\n"));
  for (const char* line : lines) EXPECT_TRUE(head.Take(std::string(line) + "\r\n"));
  EXPECT_TRUE(head.Take("\r\n"));
  return head;
}

AnswerHead Part(const char* range, const char* entity = "ETag: \"one\"") {
  return Head(206, {range, entity});
}

constexpr WantedBytes kFirst{.whole = false, .begin = 0, .end = 100};
constexpr WantedBytes kSecond{.whole = false, .begin = 100, .end = 200};

std::string Problem(const absl::StatusOr<std::uint64_t>& answer) {
  return answer.ok() ? "" : std::string(answer.status().message());
}

TEST(AnswerHead, KnowsItsFieldsHoweverTheyAreWritten) {
  const AnswerHead head =
      Head(206, {"CONTENT-length:5", "etag: \t\"x\" ", "X-Other: 1", "no field"});
  EXPECT_EQ(head.status(), 206);
  EXPECT_EQ(head.Field("content-length"), "5");
  EXPECT_EQ(head.Field("etag"), "\"x\"");
  EXPECT_EQ(head.Field("content-range"), "");
  EXPECT_EQ(head.contradicted(), "");
}

TEST(AnswerHead, ASecondStatusBeginsAnew) {
  AnswerHead head = Head(103, {"ETag: \"early\""});
  EXPECT_TRUE(head.Take("HTTP/2 200 \r\n"));
  EXPECT_EQ(head.status(), 200);
  EXPECT_EQ(head.Field("etag"), "");
}

TEST(AnswerHead, TwoValuesOfOneFieldContradict) {
  EXPECT_EQ(Head(200, {"Content-Length: 5", "Content-Length: 5"}).contradicted(), "");
  EXPECT_EQ(Head(200, {"Content-Length: 5", "Content-Length: 6"}).contradicted(), "content-length");
  EXPECT_EQ(Head(200, {"ETag:", "ETag: \"x\""}).contradicted(), "etag");
}

TEST(AnswerHead, IsBounded) {
  AnswerHead head;
  const std::string line = "X: " + std::string(1021, 'x');
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(head.Take(line));
  EXPECT_FALSE(head.Take(line));
  EXPECT_FALSE(head.Take("HTTP/1.1 200\r\n")) << "interim answers count as well";
}

TEST(AnswerHead, StatusLinesThatAreNone) {
  for (const char* line :
       {"HTTP/1.1\r\n", "HTTP/1.1 \r\n", "HTTP/1.1 2x0 OK\r\n", "HTTP/1.1 20\r\n"}) {
    AnswerHead head;
    EXPECT_TRUE(head.Take(line));
    EXPECT_EQ(head.status(), 0) << line;
  }
}

TEST(ParseSize, DigitsAlone) {
  EXPECT_EQ(ParseSize("0"), 0U);
  EXPECT_EQ(ParseSize("9223372036854775807"), (std::uint64_t{1} << 63) - 1);
  for (const char* text : {"", "-1", "+1", " 1", "1 ", "1,2", "0x1", "9223372036854775808",
                           "18446744073709551616", "1e3"}) {
    EXPECT_EQ(ParseSize(text), std::nullopt) << text;
  }
}

TEST(ParseContentRange, TwoForms) {
  const ContentRange part = ParseContentRange("bytes 5-9/20").value();
  EXPECT_EQ(part.range, (ByteRange{.begin = 5, .size = 5}));
  EXPECT_EQ(part.total, 20U);
  EXPECT_EQ(ParseContentRange("bytes */20").value().range, std::nullopt);
  EXPECT_TRUE(ParseContentRange("bytes 0-19/20"));
  for (const char* text :
       {"", "bytes", "bytes 0-20/20", "bytes 5-4/20", "bytes 5-/20", "bytes -5/20", "bytes 0-1/*",
        "bytes 0-1", "bytes 0-1/", "Bytes 0-1/2", "items 0-1/2", "bytes 0-1/2 ", "bytes  0-1/2",
        "bytes 0-1/18446744073709551616", "bytes 0-1/-1", "bytes */*"}) {
    EXPECT_FALSE(ParseContentRange(text)) << text;
  }
}

TEST(HttpDate, OneForm) {
  EXPECT_EQ(HttpDate("Sun, 06 Nov 1994 08:49:37 GMT"), 784111777);
  EXPECT_EQ(HttpDate("Thu, 01 Jan 1970 00:00:00 GMT"), 0);
  for (const char* text : {"", "Sun, 06 Nov 1994 08:49:37", "Sunday, 06-Nov-94 08:49:37 GMT",
                           "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nox 1994 08:49:37 GMT",
                           "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
                           "Sun, -6 Nov 1994 08:49:37 GMT", "Sun,\r06 Nov 1994 08:49:37 GMT",
                           "Sun, 06 Nov 1994 08-49:37 GMT", "S\rn, 06 Nov 1994 08:49:37 GMT"}) {
    EXPECT_EQ(HttpDate(text), std::nullopt) << text;
  }
}

TEST(TakeAnswer, PiecesOfOneFile) {
  FilePin pin;
  EXPECT_EQ(TakeAnswer(kFirst, Part("Content-Range: bytes 0-99/150"), pin).value(), 100U);
  EXPECT_EQ(pin.size, 150U);
  EXPECT_EQ(pin.Validator(), "\"one\"");
  EXPECT_EQ(TakeAnswer(kSecond, Part("Content-Range: bytes 100-149/150"), pin).value(), 50U);
}

TEST(TakeAnswer, AnotherRangeThanAskedFor) {
  for (const char* range : {"Content-Range: bytes 1-99/150", "Content-Range: bytes 0-98/150",
                            "Content-Range: bytes 0-100/150", "Content-Range: bytes 0-99/99",
                            "Content-Range: bytes */150", "Content-Range: bytes 0-99/0", "X: y"}) {
    FilePin pin;
    EXPECT_FALSE(TakeAnswer(kFirst, Part(range), pin).ok()) << range;
  }
  FilePin pin;
  EXPECT_FALSE(TakeAnswer(kSecond, Part("Content-Range: bytes 0-49/50"), pin).ok());
}

TEST(TakeAnswer, AnotherFileThanBefore) {
  FilePin first;
  ASSERT_TRUE(TakeAnswer(kFirst, Part("Content-Range: bytes 0-99/150"), first).ok());
  FilePin pin = first;
  EXPECT_THAT(Problem(TakeAnswer(kSecond, Part("Content-Range: bytes 100-150/151"), pin)),
              HasSubstr("another size than before"));
  pin = first;
  EXPECT_THAT(
      Problem(TakeAnswer(kSecond, Part("Content-Range: bytes 100-149/150", "ETag: \"two\""), pin)),
      HasSubstr("another ETag than before"));
  pin = first;
  EXPECT_THAT(Problem(TakeAnswer(kSecond, Part("Content-Range: bytes 100-149/150", "X: y"), pin)),
              HasSubstr("another ETag than before"));
  pin = first;
  EXPECT_THAT(Problem(TakeAnswer(kSecond, Head(200, {"ETag: \"two\"", "Content-Length: 9"}), pin)),
              HasSubstr("another ETag than before"));
}

TEST(TakeAnswer, OneAnswerNeedsNoIdentityAndTwoDo) {
  FilePin pin;
  EXPECT_TRUE(
      TakeAnswer(kFirst, Part("Content-Range: bytes 0-99/150", "ETag: W/\"one\""), pin).ok());
  EXPECT_EQ(pin.Validator(), "");
  EXPECT_THAT(Problem(TakeAnswer(kSecond,
                                 Part("Content-Range: bytes 100-149/150", "ETag: W/\"one\""), pin)),
              HasSubstr("no strong ETag"));
}

// A validator is sent back, possibly to another server: it must not contain a line end.
TEST(TakeAnswer, AnEntityThatIsNoTextIsNoIdentity) {
  for (const char* entity : {"ETag: \"a\rHost: b\"", "ETag: \"a\x1b\"", "ETag: \"a\x7f\"",
                             "ETag: \"a\"b\"", "ETag: \"a\"\r\"b\"", "ETag: \""}) {
    FilePin pin;
    ASSERT_TRUE(TakeAnswer(kFirst, Part("Content-Range: bytes 0-99/150", entity), pin).ok());
    EXPECT_EQ(pin.Validator(), "") << entity;
  }
  for (const char* entity : {"ETag: \"a b\"", "ETag: \"\xC3\xA4\"", "ETag: \"\""}) {
    FilePin pin;
    ASSERT_TRUE(TakeAnswer(kFirst, Part("Content-Range: bytes 0-99/150", entity), pin).ok());
    EXPECT_EQ("ETag: " + pin.Validator(), entity);
  }
}

TEST(TakeAnswer, AnOldModificationIsAnIdentity) {
  constexpr const char* kModified = "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT";
  for (const auto& [date, strong] :
       {std::pair{"Date: Sun, 06 Nov 1994 08:50:37 GMT", true},
        std::pair{"Date: Sun, 06 Nov 1994 08:50:36 GMT", false}, std::pair{"X: y", false}}) {
    FilePin pin;
    ASSERT_TRUE(
        TakeAnswer(kFirst, Head(206, {"Content-Range: bytes 0-99/150", kModified, date}), pin)
            .ok());
    EXPECT_EQ(
        TakeAnswer(kSecond, Head(206, {"Content-Range: bytes 100-149/150", kModified, date}), pin)
            .ok(),
        strong)
        << date;
  }
}

TEST(TakeAnswer, WholeFiles) {
  FilePin pin;
  EXPECT_EQ(TakeAnswer({.whole = true}, Head(200, {"Content-Length: 7"}), pin).value(), 7U);
  FilePin unknown;
  EXPECT_FALSE(TakeAnswer({.whole = true}, Head(200, {}), unknown).ok());
  EXPECT_FALSE(TakeAnswer({.whole = true}, Head(200, {"Content-Length: -1"}), unknown).ok());
  EXPECT_FALSE(TakeAnswer({.whole = true}, Part("Content-Range: bytes 0-99/150"), unknown).ok());
  EXPECT_THAT(Problem(TakeAnswer(kFirst, Head(200, {"Content-Length: 7"}), unknown)),
              HasSubstr("ignores ranges"));
}

TEST(TakeAnswer, EmptyFiles) {
  FilePin pin;
  EXPECT_EQ(TakeAnswer(kFirst, Head(416, {"Content-Range: bytes */0"}), pin).value(), 0U);
  EXPECT_EQ(pin.size, 0U);
  FilePin other;
  EXPECT_EQ(TakeAnswer(kFirst, Head(200, {"Content-Length: 0"}), other).value(), 0U);
  EXPECT_FALSE(TakeAnswer(kFirst, Head(416, {"Content-Range: bytes */7"}), other).ok());
  EXPECT_FALSE(TakeAnswer(kFirst, Head(416, {}), other).ok());
  EXPECT_FALSE(TakeAnswer(kSecond, Head(416, {"Content-Range: bytes */0"}), other).ok());
}

TEST(TakeAnswer, WhatIsPackedOrContradictsItself) {
  FilePin pin;
  constexpr const char* kRange = "Content-Range: bytes 0-99/150";
  EXPECT_FALSE(TakeAnswer(kFirst, Head(206, {kRange, "Content-Encoding: gzip"}), pin).ok());
  EXPECT_FALSE(TakeAnswer(kFirst, Head(206, {kRange, "Transfer-Encoding: gzip"}), pin).ok());
  EXPECT_FALSE(
      TakeAnswer(kFirst, Head(206, {kRange, "Transfer-Encoding: gzip, chunked"}), pin).ok());
  EXPECT_FALSE(TakeAnswer(kFirst, Head(206, {kRange, "Content-Length: 99"}), pin).ok());
  EXPECT_FALSE(
      TakeAnswer(kFirst, Head(206, {kRange, "Content-Type: multipart/byteranges; boundary=x"}), pin)
          .ok());
  FilePin sound;
  EXPECT_TRUE(TakeAnswer(kFirst, Head(206, {kRange, "Content-Encoding: identity"}), sound).ok());
}

TEST(PinLinked, WhatAHubSaysMustHoldOfWhatItLeadsTo) {
  const AnswerHead redirect = Head(302, {"X-Linked-Size: 150", "X-Linked-Etag: \"sha\""});
  FilePin pin;
  ASSERT_TRUE(PinLinked(redirect, pin).ok());
  EXPECT_TRUE(TakeAnswer(kFirst, Part("Content-Range: bytes 0-99/150"), pin).ok());
  EXPECT_TRUE(PinLinked(redirect, pin).ok());
  EXPECT_TRUE(PinLinked(Head(302, {}), pin).ok());
  EXPECT_FALSE(PinLinked(Head(302, {"X-Linked-Etag: \"other\""}), pin).ok());
  EXPECT_FALSE(PinLinked(Head(302, {"X-Linked-Size: 151"}), pin).ok());
  EXPECT_FALSE(PinLinked(Head(302, {"X-Linked-Size: x"}), pin).ok());
  FilePin other;
  ASSERT_TRUE(PinLinked(redirect, other).ok());
  EXPECT_THAT(Problem(TakeAnswer(kFirst, Part("Content-Range: bytes 0-99/151"), other)),
              HasSubstr("X-Linked-Size says 150"));
}

}  // namespace
}  // namespace ggufgate
