// recorded: reads in any order and of any size, of bytes that change between them and the digest. A
// change after a read is reported, and nothing else.

#include <algorithm>
#include <vector>

#include "bytes/memory_source.h"
#include "fuzz/support/target.h"
#include "gate/reading/digest.h"
#include "gate/reading/keyed_code.h"
#include "gate/reading/recorded_source.h"

namespace {

using namespace ggufgate;
using fuzz::Require;

// Three bytes of the input are a read or a change: its offset, its size, and which of the two it
// is.
struct Step {
  std::size_t begin;
  std::size_t size;
  bool changes;
};

std::vector<Step> StepsOf(Bytes bytes, std::size_t size) {
  std::vector<Step> steps;
  for (; bytes.size() >= 3; bytes = bytes.subspan(3)) {
    const std::size_t begin = (bytes[0] * 256U + bytes[1]) % size;
    steps.push_back({.begin = begin,
                     .size = std::min<std::size_t>(bytes[2] & 127, size - begin),
                     .changes = (bytes[2] & 128) != 0});
  }
  return steps;
}

// A code does not depend on how its bytes are split.
void RequireNoSeams(Bytes bytes, Bytes cuts) {
  const KeyedCode::Key key = {bytes.size(), cuts.size()};
  KeyedCode whole(key);
  whole.Add(bytes);
  KeyedCode pieces(key);
  for (const std::uint8_t cut : cuts) {
    const std::size_t size = std::min<std::size_t>(cut, bytes.size());
    pieces.Add(bytes.first(size));
    bytes = bytes.subspan(size);
  }
  pieces.Add(bytes);
  Require(whole.Finish() == pieces.Finish(), "a code knows no seams");
}

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  if (input.size() < 2) return;
  const std::size_t half = input.size() / 2;
  RequireNoSeams(input.first(half), input.subspan(half));
  std::vector<std::uint8_t> content(input.begin(),
                                    input.begin() + static_cast<std::ptrdiff_t>(half));
  const MemorySource source(content);
  const auto recorded = RecordedSource::Begin(source);
  Require(recorded.ok(), "there is randomness");
  // The value of each byte when it was read; -1 if it was not.
  std::vector<int> read(half, -1);
  bool told = false;
  std::vector<std::uint8_t> out;
  for (const Step& step : StepsOf(input.subspan(half), half)) {
    if (step.changes) {
      content[step.begin] ^= 1;
      continue;
    }
    out.resize(step.size);
    Require((*recorded)->ReadAt(step.begin, out).complete(), "what is there is read");
    for (std::size_t i = 0; i < step.size; ++i) {
      int& before = read[step.begin + i];
      told = told || (before >= 0 && before != out[i]);  // two reads that no file can satisfy
      before = out[i];
    }
  }
  for (std::size_t i = 0; i < half; ++i) told = told || (read[i] >= 0 && read[i] != content[i]);
  const absl::StatusOr<std::string> digest = (*recorded)->Sha256();
  Require(digest.ok() != told, "a change behind a read is told, and no other");
  Require(told || *digest == *Sha256Of(source), "and the digest is that of the bytes");
}
