#include "remote/fetch_wire.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

#include "gate/reading/descriptor.h"
#include "remote/fetch_config.h"

namespace ggufgate {
namespace {

struct Ends {
  Descriptor judge;
  Descriptor fetcher;
};

Ends MakeEnds() {
  std::array<int, 2> ends{};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  return {.judge = Descriptor(ends[0]), .fetcher = Descriptor(ends[1])};
}

void Put(const Descriptor& end, const std::vector<std::uint8_t>& bytes) {
  EXPECT_EQ(::write(end.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
}

// Encoded numbers: eight bytes each, little-endian.
std::vector<std::uint8_t> Numbers(std::initializer_list<std::uint64_t> numbers) {
  std::vector<std::uint8_t> bytes;
  for (std::uint64_t number : numbers) {
    for (int i = 0; i < 8; ++i, number >>= 8) bytes.push_back(static_cast<std::uint8_t>(number));
  }
  return bytes;
}

const RemoteFacts kSomeFacts = {.size = 1,
                                .fetched = 2,
                                .requests = 3,
                                .entity = "\"x\"",
                                .linked_entity = "",
                                .modified = "now"};

TEST(FetchWire, RequestsCross) {
  const Ends ends = MakeEnds();
  const FetchRequest request = {
      .kind = FetchRequest::Kind::kStream, .file = 7, .begin = 8, .size = UINT64_MAX};
  ASSERT_TRUE(SendRequest(ends.judge.get(), request).ok());
  EXPECT_EQ(ReceiveRequest(ends.fetcher.get()).value(), request);
}

TEST(FetchWire, TheEndIsNoRequest) {
  Ends ends = MakeEnds();
  ends.judge = Descriptor();
  EXPECT_EQ(ReceiveRequest(ends.fetcher.get()).value(), std::nullopt);
}

TEST(FetchWire, RequestsThatAreNone) {
  for (const auto& bytes : {Numbers({0, 0, 0, 0}), Numbers({4, 0, 0, 0}),
                            Numbers({1, std::uint64_t{1} << 32, 0, 0}), Numbers({1, 0, 0})}) {
    Ends ends = MakeEnds();
    Put(ends.judge, bytes);
    ends.judge = Descriptor();
    EXPECT_FALSE(ReceiveRequest(ends.fetcher.get()).ok());
  }
}

TEST(FetchWire, AnswersCrossHoweverLarge) {
  const Ends ends = MakeEnds();
  const std::vector<std::uint8_t> sent(kMostAnswerBytes, 9);
  std::jthread fetcher(
      [&] { EXPECT_TRUE(SendAnswer(ends.fetcher.get(), FetchAnswer::kData, sent).ok()); });
  std::vector<std::uint8_t> bytes;
  EXPECT_EQ(ReceiveAnswer(ends.judge.get(), bytes).value(), FetchAnswer::kData);
  EXPECT_EQ(bytes, sent);
}

TEST(FetchWire, AnswersThatAreNone) {
  for (const auto& bytes : {Numbers({0, 0}), Numbers({4, 0}), Numbers({2, kMostAnswerBytes + 1}),
                            Numbers({2, 1}), Numbers({2}), Numbers({})}) {
    Ends ends = MakeEnds();
    Put(ends.fetcher, bytes);
    ends.fetcher = Descriptor();
    std::vector<std::uint8_t> out;
    EXPECT_FALSE(ReceiveAnswer(ends.judge.get(), out).ok());
  }
}

TEST(FetchWire, FactsCross) {
  EXPECT_EQ(ReadFacts(WriteFacts(kSomeFacts)), kSomeFacts);
  RemoteFacts facts = kSomeFacts;
  facts.entity = std::string(2 * kLongestFact, 'x');
  EXPECT_EQ(ReadFacts(WriteFacts(facts)).value().entity, std::string(kLongestFact, 'x'));
}

TEST(FetchWire, FactsThatAreNone) {
  const std::vector<std::uint8_t> bytes = WriteFacts(kSomeFacts);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(ReadFacts(Bytes(bytes).first(size)), std::nullopt) << size;
  }
  std::vector<std::uint8_t> more = bytes;
  more.push_back(0);
  EXPECT_EQ(ReadFacts(more), std::nullopt);
  std::vector<std::uint8_t> longer = Numbers({1, 2, 3, kLongestFact + 1});
  longer.resize(longer.size() + kLongestFact + 1 + 16);
  EXPECT_EQ(ReadFacts(longer), std::nullopt);
}

TEST(FetchWire, ErrorsCrossAndAreBounded) {
  const Ends ends = MakeEnds();
  ASSERT_TRUE(SendError(ends.fetcher.get(), absl::NotFoundError(std::string(5000, 'x'))).ok());
  std::vector<std::uint8_t> bytes;
  ASSERT_EQ(ReceiveAnswer(ends.judge.get(), bytes).value(), FetchAnswer::kError);
  EXPECT_EQ(ErrorIn(bytes).message(), std::string(kLongestError, 'x'));
  EXPECT_FALSE(ErrorIn({}).ok());
}

TEST(FetchConfig, Crosses) {
  FetchConfig config;
  config.allow_http = true;
  config.authorities = "/a b";
  config.token = "secret";
  config.proxies.none = "*";
  config.seconds = 7;
  config.judges = 2;
  config.urls = {"https://a/", "https://b/"};
  const FetchConfig read = ReadFetchConfig(WriteFetchConfig(config)).value();
  EXPECT_EQ(WriteFetchConfig(read), WriteFetchConfig(config));
  EXPECT_EQ(read.urls, config.urls);
  EXPECT_TRUE(read.allow_http);
  EXPECT_FALSE(read.allow_private);
  EXPECT_EQ(read.seconds, 7U);
  const std::string text = WriteFetchConfig(config);
  EXPECT_EQ(ReadFetchConfig(text.substr(0, text.size() - 1)), std::nullopt);
  EXPECT_EQ(ReadFetchConfig(""), std::nullopt);
}

}  // namespace
}  // namespace ggufgate
