#pragma once

// What the judges and the process that fetches say to each other, through a socket for each judge
// that works at a time. Neither believes the other: every length has a bound, every number a range.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bytes/bytes.h"
#include "remote/remote_facts.h"

namespace ggufgate {

// FetchRequest is what a judge asks for; files are numbered as they were told to the fetcher.
struct FetchRequest {
  enum class Kind : std::uint32_t {
    kBytes = 1,  // `size` bytes from `begin`, or as many as the file has
    kStream,     // all of the file
    kDone,       // no more of it; there is no answer
  };
  Kind kind = Kind::kBytes;
  std::uint32_t file = 0;
  std::uint64_t begin = 0;
  std::uint64_t size = 0;

  friend bool operator==(const FetchRequest&, const FetchRequest&) = default;
};

// An answer is kFacts, kData as often as it takes, kFacts; or kError, in place of any of them.
enum class FetchAnswer : std::uint32_t { kFacts = 1, kData, kError };
inline constexpr std::size_t kMostAnswerBytes = std::size_t{768} << 10;
inline constexpr std::size_t kLongestError = 2048;

// Each gives an error when nobody has the other end. SIGPIPE is ignored by the caller.
[[nodiscard]] absl::Status SendRequest(int socket, const FetchRequest& request);
[[nodiscard]] absl::Status SendAnswer(int socket, FetchAnswer kind, Bytes bytes);

// ReceiveRequest waits for the next; nothing at the end.
[[nodiscard]] absl::StatusOr<std::optional<FetchRequest>> ReceiveRequest(int socket);

// ReceiveAnswer waits for the next answer and puts its bytes into `bytes`. One of more than
// kMostAnswerBytes, or of no known kind, is an error.
[[nodiscard]] absl::StatusOr<FetchAnswer> ReceiveAnswer(int socket,
                                                        std::vector<std::uint8_t>& bytes);

[[nodiscard]] std::vector<std::uint8_t> WriteFacts(const RemoteFacts& facts);
// Nothing of bytes that are no facts.
[[nodiscard]] std::optional<RemoteFacts> ReadFacts(Bytes bytes);

// Errors cross as text, at most kLongestError bytes of it.
[[nodiscard]] absl::Status SendError(int socket, const absl::Status& error);
[[nodiscard]] absl::Status ErrorIn(Bytes bytes);

}  // namespace ggufgate
