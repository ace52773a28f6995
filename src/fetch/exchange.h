#pragma once

#include <curl/curl.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "bytes/bytes.h"
#include "remote/address.h"
#include "remote/answer.h"
#include "remote/fetch_config.h"

namespace ggufgate {

// ExchangeWish is one HTTP request.
struct ExchangeWish {
  Address address;
  WantedBytes wanted;
  std::string validator;             // for If-Range; empty: none
  bool credentials = false;          // the host is the one that was named, not one that it leads to
  std::chrono::seconds most_time{};  // for all of it; 0: as long as bytes come
};

// ExchangeResult is how it ended.
struct ExchangeResult {
  AnswerHead head;
  absl::Status status;      // OK: the answer is there, and of status 200 or 206 all its bytes
  bool passing = false;     // another try may end better
  std::string moved_to;     // of a redirect: the address, made absolute
  std::uint64_t bytes = 0;  // that came
};

// AnswerTaker is told of the head of an answer 200 or 206 before its bytes, and gives how many must
// follow; an error ends the exchange.
using AnswerTaker = std::function<absl::StatusOr<std::uint64_t>(const AnswerHead&)>;
// ByteTaker gets bytes as they come; an error ends the exchange.
using ByteTaker = std::function<absl::Status(Bytes)>;

// Exchanger does one HTTP exchange after the other, over connections that it keeps. It follows no
// redirect and repeats nothing: that is for who knows the file. One thread.
class Exchanger {
 public:
  // `config` outlives it.
  explicit Exchanger(const FetchConfig& config);

  [[nodiscard]] ExchangeResult Run(const ExchangeWish& wish, const AnswerTaker& take_head,
                                   const ByteTaker& take_bytes);

 private:
  struct Close {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
  };
  // SetUp is false where libcurl does not take an option.
  [[nodiscard]] bool SetUp(const ExchangeWish& wish, class Transfer& transfer);

  const FetchConfig& config_;
  std::unique_ptr<CURL, Close> handle_;
};

}  // namespace ggufgate
