#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "fetch/exchange.h"
#include "remote/fetch_wire.h"

namespace ggufgate {

// FetchedFile is one file on a server, for all processes that read it. It keeps the front that it
// has fetched until all of them are done, so the front is fetched once. Several threads may call
// it; they take turns.
class FetchedFile {
 public:
  // Limit of requests for the checking processes, which may be controlled by a malicious file.
  static constexpr std::uint64_t kMostRequests = 500;
  static constexpr std::uint64_t kMostKept = std::uint64_t{512} << 20;  // bytes of a front

  // `kept` counts the bytes that all files keep. Above kMostKept, no front is kept for later
  // readers. Both arguments must outlive it.
  FetchedFile(std::string url, const FetchConfig& config, std::atomic<std::uint64_t>& kept);

  // Read reads [begin, begin + size), up to the end of the file, into `out`.
  [[nodiscard]] absl::Status Read(Exchanger& exchanger, std::uint64_t begin, std::uint64_t size,
                                  std::vector<std::uint8_t>& out);

  // Stream fetches the whole file. It calls `begin` once, when the size of the file is known.
  // Errors of `begin` and `take` come from the reader (kCancelled), not from the file.
  using FactsTaker = std::function<absl::Status(const RemoteFacts&)>;
  [[nodiscard]] absl::Status Stream(Exchanger& exchanger, const FactsTaker& begin,
                                    const ByteTaker& take);

  [[nodiscard]] RemoteFacts Facts() const;
  void Done();

 private:
  // Fetch passes the bytes of `wanted` to `take`, in order and each once, also after interruptions.
  // It calls `begin` for each answer before its bytes.
  using Beginner = std::function<absl::Status()>;
  [[nodiscard]] absl::Status Fetch(Exchanger& exchanger, WantedBytes wanted, const Beginner& begin,
                                   const ByteTaker& take);
  struct Try {
    absl::Status status;
    bool passing = false;
    std::uint64_t wait_seconds = 0;  // that the server requests
  };
  [[nodiscard]] Try Once(Exchanger& exchanger, WantedBytes& wanted, const Beginner& begin,
                         const ByteTaker& take);
  [[nodiscard]] Try Follow(Exchanger& exchanger, WantedBytes& wanted, const Beginner& begin,
                           const ByteTaker& take);
  [[nodiscard]] absl::Status MoveTo(const ExchangeResult& result, Address& address);
  [[nodiscard]] absl::Status ExtendFront(Exchanger& exchanger, std::uint64_t end);
  // Append adds bytes with offset `at` to the front, up to `most`. Bytes that the front already has
  // must be the same.
  [[nodiscard]] absl::Status Append(Bytes bytes, std::uint64_t at, std::uint64_t most);
  [[nodiscard]] RemoteFacts FactsNow() const;

  void Forget();

  const FetchConfig& config_;
  const std::string url_;
  std::atomic<std::uint64_t>& kept_;
  mutable std::mutex mutex_;  // guards the members below
  FilePin pin_;
  // The target of its redirects; empty if unknown or no longer valid.
  std::string moved_to_;
  absl::Status failed_;  // first error of its server; all later reads fail
  std::vector<std::uint8_t> front_;
  std::uint64_t done_ = 0;
  std::uint64_t fetched_ = 0;
  std::uint64_t requests_ = 0;
};

}  // namespace ggufgate
