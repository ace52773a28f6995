#pragma once

#include <cstdint>
#include <optional>

#include "bytes/bytes.h"
#include "format/limits.h"
#include "parse/document.h"

namespace ggufgate {

// FrontGrowth says how the front of a file grows where the parser needs no more than the next byte.
struct FrontGrowth {
  std::uint64_t first;   // bytes of the first front
  std::uint64_t second;  // at least so many of the next
  std::uint64_t factor;  // at most so many times as many from then on
  bool far_away =
      false;  // each read costs a request: the front grows to the guess of EstimatePrefix()
};

// A shard or a model without a vocabulary ends its metadata in the first front, nearly every other
// in the second. The work is at most 16/15 of the last parse, and memory 8 MiB or sixteen times the
// metadata.
inline constexpr FrontGrowth kFileGrowth = {
    .first = std::uint64_t{64} << 10, .second = std::uint64_t{8} << 20, .factor = 16};
// Of a file on a server, seldom more than a tenth is read in excess of the metadata.
inline constexpr FrontGrowth kFarGrowth = {
    .first = kFileGrowth.first, .second = kFileGrowth.second, .factor = 16, .far_away = true};
// The first MiB of a pipe is held anyway: the cause of a fault is looked for in it.
inline constexpr FrontGrowth kPipeGrowth = {
    .first = std::uint64_t{1} << 20, .second = std::uint64_t{2} << 20, .factor = 2};
// A module in a browser has little memory.
inline constexpr FrontGrowth kModuleGrowth = {
    .first = kFileGrowth.first, .second = kFileGrowth.second, .factor = 2};

// FrontSteps parses the front of a file and never reads: it states how many bytes it wants, and the
// caller gives them, until they hold all metadata. Of the bytes it keeps only views.
//
// No number in the file is trusted: wanted() never exceeds the size of the file. After the first
// front it never exceeds the limit of metadata.
class FrontSteps {
 public:
  // `limits` outlives the steps.
  FrontSteps(std::uint64_t file_size, const Limits& limits, const FrontGrowth& growth);

  // How many of the first bytes Give() is to get next.
  [[nodiscard]] std::uint64_t wanted() const { return wanted_; }
  // The least size of the metadata, by the part that was given.
  [[nodiscard]] std::uint64_t needed() const { return needed_; }
  // Room for so many is likely enough for the front after that, too. At least wanted().
  [[nodiscard]] std::uint64_t room() const { return room_; }

  // Give takes the first bytes of the file, wanted() or more, and parses them. It returns
  // the document, a view of them, once they hold all metadata; nothing means that more are needed.
  // The size of a pipe is known only at its end: `file_size` may differ from the size at first.
  [[nodiscard]] std::optional<Document> Give(Bytes front, std::uint64_t file_size);

 private:
  const Limits& limits_;
  const FrontGrowth growth_;
  std::uint64_t wanted_;
  std::uint64_t needed_ = 0;
  std::uint64_t room_;
};

// GrowFront is the loop for callers who can read: `more` returns the first bytes of the file,
// steps.wanted() of them or more, or nothing, which ends the loop; `give` passes them to the steps
// and returns true when they hold all metadata.
template <typename More, typename Give>
[[nodiscard]] bool GrowFront(const More& more, const Give& give) {
  while (const std::optional<Bytes> front = more()) {
    if (give(*front)) return true;
  }
  return false;
}

}  // namespace ggufgate
