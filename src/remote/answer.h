#pragma once

// What a server says before the bytes: read, and held against what was asked for and what it has
// said before. Nothing here knows how it came.

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

// AnswerHead are the fields of one HTTP answer that mean something here.
class AnswerHead {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{60} << 10;  // of all its fields

  // Take takes the next line, with its end. A status line begins anew: what came before it was an
  // interim answer. False when there are too many.
  [[nodiscard]] bool Take(std::string_view line);

  [[nodiscard]] int status() const { return status_; }
  // Field is the value of one of kFields, empty where it did not come.
  [[nodiscard]] const std::string& Field(std::string_view name) const;
  // A field that came twice and says two things.
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

// ParseSize reads a number of bytes: digits alone, less than 2^63.
[[nodiscard]] std::optional<std::uint64_t> ParseSize(std::string_view text);

// ContentRange is "bytes 0-499/1234", or "bytes */1234".
struct ContentRange {
  std::optional<ByteRange> range;
  std::uint64_t total = 0;
};
[[nodiscard]] std::optional<ContentRange> ParseContentRange(std::string_view text);

// HttpDate reads "Sun, 06 Nov 1994 08:49:37 GMT": seconds since 1970.
[[nodiscard]] std::optional<std::int64_t> HttpDate(std::string_view text);

// FilePin is what a server has said of a file, all of which must stay as it is.
struct FilePin {
  std::optional<std::uint64_t> size;
  std::string entity;    // strong ETag
  std::string modified;  // Last-Modified
  std::string linked_entity;
  std::optional<std::uint64_t> linked_size;
  bool modified_is_strong = false;  // no two versions can have had it: RFC 9110, 8.8.2.2
  bool pinned = false;              // an answer has been taken

  // Validator is what tells two versions apart, for If-Range; empty where there is nothing.
  [[nodiscard]] std::string Validator() const;
};

// PinLinked notes what a redirect of a hub says of the file that it leads to.
[[nodiscard]] absl::Status PinLinked(const AnswerHead& head, FilePin& pin);

// WantedBytes is what was asked for: `whole` without a range, else [begin, end) or what of it the
// file has.
struct WantedBytes {
  bool whole = false;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

// TakeAnswer holds a head of status 200, 206 or 416 against what was asked for and against the pin,
// which it fills in. It gives the number of bytes that must follow.
[[nodiscard]] absl::StatusOr<std::uint64_t> TakeAnswer(const WantedBytes& wanted,
                                                       const AnswerHead& head, FilePin& pin);

}  // namespace ggufgate
