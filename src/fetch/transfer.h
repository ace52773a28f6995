#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "fetch/exchange.h"

namespace ggufgate {

// Transfer is one exchange, as the callbacks of libcurl see it. All objects that it is made of must
// outlive it.
class Transfer {
 public:
  Transfer(CURL* handle, const FetchConfig& config, const ExchangeWish& wish,
           const AnswerTaker& take_head, const ByteTaker& take_bytes)
      : handle_(handle),
        config_(config),
        wish_(wish),
        take_head_(take_head),
        take_bytes_(take_bytes) {}

  // Line handles a header line, or a trailer line after the bytes. Body handles bytes. Both return
  // false to stop the transfer.
  [[nodiscard]] bool Line(std::string_view line);
  [[nodiscard]] bool Body(Bytes bytes);
  // Received counts the bytes of a body before libcurl cuts it to the announced length.
  void Received(std::uint64_t bytes) { received_ += bytes; }
  // Waits is called at least once per second. It returns false if the server takes too long.
  [[nodiscard]] bool Waits();
  // Open returns a new socket for an address of the host, or -1 if connections to that address are
  // not allowed.
  [[nodiscard]] int Open(const curl_sockaddr& address);
  // RunOut records that memory has run out. It allocates none.
  void RunOut() { out_of_memory_ = true; }
  void GoesThroughProxy() { via_proxy_ = true; }

  // Finish converts the result of libcurl into an ExchangeResult.
  [[nodiscard]] ExchangeResult Finish(CURLcode code, const char* words);

 private:
  using Clock = std::chrono::steady_clock;

  bool Stop(absl::Status why);
  bool Late();
  void Came(std::uint64_t bytes);
  bool TakeHead();
  bool TakeBody(Bytes bytes);
  bool PassOver();
  void MissingBytes();
  [[nodiscard]] bool SaysItsLength() const;
  [[nodiscard]] bool IsMoreHere() const;
  bool TooManyBytes();
  [[nodiscard]] bool MetOldBytes(CURLcode code) const;
  void Fail(CURLcode code, const char* words);

  CURL* handle_;
  const FetchConfig& config_;
  const ExchangeWish& wish_;
  const AnswerTaker& take_head_;
  const ByteTaker& take_bytes_;
  ExchangeResult result_;
  AnswerHead trailer_;
  absl::Status stopped_;
  bool out_of_memory_ = false;
  bool head_taken_ = false;
  bool refused_ = false;
  bool via_proxy_ = false;
  curl_socket_t socket_ = CURL_SOCKET_BAD;  // the socket opened last for this transfer
  std::uint64_t left_ = 0;                  // bytes that must still come
  std::uint64_t received_ = 0;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point window_ = begin_;
  std::uint64_t window_bytes_ = 0;
};

}  // namespace ggufgate
