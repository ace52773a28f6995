#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "fetch/exchange.h"

namespace ggufgate {

// Transfer is one exchange, as libcurl's callbacks see it. All outlive it that it is made of.
class Transfer {
 public:
  Transfer(CURL* handle, const FetchConfig& config, const ExchangeWish& wish,
           const AnswerTaker& take_head, const ByteTaker& take_bytes)
      : handle_(handle),
        config_(config),
        wish_(wish),
        take_head_(take_head),
        take_bytes_(take_bytes) {}

  // Line takes a line of the head, or of what stands behind the bytes; Body takes bytes. False ends
  // the transfer.
  [[nodiscard]] bool Line(std::string_view line);
  [[nodiscard]] bool Body(Bytes bytes);
  // Received counts what came of a body, before libcurl cuts it to the length that was announced.
  void Received(std::uint64_t bytes) { received_ += bytes; }
  // Waits is asked once a second or more often; false when the server has kept us too long.
  [[nodiscard]] bool Waits();
  // Open is a new socket to an address that the name of the host has led to; -1: not to that.
  [[nodiscard]] int Open(const curl_sockaddr& address);
  // RunOut is said where memory has ended, and asks for none.
  void RunOut() { out_of_memory_ = true; }
  void GoesThroughProxy() { via_proxy_ = true; }

  // Finish makes of what libcurl says how it ended.
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
  curl_socket_t socket_ = CURL_SOCKET_BAD;  // opened last for this transfer
  std::uint64_t left_ = 0;                  // bytes that must still come
  std::uint64_t received_ = 0;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point window_ = begin_;
  std::uint64_t window_bytes_ = 0;
};

}  // namespace ggufgate
