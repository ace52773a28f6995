#include "mutate/edits/havoc.h"

#include <algorithm>
#include <array>

#include "bytes/bytes.h"

namespace ggufgate::mutate {
namespace {

constexpr std::array<std::uint8_t, 8> kBytes = {0, 1, 0x7F, 0x80, 0xFF, 0x20, 0x40, 0x10};

void ChangeByte(MutationContext& context) {
  const MutableBytes bytes = context.bytes();
  std::uint8_t& byte = bytes[context.random.Below(bytes.size())];
  switch (context.random.Below(3)) {
    case 0:
      byte ^= static_cast<std::uint8_t>(1U << context.random.Below(8));
      break;
    case 1:
      byte = context.random.Pick(kBytes);
      break;
    default:
      byte = static_cast<std::uint8_t>(byte + context.random.Between(1, 255));
      break;
  }
}

void CopyRun(MutationContext& context) {
  const MutableBytes bytes = context.bytes();
  const std::size_t size = context.random.Between(1, std::min<std::size_t>(bytes.size(), 64));
  const MutableBytes from = bytes.subspan(context.random.Below(bytes.size() - size + 1), size);
  const MutableBytes to = bytes.subspan(context.random.Below(bytes.size() - size + 1), size);
  if (from.data() < to.data()) {
    std::ranges::copy_backward(from, to.end());
  } else {
    std::ranges::copy(from, to.begin());
  }
}

void Grow(MutationContext& context) {
  const std::size_t count = context.random.Between(1, 16);
  const std::uint64_t at = context.random.Below(context.bytes().size() + 1);
  if (!context.Insert(at, count)) return;
  for (std::uint8_t& byte : context.bytes().subspan(at, count)) {
    byte = static_cast<std::uint8_t>(context.random.Next());
  }
}

void Shrink(MutationContext& context) {
  const MutableBytes bytes = context.bytes();
  const std::size_t at = context.random.Below(bytes.size());
  const std::size_t count = context.random.Between(1, std::min<std::size_t>(bytes.size() - at, 16));
  std::ranges::copy(bytes.subspan(at + count), bytes.subspan(at).begin());
  context.Resize(bytes.size() - count);
}

}  // namespace

void Havoc(MutationContext& context) {
  if (context.leaf != nullptr) {
    GGUFGATE_AUDITED_BEGIN  // the engine gets the whole buffer and returns its used size
        context.Resize(context.leaf(context.all().data(), context.bytes().size(), context.room()));
    GGUFGATE_AUDITED_END
    return;
  }
  if (context.bytes().empty()) Grow(context);
  for (std::uint64_t i = context.random.Between(1, 4); i > 0 && !context.bytes().empty(); --i) {
    switch (context.random.Below(6)) {
      case 0:
        Grow(context);
        break;
      case 1:
        Shrink(context);
        break;
      case 2:
        CopyRun(context);
        break;
      default:
        ChangeByte(context);
        break;
    }
  }
}

}  // namespace ggufgate::mutate
