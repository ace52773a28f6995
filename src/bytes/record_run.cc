#include "bytes/record_run.h"

namespace ggufgate {
namespace {

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kNotedBytes = 16 * 1024;  // distance between offsets in `some`

// Walk iterates over records. The byte order is a template parameter: a test at each load would
// take a third of the time.
template <ByteOrder kOrder>
RecordRun Walk(Bytes rest, std::uint64_t most, std::uint64_t longest, std::uint64_t base,
               std::vector<std::uint64_t>& wide, std::vector<std::uint64_t>& some) {
  RecordRun run;
  std::uint64_t note_at = kNotedBytes;
  while (run.records < most && rest.size() >= kLengthBytes) {
    const auto length = Load<std::uint64_t>(rest, kOrder);
    rest = rest.subspan(kLengthBytes);
    if (length > rest.size() || length > longest) [[unlikely]] {
      break;
    }
    if ((length & kWideLength) != 0) [[unlikely]]
      wide.push_back(base + run.bytes);
    if (run.bytes >= note_at) [[unlikely]] {
      some.push_back(base + run.bytes);
      note_at = run.bytes + kNotedBytes;
    }
    rest = rest.subspan(length);
    run.bytes += kLengthBytes + length;
    ++run.records;
  }
  return run;
}

}  // namespace

RecordRun SkipRecords(Bytes bytes, ByteOrder order, std::uint64_t most, std::uint64_t longest,
                      std::uint64_t base, std::vector<std::uint64_t>& wide,
                      std::vector<std::uint64_t>& some) {
  return order == ByteOrder::kLittle
             ? Walk<ByteOrder::kLittle>(bytes, most, longest, base, wide, some)
             : Walk<ByteOrder::kBig>(bytes, most, longest, base, wide, some);
}

}  // namespace ggufgate
