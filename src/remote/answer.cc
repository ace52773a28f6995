#include "remote/answer.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "bytes/grouped.h"

namespace ggufgate {
namespace {

absl::Status Odd(std::string text) { return absl::FailedPreconditionError(std::move(text)); }
absl::Status Changed(const char* what) {
  return absl::AbortedError(
      absl::StrCat("the file changed while it was fetched: another ", what, " than before"));
}

// IsStrong also requires printable characters. The value is sent back (If-Range), possibly to
// another server, and some servers treat a carriage return as the end of the header line.
bool IsStrong(std::string_view entity) {
  const auto prints = [](char c) { return static_cast<std::uint8_t>(c) >= ' ' && c != '\x7F'; };
  return entity.size() >= 2 && entity.starts_with('"') &&
         entity.find('"', 1) == entity.size() - 1 && std::ranges::all_of(entity, prints);
}

// ModifiedIsStrong tells whether the answer is at least a minute newer than the file.
bool ModifiedIsStrong(const AnswerHead& head) {
  constexpr std::int64_t kApart = 60;
  const auto modified = HttpDate(head.Field("last-modified"));
  const auto date = HttpDate(head.Field("date"));
  return modified && date && *date >= kApart && *modified <= *date - kApart;
}

// PinText compares a field with its pinned value. A field must not appear or disappear either.
absl::Status PinText(const std::string& value, const char* what, const FilePin& pin,
                     std::string& pinned) {
  constexpr std::size_t kLongest = 500;
  if (value.size() > kLongest) {
    return Odd(absl::StrCat("its ", what, " is longer than ", kLongest, " bytes"));
  }

  if (pin.pinned && value != pinned) return Changed(what);
  pinned = value;
  return absl::OkStatus();
}

absl::Status PinSize(std::uint64_t size, FilePin& pin) {
  if (pin.size && *pin.size != size) return Changed("size");
  if (pin.linked_size && *pin.linked_size != size) {
    return Odd(absl::StrCat("the server of the redirect has ", Grouped(size),
                            " bytes of it, and X-Linked-Size says ", Grouped(*pin.linked_size)));
  }
  pin.size = size;
  return absl::OkStatus();
}

// PinIdentity also checks whether answers can be combined at all.
absl::Status PinIdentity(const AnswerHead& head, FilePin& pin) {
  const std::string& entity = head.Field("etag");
  const std::string strong = IsStrong(entity) ? entity : std::string();
  if (absl::Status same = PinText(strong, "ETag", pin, pin.entity); !same.ok()) return same;
  if (absl::Status same = PinText(head.Field("last-modified"), "Last-Modified", pin, pin.modified);
      !same.ok()) {
    return same;
  }
  if (pin.pinned && pin.Validator().empty()) {
    return Odd(
        "the server sends no strong ETag or Last-Modified, so the file could change between two "
        "requests; fetch it, then check the file");
  }
  pin.modified_is_strong = pin.pinned ? pin.modified_is_strong : ModifiedIsStrong(head);
  pin.pinned = true;
  return absl::OkStatus();
}

absl::Status CheckContradiction(const AnswerHead& head) {
  if (head.contradicted().empty()) return absl::OkStatus();
  return Odd(absl::StrCat("the answer has two values of ", std::string(head.contradicted())));
}

absl::Status CheckEncoding(const AnswerHead& head) {
  if (absl::Status one = CheckContradiction(head); !one.ok()) return one;
  const std::string transfer = absl::AsciiStrToLower(head.Field("transfer-encoding"));
  if (!transfer.empty() && transfer != "chunked" && transfer != "identity") {
    return Odd("the answer is compressed (Transfer-Encoding), but this was not requested");
  }
  const std::string& coding = head.Field("content-encoding");
  if (!coding.empty() && coding != "identity") {
    return Odd("the answer is compressed (Content-Encoding), but this was not requested");
  }
  return absl::OkStatus();
}

// LengthOf returns Content-Length, or nullopt if it is missing.
absl::StatusOr<std::optional<std::uint64_t>> LengthOf(const AnswerHead& head) {
  const std::string& field = head.Field("content-length");
  if (field.empty()) return std::nullopt;
  const std::optional<std::uint64_t> length = ParseSize(field);
  if (!length) return Odd("its Content-Length is not a number of bytes");
  return length;
}

absl::StatusOr<std::uint64_t> TakeWhole(const AnswerHead& head, FilePin& pin) {
  const absl::StatusOr<std::optional<std::uint64_t>> length = LengthOf(head);
  if (!length.ok()) return length.status();
  if (!*length) return Odd("the server does not send the length of the file (no Content-Length)");
  if (absl::Status same = PinSize(**length, pin); !same.ok()) return same;
  if (absl::Status same = PinIdentity(head, pin); !same.ok()) return same;
  return **length;
}

// TakeNothing handles an empty file, which has no valid range.
absl::StatusOr<std::uint64_t> TakeNothing(const WantedBytes& wanted, const AnswerHead& head,
                                          FilePin& pin) {
  const auto found = ParseContentRange(head.Field("content-range"));
  if (!found || found->range || found->total != 0 || wanted.begin != 0 || wanted.whole) {
    return Odd("the server lacks the requested bytes (416)");
  }
  if (absl::Status same = PinSize(0, pin); !same.ok()) return same;
  return 0;
}

absl::StatusOr<std::uint64_t> TakeRange(const WantedBytes& wanted, const AnswerHead& head,
                                        FilePin& pin) {
  if (head.Field("content-type").starts_with("multipart/")) {
    return Odd("the answer is in several parts (multipart/byteranges), but this was not requested");
  }
  const std::string& field = head.Field("content-range");
  if (field.empty())
    return Odd("the answer does not say which bytes it contains (no Content-Range)");
  const std::optional<ContentRange> found = ParseContentRange(field);
  if (!found || !found->range) return Odd("its Content-Range is invalid");
  if (absl::Status same = PinSize(found->total, pin); !same.ok()) return same;
  if (wanted.begin >= found->total) return Odd("its Content-Range is outside this file");
  const ByteRange expected = ByteRange::Between(wanted.begin, std::min(wanted.end, found->total));
  if (*found->range != expected) {
    return Odd(absl::StrCat("the answer has ", Grouped(found->range->size), " bytes from byte ",
                            Grouped(found->range->begin), "; asked for were ",
                            Grouped(expected.size), " from byte ", Grouped(expected.begin)));
  }
  const absl::StatusOr<std::optional<std::uint64_t>> length = LengthOf(head);
  if (!length.ok()) return length.status();
  if (*length && **length != expected.size) {
    return Odd("its Content-Length contradicts its Content-Range");
  }
  if (absl::Status same = PinIdentity(head, pin); !same.ok()) return same;
  return expected.size;
}

// NotARange explains why the server sent the whole file instead of a range.
absl::Status NotARange(const AnswerHead& head, const FilePin& pin) {
  const std::string& entity = head.Field("etag");
  if (!pin.entity.empty() && entity != pin.entity) return Changed("ETag");
  if (!pin.modified.empty() && head.Field("last-modified") != pin.modified) {
    return Changed("Last-Modified");
  }
  return Odd(
      "the server ignores ranges and sends the whole file; use --data full, which reads the whole "
      "file");
}

}  // namespace

std::string FilePin::Validator() const {
  if (!entity.empty()) return entity;
  return modified_is_strong ? modified : std::string();
}

absl::Status PinLinked(const AnswerHead& head, FilePin& pin) {
  if (absl::Status one = CheckContradiction(head); !one.ok()) return one;
  const std::string& entity = head.Field("x-linked-etag");
  const std::string& size = head.Field("x-linked-size");
  if (!entity.empty()) {
    if (!pin.linked_entity.empty() && pin.linked_entity != entity) {
      return Changed("X-Linked-Etag");
    }
    pin.linked_entity = entity;
  }
  if (size.empty()) return absl::OkStatus();
  const std::optional<std::uint64_t> bytes = ParseSize(size);
  if (!bytes) return Odd("its X-Linked-Size is not a number of bytes");
  if (pin.linked_size && *pin.linked_size != *bytes) return Changed("X-Linked-Size");
  pin.linked_size = bytes;
  return absl::OkStatus();
}

absl::StatusOr<std::uint64_t> TakeAnswer(const WantedBytes& wanted, const AnswerHead& head,
                                         FilePin& pin) {
  constexpr int kAll = 200;
  constexpr int kPart = 206;
  if (absl::Status plain = CheckEncoding(head); !plain.ok()) return plain;
  if (head.status() == kAll) {
    // An empty file has no valid range. Some servers answer with the whole file instead of 416.
    const bool empty = wanted.begin == 0 && head.Field("content-length") == "0";
    if (wanted.whole || (empty && !pin.pinned)) return TakeWhole(head, pin);
    return NotARange(head, pin);
  }
  if (head.status() != kPart) return TakeNothing(wanted, head, pin);
  if (wanted.whole)
    return Odd("the answer is a part of the file, but the whole file was requested");
  return TakeRange(wanted, head, pin);
}

}  // namespace ggufgate
