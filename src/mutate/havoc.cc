#include "mutate/havoc.h"

#include <algorithm>
#include <array>

#include "bytes/audited.h"

namespace ggufgate::mutate {
namespace {

constexpr std::array<std::uint8_t, 8> kBytes = {0, 1, 0x7F, 0x80, 0xFF, 0x20, 0x40, 0x10};

void ChangeByte(Bench& bench) {
  const MutableBytes bytes = bench.bytes();
  std::uint8_t& byte = bytes[bench.random.Below(bytes.size())];
  switch (bench.random.Below(3)) {
    case 0:
      byte ^= static_cast<std::uint8_t>(1U << bench.random.Below(8));
      break;
    case 1:
      byte = bench.random.Pick(kBytes);
      break;
    default:
      byte = static_cast<std::uint8_t>(byte + bench.random.Between(1, 255));
      break;
  }
}

void CopyRun(Bench& bench) {
  const MutableBytes bytes = bench.bytes();
  const std::size_t size = bench.random.Between(1, std::min<std::size_t>(bytes.size(), 64));
  const MutableBytes from = bytes.subspan(bench.random.Below(bytes.size() - size + 1), size);
  const MutableBytes to = bytes.subspan(bench.random.Below(bytes.size() - size + 1), size);
  if (from.data() < to.data()) {
    std::ranges::copy_backward(from, to.end());
  } else {
    std::ranges::copy(from, to.begin());
  }
}

void Grow(Bench& bench) {
  const std::size_t count = bench.random.Between(1, 16);
  const std::uint64_t at = bench.random.Below(bench.bytes().size() + 1);
  if (!bench.Insert(at, count)) return;
  for (std::uint8_t& byte : bench.bytes().subspan(at, count)) {
    byte = static_cast<std::uint8_t>(bench.random.Next());
  }
}

void Shrink(Bench& bench) {
  const MutableBytes bytes = bench.bytes();
  const std::size_t at = bench.random.Below(bytes.size());
  const std::size_t count = bench.random.Between(1, std::min<std::size_t>(bytes.size() - at, 16));
  std::ranges::copy(bytes.subspan(at + count), bytes.subspan(at).begin());
  bench.Resize(bytes.size() - count);
}

}  // namespace

void Havoc(Bench& bench) {
  if (bench.leaf != nullptr) {
    GGUFGATE_AUDITED_BEGIN  // the engine is given the whole room and says how much it used
        bench.Resize(bench.leaf(bench.all().data(), bench.bytes().size(), bench.room()));
    GGUFGATE_AUDITED_END
    return;
  }
  if (bench.bytes().empty()) Grow(bench);
  for (std::uint64_t i = bench.random.Between(1, 4); i > 0 && !bench.bytes().empty(); --i) {
    switch (bench.random.Below(6)) {
      case 0:
        Grow(bench);
        break;
      case 1:
        Shrink(bench);
        break;
      case 2:
        CopyRun(bench);
        break;
      default:
        ChangeByte(bench);
        break;
    }
  }
}

}  // namespace ggufgate::mutate
