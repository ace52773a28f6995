#pragma once

#include <cstdint>
#include <optional>

#include "bytes/bytes.h"
#include "format/limits.h"
#include "parse/document.h"
#include "parse/string_runs.h"

namespace ggufgate {

// FrontGrowth controls how the front of a file grows if the parser only needs the next byte.
struct FrontGrowth {
  std::uint64_t first;   // bytes of the first front
  std::uint64_t second;  // least size of the second front
  std::uint64_t factor;  // largest growth factor afterwards
  // If not 0: the growth with a parser that skips strings which it has checked before. The caller
  // must keep the front, and read only the bytes after it: bytes that changed would not be checked.
  std::uint64_t step;
  bool far_away = false;  // each read costs a request: use the estimate of EstimatePrefix()
};

// The metadata of a shard, or of a model without a vocabulary, fit into the first front. Later
// fronts grow by little, so that no bytes after the metadata are read needlessly. The work is at
// most 16/15 of the last parse. Memory is at most 8 MiB or sixteen times the metadata.
inline constexpr FrontGrowth kFileGrowth = {.first = std::uint64_t{64} << 10,
                                            .second = std::uint64_t{8} << 20,
                                            .factor = 16,
                                            .step = std::uint64_t{2} << 20};
// For a file on a server, the excess over the metadata is seldom more than a twentieth.
inline constexpr FrontGrowth kFarGrowth = {.first = kFileGrowth.first,
                                           .second = kFileGrowth.second,
                                           .factor = 16,
                                           .step = 0,
                                           .far_away = true};
// The first MiB of a pipe is kept anyway, to find the cause of a fault in it.
inline constexpr FrontGrowth kPipeGrowth = {
    .first = std::uint64_t{1} << 20, .second = std::uint64_t{2} << 20, .factor = 2, .step = 0};
// A module in a browser has little memory.
inline constexpr FrontGrowth kModuleGrowth = {
    .first = kFileGrowth.first, .second = kFileGrowth.second, .factor = 2, .step = 0};

// FrontSteps parses the front of a file, but never reads. It states how many bytes it needs, and
// the caller passes them, until they contain all metadata. It keeps only views of the bytes.
//
// It trusts no number in the file: wanted() never exceeds the size of the file. After the first
// front it never exceeds the limit on metadata.
class FrontSteps {
 public:
  // `limits` must outlive the steps.
  FrontSteps(std::uint64_t file_size, const Limits& limits, const FrontGrowth& growth);

  // Size of the next front for Give().
  [[nodiscard]] std::uint64_t wanted() const { return wanted_; }
  // The least possible size of the metadata, from the part that was parsed.
  [[nodiscard]] std::uint64_t needed() const { return needed_; }
  // A capacity that is likely enough for the front after the next, too. At least wanted().
  [[nodiscard]] std::uint64_t room() const { return room_; }

  // Give takes the first bytes of the file, at least wanted(), and parses them. If they contain all
  // metadata, it returns the document, which views them. nullopt means that it needs more. The size
  // of a pipe is known only at its end, so `file_size` may differ from the size at first.
  [[nodiscard]] std::optional<Document> Give(Bytes front, std::uint64_t file_size);

 private:
  const Limits& limits_;
  const FrontGrowth growth_;
  std::uint64_t wanted_;
  std::uint64_t needed_ = 0;
  std::uint64_t room_;
  StringRuns known_;  // of the last parse
};

// GrowFront is the loop for callers that can read. `more` returns the first bytes of the file, at
// least steps.wanted(), or nothing, which stops the loop. `give` passes them to the steps and
// returns true if they contain all metadata.
template <typename More, typename Give>
[[nodiscard]] bool GrowFront(const More& more, const Give& give) {
  while (const std::optional<Bytes> front = more()) {
    if (give(*front)) return true;
  }
  return false;
}

}  // namespace ggufgate
