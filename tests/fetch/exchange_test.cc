// Errors on this side of an exchange: out of memory, options that libcurl rejects. tests/remote
// tests the behaviour of servers.

#include "fetch/exchange.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <thread>

#include "fetch/fetched_file.h"

namespace ggufgate {
namespace {

constexpr std::string_view kAnswer =
    "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-3/4\r\nContent-Length: 4\r\n"
    "ETag: \"one\"\r\nConnection: close\r\n\r\nGGUF";

// OneAnswer is a server on this machine that sends the same answer to each client, `head` before
// the rest.
class OneAnswer {
 public:
  explicit OneAnswer(std::string_view answer = kAnswer, std::string_view head = "")
      : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    std::signal(SIGPIPE, SIG_IGN);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(::listen(listener_, 4), 0);
    socklen_t size = sizeof(address);
    EXPECT_EQ(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this, answer, head] {
      for (int client = 0; (client = ::accept(listener_, nullptr, nullptr)) >= 0;) {
        std::array<char, 4096> request{};
        if (::read(client, request.data(), request.size()) > 0) {
          for (const std::string_view part : {head, answer}) {
            EXPECT_EQ(::write(client, part.data(), part.size()), static_cast<ssize_t>(part.size()));
          }
        }
        ::close(client);
      }
    });
  }
  OneAnswer(const OneAnswer&) = delete;
  OneAnswer& operator=(const OneAnswer&) = delete;
  ~OneAnswer() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
  }

  [[nodiscard]] ExchangeWish Wish() const {
    return {.address = {.scheme = "http", .host = "127.0.0.1", .port = port_, .target = "/"},
            .wanted = {.whole = false, .begin = 0, .end = 4},
            .validator = {}};
  }

 private:
  int listener_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

FetchConfig Loopback() {
  FetchConfig config;
  config.allow_private = true;
  config.allow_http = true;
  return config;
}

absl::StatusOr<std::uint64_t> FourBytes(const AnswerHead& /*head*/) { return 4; }
absl::Status Taken(Bytes /*bytes*/) { return absl::OkStatus(); }

TEST(Exchanger, MemoryThatEndsEndsOneExchange) {
  const OneAnswer server;
  const FetchConfig config = Loopback();
  Exchanger exchanger(config);
  const ExchangeResult ended = exchanger.Run(server.Wish(), FourBytes,
                                             [](Bytes) -> absl::Status { throw std::bad_alloc(); });
  EXPECT_TRUE(absl::IsResourceExhausted(ended.status)) << ended.status;
  EXPECT_FALSE(ended.passing);
  const ExchangeResult head = exchanger.Run(
      server.Wish(),
      [](const AnswerHead&) -> absl::StatusOr<std::uint64_t> { throw std::bad_alloc(); }, Taken);
  EXPECT_TRUE(absl::IsResourceExhausted(head.status)) << head.status;
  const ExchangeResult next = exchanger.Run(server.Wish(), FourBytes, Taken);
  EXPECT_TRUE(next.status.ok()) << next.status;
  EXPECT_EQ(next.bytes, 4U);
}

// The bytes after an answer come with its last bytes, or separately.
TEST(Exchanger, BytesBehindAnAnswerAreTooMany) {
  const FetchConfig config = Loopback();
  const std::string head(kAnswer.substr(0, kAnswer.size() - 4));
  const std::string kept =
      "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-3/4\r\n"
      "Content-Length: 4\r\nETag: \"one\"\r\n\r\n";
  for (const std::string& first : {head, kept}) {
    for (const bool together : {true, false}) {
      const std::string more = (together ? first : "") + "GGUFmore";
      const OneAnswer server(more, together ? "" : std::string_view(first));
      Exchanger exchanger(config);
      const ExchangeResult result = exchanger.Run(server.Wish(), FourBytes, Taken);
      EXPECT_EQ(result.status.message(), "the server sent more bytes than it announced")
          << first << together;
      EXPECT_FALSE(result.passing);
    }
    const std::string exact = first + "GGUF";
    const OneAnswer server(exact);
    Exchanger exchanger(config);
    EXPECT_TRUE(exchanger.Run(server.Wish(), FourBytes, Taken).status.ok());
  }
}

// A label of more than 63 characters is in no zone, so no resolver asks another machine.
TEST(Exchanger, AHostThatIsNotFoundMayBeLookedUpAgain) {
  const OneAnswer server;
  const FetchConfig config = Loopback();
  Exchanger exchanger(config);
  ExchangeWish nowhere = server.Wish();
  nowhere.address.host = std::string(64, 'a') + ".invalid";
  for (int tries = 0; tries < 3; ++tries) {
    const ExchangeResult result = exchanger.Run(nowhere, FourBytes, Taken);
    EXPECT_EQ(result.status.message(), "host " + nowhere.address.host + " was not found");
    EXPECT_TRUE(result.passing);
  }
  const ExchangeResult next = exchanger.Run(server.Wish(), FourBytes, Taken);
  EXPECT_TRUE(next.status.ok()) << next.status;
}

// Like lack of memory in curl_easy_setopt(): neither the certificates, nor the proxy, nor the check
// of addresses may be left out silently.
TEST(Exchanger, AnOptionThatIsNotTakenIsNotLeftOut) {
  constexpr std::size_t kTooLong = 8'000'001;  // for libcurl: CURL_MAX_INPUT_LENGTH
  const OneAnswer server;
  for (std::string FetchConfig::* field : {&FetchConfig::authorities, &FetchConfig::netrc}) {
    FetchConfig config = Loopback();
    config.*field = std::string(kTooLong, 'x');
    ExchangeWish wish = server.Wish();
    wish.credentials = true;
    wish.address.scheme = field == &FetchConfig::netrc ? "https" : "http";
    Exchanger exchanger(config);
    const ExchangeResult result = exchanger.Run(wish, FourBytes, Taken);
    EXPECT_TRUE(absl::IsResourceExhausted(result.status)) << result.status;
  }
  FetchConfig config = Loopback();
  config.proxies.http = std::string(kTooLong, 'x');
  Exchanger exchanger(config);
  const ExchangeResult result = exchanger.Run(server.Wish(), FourBytes, Taken);
  EXPECT_TRUE(absl::IsResourceExhausted(result.status)) << result.status;
}

// The number in docs/threat-model.md.
TEST(FetchedFile, AsksFiveHundredTimes) { EXPECT_EQ(FetchedFile::kMostRequests, 500U); }

}  // namespace
}  // namespace ggufgate
