#pragma once

// The tensor data, read once for all rules that judge it. Not for users of the library.

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

// DataFound is a fault with its place: hit.at is counted from the start of the file here.
struct DataFound {
  std::uint64_t tensor = 0;  // in the order of the directory
  DataHit hit;
};

// DataScanResult is what the scan of one file gave, the same for any number of threads.
struct DataScanResult {
  std::array<std::uint64_t, kDataFaultCount> counts{};
  // The first of each fault in the order of the file, at most the policy's findings_per_rule.
  std::array<std::vector<DataFound>, kDataFaultCount> first;
  std::vector<std::uint64_t> all_zero;  // tensors whose every byte is 0, in the order of the file
  ReadOutcome io;                       // the first read that failed; the scan ended there
};

// ScanData reads and judges the data of all tensors whose place is sound, as policy.data wants.
//
// Each byte of the file is read at most once: where tensors overlap (an error of its own), only the
// one that begins first is judged. They are read in the order of the file, by threads that take
// turns where the source only goes forward. Every thread that `hooks` brings has a buffer of
// kScanChunkBytes, and that is all the memory there is besides the result.
[[nodiscard]] DataScanResult ScanData(const Document& document, std::span<const Extent> extents,
                                      const ByteSource& source, const Policy& policy,
                                      const CheckHooks& hooks);

// DataScanSteps is ScanData() for who cannot be called back for bytes: it says which range comes
// next, and is given it. The document and the policy outlive it.
class DataScanSteps {
 public:
  DataScanSteps(const Document& document, std::span<const Extent> extents, const Policy& policy);
  DataScanSteps(const DataScanSteps&) = delete;
  DataScanSteps& operator=(const DataScanSteps&) = delete;
  ~DataScanSteps();

  // Wanted is the next range, of at most kScanPieceBytes; nullopt when all is judged.
  [[nodiscard]] std::optional<ByteRange> Wanted() const;
  // Give takes the bytes of Wanted(); fewer are a file that has become shorter.
  void Give(Bytes bytes);
  // Take gives the result; once, when nothing more is wanted.
  [[nodiscard]] DataScanResult Take();

 private:
  class State;
  std::unique_ptr<State> state_;
};

// RejectsAtOnce tells whether faults, counted by DataFault, reject the file wherever they are: what
// the policy lets pass of some tensors or files only is not known before all is read.
[[nodiscard]] bool RejectsAtOnce(std::span<const std::uint64_t> counts, const Policy& policy);

// What is read at once: stays in the second-level cache until it is judged.
inline constexpr std::uint64_t kScanChunkBytes = std::uint64_t{128} << 10;
// How much a thread takes at once: small enough that threads end together, large enough that they
// do not wait for each other.
inline constexpr std::uint64_t kScanPieceBytes = std::uint64_t{4} << 20;

}  // namespace ggufgate
