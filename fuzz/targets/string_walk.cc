// string_walk: skipping many adjacent strings, more than any input holds, gives the same result as
// skipping them one by one: the same number of strings and bytes, and the same notes of wide
// lengths.
//
// The input is a program: a byte of settings, then steps of two bytes: a length, and the number of
// strings with it. The strings contain the input again, so that their contents can look like
// lengths. As an array of a file, the skipped strings are also read to their last byte.

#include <algorithm>
#include <array>
#include <vector>

#include "bytes/record_run.h"
#include "format/value_type.h"
#include "fuzz/support/target.h"
#include "parse/parse.h"

namespace {

using namespace ggufgate;
using fuzz::Require;

constexpr std::size_t kMostBytes = std::size_t{256} << 10;
constexpr std::size_t kLongest = 5600;
constexpr std::size_t kLengthBytes = 8;

// Tape is the output of a program.
class Tape {
 public:
  Tape(Bytes program, ByteOrder order) : order_(order) {
    while (pattern_.size() < kLongest)
      pattern_.insert(pattern_.end(), program.begin(), program.end());
    bytes_.reserve(kMostBytes);
  }

  // Add writes one string. If its length lies, only `held` bytes follow.
  void Add(std::uint64_t length, std::size_t held) {
    if (bytes_.size() + kLengthBytes + held > kMostBytes) return;
    const std::size_t at = bytes_.size();
    bytes_.resize(at + kLengthBytes + held);
    const MutableBytes record = MutableBytes(bytes_).subspan(at);
    Store(length, order_, record);
    std::ranges::copy(Bytes(pattern_).first(held), record.subspan(kLengthBytes).begin());
  }
  [[nodiscard]] Bytes bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> pattern_;
  ByteOrder order_;
  std::vector<std::uint8_t> bytes_;
};

// Run executes the program. Lengths up to 199 are literal, larger ones grow in steps of a hundred;
// 255 is a lie.
Tape Run(Bytes program, ByteOrder order) {
  constexpr std::uint8_t kPlain = 200, kLie = 255;
  Tape tape(program, order);
  for (Bytes rest = program; rest.size() >= 2; rest = rest.subspan(2)) {
    const std::size_t code = rest[0];
    if (code == kLie) {
      tape.Add(UINT64_MAX >> (rest[1] % 64), 1);
      continue;
    }
    const std::size_t length = code < kPlain ? code : (code - kPlain + 1) * 100;
    for (std::size_t i = 0; i < (std::size_t{rest[1]} + 1) * 8; ++i) tape.Add(length, length);
  }
  return tape;
}

// RequireSame skips the strings one by one, and requires the same result.
void RequireSame(const RecordRun& run, const std::vector<std::uint64_t>& wide, Bytes bytes,
                 ByteOrder order, std::uint64_t longest, std::uint64_t base) {
  std::vector<std::uint64_t> expected = {base};
  std::uint64_t at = 0;
  for (std::uint64_t i = 0; i < run.records; ++i) {
    Require(bytes.size() - at >= kLengthBytes, "a string that was passed over has a length");
    const auto length = Load<std::uint64_t>(bytes.subspan(at), order);
    Require(length <= longest && length <= bytes.size() - at - kLengthBytes,
            "a string that was passed over is whole and not too long");
    if ((length & kWideLength) != 0) expected.push_back(base + at);
    at += kLengthBytes + length;
  }
  Require(at == run.bytes, "the walk takes as many bytes as the strings have");
  Require(wide == expected, "the walk notes the wide lengths that are there");
}

// FileWith returns a file with one key, an array of strings.
std::vector<std::uint8_t> FileWith(std::uint64_t count, Bytes strings, ByteOrder order) {
  constexpr std::size_t kHead = 24 + (8 + 1) + 4 + 4 + 8;
  std::vector<std::uint8_t> file(kHead + strings.size());
  MutableBytes rest(file);
  const auto put = [&](auto number) {
    Store(number, order, rest);
    rest = rest.subspan(sizeof(number));
  };
  std::ranges::copy(AsBytes("GGUF"), rest.begin());
  rest = rest.subspan(4);
  put(std::uint32_t{3});
  put(std::uint64_t{0});  // tensors
  put(std::uint64_t{1});  // keys
  put(std::uint64_t{1});  // length of the key
  put(std::uint8_t{'k'});
  put(static_cast<std::uint32_t>(ValueType::kArray));
  put(static_cast<std::uint32_t>(ValueType::kString));
  put(count);
  std::ranges::copy(strings, rest.begin());
  return file;
}

void RequireRead(const RecordRun& run, Bytes bytes, ByteOrder order) {
  const Bytes strings = bytes.first(run.bytes);
  const std::vector<std::uint8_t> file = FileWith(run.records, strings, order);
  const fuzz::GuardedCopy copy(file, 1);
  const ParseResult parsed = Parse(copy.bytes(), file.size(), Limits{});
  const Document& document = parsed.document;
  Require(!document.fault && !parsed.NeedsMore() && document.metadata.size() == 1,
          "strings that were passed over are an array that can be read");
  Require(document.metadata.front().ElementsRange().size == strings.size() &&
              document.metadata.front().range.End() == file.size(),
          "the array of a file ends where the strings end");
}

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  if (input.size() < 3) return;
  const unsigned settings = input.front();
  const ByteOrder order = (settings & 1) != 0 ? ByteOrder::kBig : ByteOrder::kLittle;
  constexpr std::array<std::uint64_t, 4> kMosts = {UINT64_MAX, 1000, 10'000, 0};
  constexpr std::array<std::uint64_t, 4> kLongests = {UINT64_MAX, 127, 1000, 128};
  const std::uint64_t most = kMosts[settings >> 1 & 3];
  const std::uint64_t longest = kLongests[settings >> 3 & 3];
  const Tape tape = Run(input.subspan(1), order);
  const fuzz::GuardedCopy copy(tape.bytes());
  constexpr std::uint64_t kBase = 24;
  std::vector<std::uint64_t> wide = {kBase};  // earlier notes stay
  std::vector<std::uint64_t> some;
  const RecordRun run = SkipRecords(copy.bytes(), order, most, longest, kBase, wide, some);
  Require(run.records <= most, "no more strings are passed over than were asked for");
  RequireSame(run, wide, copy.bytes(), order, longest, kBase);
  RequireRead(run, copy.bytes(), order);
}
