#pragma once

// One scan of the tensor data for all rules that check it. Not for users of the library.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bytes/byte_range.h"
#include "bytes/byte_source.h"
#include "check/hooks.h"
#include "check/policy.h"
#include "scan/tally.h"

namespace ggufgate {

struct Document;
struct Extent;

// DataFound is a fault with its place. Here, hit.at is a file offset.
struct DataFound {
  std::uint64_t tensor = 0;  // index in the directory
  DataHit hit;
};

// DataScanResult is the result for one file. It does not depend on the number of threads.
struct DataScanResult {
  std::array<std::uint64_t, kDataFaultCount> counts{};
  // For each fault, the first ones by file offset, at most the policy's findings_per_rule.
  std::array<std::vector<DataFound>, kDataFaultCount> first;
  std::vector<std::uint64_t> all_zero;  // tensors in which every byte is 0, by file offset
  ReadOutcome io;                       // the first read that failed; the scan stopped there
};

// ScanData reads and checks the data of all tensors with a valid range, as policy.data selects.
//
// It reads each byte of the file at most once. If tensors overlap (an error of another rule), it
// checks only the one that begins first. It reads tensors in the order of the file. For a
// forward-only source, one thread reads at a time. Each thread of `hooks` allocates a buffer of
// kScanChunkBytes; apart from the result, no other memory is needed.
[[nodiscard]] DataScanResult ScanData(const Document& document, std::span<const Extent> extents,
                                      const ByteSource& source, const Policy& policy,
                                      const CheckHooks& hooks);

// DataScanSteps is ScanData() for callers that push the bytes: it returns the range that comes
// next, and the caller passes those bytes. The document and the policy must outlive it.
class DataScanSteps {
 public:
  DataScanSteps(const Document& document, std::span<const Extent> extents, const Policy& policy);
  DataScanSteps(const DataScanSteps&) = delete;
  DataScanSteps& operator=(const DataScanSteps&) = delete;
  ~DataScanSteps();

  // Wanted returns the next range, of at most kScanPieceBytes; nullopt at the end.
  [[nodiscard]] std::optional<ByteRange> Wanted() const;
  // Give takes the bytes of Wanted(). Fewer bytes mean that the file was truncated.
  void Give(Bytes bytes);
  // Take returns the result. Call it once, after Wanted() returned nullopt.
  [[nodiscard]] DataScanResult Take();

 private:
  class State;
  std::unique_ptr<State> state_;
};

// RejectsAtOnce returns whether faults, counted by DataFault, reject the file wherever they are. If
// the policy suppresses findings of some tensors or files, the answer is known only at the end.
[[nodiscard]] bool RejectsAtOnce(std::span<const std::uint64_t> counts, const Policy& policy);

// Bytes per read. A chunk stays in the second-level cache until it is checked.
inline constexpr std::uint64_t kScanChunkBytes = std::uint64_t{128} << 10;
// Bytes that a thread claims at once: small enough that threads finish together, large enough that
// they do not wait for each other.
inline constexpr std::uint64_t kScanPieceBytes = std::uint64_t{4} << 20;

}  // namespace ggufgate
