#pragma once

// Parses the headers of an HTTP answer, and compares them with the request and with earlier
// answers. This code is independent of the transport.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bytes/byte_range.h"

namespace ggufgate {

// AnswerHead holds the header fields of one HTTP answer that are used here.
class AnswerHead {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{60} << 10;  // of all header fields together

  // Take takes the next line, including its end. A status line starts again, because the headers
  // before it belonged to an interim answer. It returns false if there are too many headers.
  [[nodiscard]] bool Take(std::string_view line);

  [[nodiscard]] int status() const { return status_; }
  // Field returns the value of one of kFields, or an empty text if it is missing.
  [[nodiscard]] const std::string& Field(std::string_view name) const;
  // A field that occurred twice with different values, or an empty text.
  [[nodiscard]] std::string_view contradicted() const { return contradicted_; }

  static constexpr std::array<std::string_view, 13> kFields = {
      "content-length", "content-range", "content-encoding",
      "content-type",   "etag",          "last-modified",
      "date",           "location",      "retry-after",
      "x-linked-etag",  "x-linked-size", "transfer-encoding",
      "accept-ranges"};

 private:
  int status_ = 0;
  std::size_t bytes_ = 0;
  std::array<std::string, kFields.size()> values_;
  std::array<bool, kFields.size()> came_{};
  std::string_view contradicted_;
};

// ParseSize parses a number of bytes: only digits, less than 2^63.
[[nodiscard]] std::optional<std::uint64_t> ParseSize(std::string_view text);

// ContentRange is the parsed "bytes 0-499/1234" or "bytes */1234".
struct ContentRange {
  std::optional<ByteRange> range;
  std::uint64_t total = 0;
};
[[nodiscard]] std::optional<ContentRange> ParseContentRange(std::string_view text);

// HttpDate parses "Sun, 06 Nov 1994 08:49:37 GMT" and returns the seconds since 1970.
[[nodiscard]] std::optional<std::int64_t> HttpDate(std::string_view text);

// FilePin holds the facts that a server has sent about a file. None of them may change.
struct FilePin {
  std::optional<std::uint64_t> size;
  std::string entity;    // strong ETag
  std::string modified;  // Last-Modified
  std::string linked_entity;
  std::optional<std::uint64_t> linked_size;
  // No two versions can have the same date: RFC 9110, 8.8.2.2.
  bool modified_is_strong = false;
  bool pinned = false;  // an answer has been accepted

  // Validator returns the value that distinguishes versions, for If-Range. It is empty if there is
  // none.
  [[nodiscard]] std::string Validator() const;
};

// PinLinked records the facts in a redirect of a hub about the target file.
[[nodiscard]] absl::Status PinLinked(const AnswerHead& head, FilePin& pin);

// WantedBytes is the requested range. `whole` means without a range; otherwise [begin, end),
// limited to the size of the file.
struct WantedBytes {
  bool whole = false;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// TakeAnswer compares the header of an answer with status 200, 206 or 416 with the request and with
// the pin, and updates the pin. It returns the number of bytes that must follow.
[[nodiscard]] absl::StatusOr<std::uint64_t> TakeAnswer(const WantedBytes& wanted,
                                                       const AnswerHead& head, FilePin& pin);

}  // namespace ggufgate
