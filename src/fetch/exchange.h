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
  bool credentials = false;          // the host is the one that was named, not a redirect target
  std::chrono::seconds most_time{};  // for the whole exchange; 0: as long as bytes come
};

// ExchangeResult is the result of an exchange.
struct ExchangeResult {
  AnswerHead head;
  // OK: the answer is complete; with status 200 or 206, all its bytes have come.
  absl::Status status;
  bool passing = false;     // a retry may succeed
  std::string moved_to;     // the absolute address of a redirect
  std::uint64_t bytes = 0;  // bytes received
};

// AnswerTaker gets the header of an answer with status 200 or 206 before its bytes. It returns the
// number of bytes that must follow; an error stops the exchange.
using AnswerTaker = std::function<absl::StatusOr<std::uint64_t>(const AnswerHead&)>;
// ByteTaker gets the bytes as they come. An error stops the exchange.
using ByteTaker = std::function<absl::Status(Bytes)>;

// Exchanger performs one HTTP exchange after the other, and keeps its connections open. It neither
// follows redirects nor retries: the caller, which knows the file, does that. It must be used in
// one thread.
class Exchanger {
 public:
  // `config` must outlive it.
  explicit Exchanger(const FetchConfig& config);

  [[nodiscard]] ExchangeResult Run(const ExchangeWish& wish, const AnswerTaker& take_head,
                                   const ByteTaker& take_bytes);

 private:
  struct Close {
    void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
  };
  // SetUp returns false if libcurl rejects an option.
  [[nodiscard]] bool SetUp(const ExchangeWish& wish, class Transfer& transfer);

  const FetchConfig& config_;
  std::unique_ptr<CURL, Close> handle_;
};

}  // namespace ggufgate
