// source: a file that is larger than its bytes, that ends early, or that fails: never a crash, and
// never an accepted file that could not be read. The first byte selects the fault. A system file in
// memory gives the same result as the bytes themselves.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "bytes/byte_source.h"
#include "bytes/file_source.h"
#include "fuzz/support/target.h"
#include "parse/parse.h"
#include "tests/oracles/draw.h"
#include "tests/oracles/verdict.h"

namespace {

using namespace ggufgate;
using fuzz::Require;

// FaultySource claims to have `size` bytes, but has only those of `bytes`.
class FaultySource final : public ByteSource {
 public:
  FaultySource(Bytes bytes, std::uint64_t size, bool fails)
      : bytes_(bytes), size_(size), fails_(fails) {}

  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override {
    if (fails_) return {.kind = ReadOutcome::Kind::kFailed, .error_number = 5};
    if (out.empty() && offset <= size_) return {};  // as a file does
    if (offset > bytes_.size() || out.size() > bytes_.size() - offset) {
      return {.kind = ReadOutcome::Kind::kShrunk};
    }
    std::ranges::copy(bytes_.subspan(offset, out.size()), out.begin());
    return {};
  }

 private:
  Bytes bytes_;
  std::uint64_t size_;
  bool fails_;
};

// FileOf returns a file in memory with exactly these bytes.
int FileOf(Bytes bytes) {
  static const int file = ::memfd_create("source", MFD_CLOEXEC);
  const auto size = static_cast<ssize_t>(bytes.size());
  if (file < 0 || ::ftruncate(file, 0) != 0 ||
      ::pwrite(file, bytes.data(), bytes.size(), 0) != size) {
    std::abort();
  }
  return file;
}

// RequireSameRead reads a range of a file that claims the size of `source`, but lacks bytes.
void RequireSameRead(const FaultySource& source, Bytes bytes, std::uint64_t place) {
  const FileSource file(FileOf(bytes), source.size());
  const std::uint64_t offset = place % (bytes.size() + 2);
  std::vector<std::uint8_t> a(std::min<std::uint64_t>(place >> 32 & 0xFFF, source.size() - offset));
  std::vector<std::uint8_t> b(a.size());
  const bool complete = source.ReadAt(offset, a).complete();
  Require(file.ReadAt(offset, b).complete() == complete, "a file gives the bytes there are");
  Require(!complete || a == b, "a file gives the bytes that are there");
  Require(!file.ReadAt(source.size(), std::span(b).first(std::min<std::size_t>(b.size(), 1)))
                  .complete() ||
              b.empty(),
          "nothing is read behind the end");
  Require(FileSource(-1, source.size()).ReadAt(0, b).complete() == b.empty(),
          "what is not open is not read");
}

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  if (input.empty()) return;
  const Bytes bytes = input.subspan(1);
  // Inputs of a few hundred bytes reach sizes above 4 GiB and above 2^63.
  const std::array<std::uint64_t, 6> more = {
      0, 1, 4096, std::uint64_t{1} << 32, std::uint64_t{1} << 62, UINT64_MAX - bytes.size()};
  const std::uint64_t size = bytes.size() + more.at(input.front() % more.size());
  const FaultySource source(bytes, size, input.front() >= 0xC0);
  if (input.front() < 0xC0 && source.size() > bytes.size() + 1) {
    RequireSameRead(source, bytes, fuzz::DrawOf(input));
  }
  const fuzz::GuardedCopy copy(bytes);
  Policy policy;
  policy.data = DataScan::kFull;
  const ParseResult parsed = Parse(copy.bytes(), size, policy.limits);
  if (parsed.NeedsMore()) {
    Require(parsed.bytes_needed > bytes.size() && parsed.bytes_needed <= size,
            "what is asked for is more than there was, and no more than there is");
    return;
  }
  const CheckResult checked = Check(parsed.document, source, policy);
  if (source.size() == bytes.size() || !checked.io.complete()) return;
  for (const TensorInfo& tensor : parsed.document.tensors) {
    Require(tensor.Range().FitsIn(bytes.size()),
            "a record that was read is in the bytes there are");
  }
}
