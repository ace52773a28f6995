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

// FetchedFile is one file on a server, for all judges that ask for it. What has been fetched of its
// front is kept until all have said that they are done: it is fetched once. Safe to call from
// several threads; they take turns.
class FetchedFile {
 public:
  static constexpr std::uint64_t kMostRequests = 500;  // that judges may cause; they may be hostile
  static constexpr std::uint64_t kMostKept = std::uint64_t{512} << 20;  // of a front

  // `kept` counts the bytes that all files keep: where it is more than kMostKept, no front is kept
  // for the next who asks. Both outlive it.
  FetchedFile(std::string url, const FetchConfig& config, std::atomic<std::uint64_t>& kept);

  // Read puts [begin, begin + size), as far as the file goes, into `out`.
  [[nodiscard]] absl::Status Read(Exchanger& exchanger, std::uint64_t begin, std::uint64_t size,
                                  std::vector<std::uint8_t>& out);

  // Stream fetches all of it. `begin` is called once, when it is known how long the file is. Errors
  // of `begin` and `take` are those of a judge (kCancelled) and no fault of the file.
  using FactsTaker = std::function<absl::Status(const RemoteFacts&)>;
  [[nodiscard]] absl::Status Stream(Exchanger& exchanger, const FactsTaker& begin,
                                    const ByteTaker& take);

  [[nodiscard]] RemoteFacts Facts() const;
  void Done();

 private:
  // Fetch gives the bytes of `wanted` to `take`, in order and each once, whatever breaks between.
  // `begin` is told of each answer before its bytes.
  using Beginner = std::function<absl::Status()>;
  [[nodiscard]] absl::Status Fetch(Exchanger& exchanger, WantedBytes wanted, const Beginner& begin,
                                   const ByteTaker& take);
  struct Try {
    absl::Status status;
    bool passing = false;
    std::uint64_t wait_seconds = 0;  // that the server asks for
  };
  [[nodiscard]] Try Once(Exchanger& exchanger, WantedBytes& wanted, const Beginner& begin,
                         const ByteTaker& take);
  [[nodiscard]] Try Follow(Exchanger& exchanger, WantedBytes& wanted, const Beginner& begin,
                           const ByteTaker& take);
  [[nodiscard]] absl::Status MoveTo(const ExchangeResult& result, Address& address);
  [[nodiscard]] absl::Status ExtendFront(Exchanger& exchanger, std::uint64_t end);
  // Append puts bytes that stand at `at` behind the front, as far as `most`; those that are there
  // already must be the same.
  [[nodiscard]] absl::Status Append(Bytes bytes, std::uint64_t at, std::uint64_t most);
  [[nodiscard]] RemoteFacts FactsNow() const;

  void Forget();

  const FetchConfig& config_;
  const std::string url_;
  std::atomic<std::uint64_t>& kept_;
  mutable std::mutex mutex_;  // guards what follows
  FilePin pin_;
  std::string moved_to_;  // where its redirects ended; empty: not known, or not any more
  absl::Status failed_;   // what is wrong with its server, from then on
  std::vector<std::uint8_t> front_;
  std::uint64_t done_ = 0;
  std::uint64_t fetched_ = 0;
  std::uint64_t requests_ = 0;
};

}  // namespace ggufgate
