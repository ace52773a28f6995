#pragma once

// Messages between the checking processes and the fetching process. Each checking thread uses one
// socket at a time. Neither process trusts the other: all lengths and numbers are limited.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bytes/bytes.h"
#include "remote/remote_facts.h"

namespace ggufgate {

// FetchRequest is a request of a checking process. The numbers of files are those of the fetcher's
// configuration.
struct FetchRequest {
  enum class Kind : std::uint32_t {
    kBytes = 1,  // `size` bytes from `begin`, or up to the end of the file
    kStream,     // the whole file
    kDone,       // the file is done; there is no answer
  };
  Kind kind = Kind::kBytes;
  std::uint32_t file = 0;
  std::uint64_t begin = 0;
  std::uint64_t size = 0;

  friend bool operator==(const FetchRequest&, const FetchRequest&) = default;
};

// An answer is kFacts, any number of kData, kFacts. kError may replace any of them and ends the
// answer.
enum class FetchAnswer : std::uint32_t { kFacts = 1, kData, kError };
inline constexpr std::size_t kMostAnswerBytes = std::size_t{768} << 10;
inline constexpr std::size_t kLongestError = 2048;

// Both return an error if the other end is closed. The caller must ignore SIGPIPE.
[[nodiscard]] absl::Status SendRequest(int socket, const FetchRequest& request);
[[nodiscard]] absl::Status SendAnswer(int socket, FetchAnswer kind, Bytes bytes);

// ReceiveRequest waits for the next request. It returns nullopt at the end.
[[nodiscard]] absl::StatusOr<std::optional<FetchRequest>> ReceiveRequest(int socket);

// ReceiveAnswer waits for the next answer and stores its bytes in `bytes`. An answer of more than
// kMostAnswerBytes, or of an unknown kind, is an error.
[[nodiscard]] absl::StatusOr<FetchAnswer> ReceiveAnswer(int socket,
                                                        std::vector<std::uint8_t>& bytes);

[[nodiscard]] std::vector<std::uint8_t> WriteFacts(const RemoteFacts& facts);
// ReadFacts returns nullopt for an invalid encoding.
[[nodiscard]] std::optional<RemoteFacts> ReadFacts(Bytes bytes);

// Errors are sent as text of at most kLongestError bytes.
[[nodiscard]] absl::Status SendError(int socket, const absl::Status& error);
[[nodiscard]] absl::Status ErrorIn(Bytes bytes);

}  // namespace ggufgate
