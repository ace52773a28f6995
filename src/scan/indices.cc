#include "scan/indices.h"

#include <algorithm>
#include <cstring>

namespace ggufgate {
namespace {

constexpr std::size_t kIndexBytes = sizeof(std::uint32_t);
// Bytes that are checked one by one to find the position of one fault.
constexpr std::size_t kPartBytes = 4096;

// CountBeyond counts the numbers that are negative, or not less than `count`. As unsigned numbers,
// negative ones are 2^31 or more. It has no branch that depends on a number, so that compilers can
// vectorize it.
template <bool kSwapped>
std::uint64_t CountBeyond(Bytes bytes, std::uint32_t count) {
  std::uint32_t beyond = 0;
  for (std::size_t at = 0; at + kIndexBytes <= bytes.size(); at += kIndexBytes) {
    std::uint32_t index = 0;
    GGUFGATE_AUDITED_BEGIN  // see the loop
        std::memcpy(&index, bytes.data() + at, kIndexBytes);
    GGUFGATE_AUDITED_END
    if constexpr (kSwapped) index = internal::SwapBytes(index);
    beyond += index >= count ? 1U : 0U;
  }
  return beyond;
}

void NoteEach(const IndexRun& run, Bytes bytes, DataTally& tally) {
  std::uint64_t element = run.first;
  for (std::size_t at = 0; at < bytes.size(); at += kIndexBytes, ++element) {
    const auto index = Load<std::uint32_t>(bytes.subspan(at), run.order);
    if (index < run.count) continue;
    tally.Note({.fault = DataFault::kIndexBeyond,
                .size = kIndexBytes,
                .element = element,
                .block = element,
                .at = element * kIndexBytes,
                .raw = index});
  }
}

}  // namespace

void ScanIndices(IndexRun run, Bytes bytes, DataTally& tally) {
  const bool swapped = (run.order == ByteOrder::kLittle) != internal::kHostIsLittle;
  while (!bytes.empty()) {
    const Bytes part = bytes.first(std::min(bytes.size(), kPartBytes));
    FaultCounts counts{};
    counts.at(static_cast<std::size_t>(DataFault::kIndexBeyond)) =
        swapped ? CountBeyond<true>(part, run.count) : CountBeyond<false>(part, run.count);
    if (!tally.Add(counts)) NoteEach(run, part, tally);
    run.first += part.size() / kIndexBytes;
    bytes = bytes.subspan(part.size());
  }
}

}  // namespace ggufgate
