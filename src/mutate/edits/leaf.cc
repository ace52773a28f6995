#include "mutate/edits/leaf.h"

#include <algorithm>
#include <array>

#include "bytes/bytes.h"

namespace ggufgate::mutate {
namespace {

constexpr std::array<std::uint8_t, 9> kBytes = {0, 1, 0x7F, 0x80, 0xFF, ' ', '/', '%', '{'};

// ChangeSome changes one to four bytes. `bytes` must not be empty.
void ChangeSome(Random& random, MutableBytes bytes) {
  for (std::uint64_t i = random.Between(1, 4); i > 0; --i) {
    std::uint8_t& byte = bytes[random.Below(bytes.size())];
    if (random.OneIn(2)) {
      byte = static_cast<std::uint8_t>(byte ^ 1U << random.Below(8));
    } else {
      byte = random.Pick(kBytes);
    }
  }
}

}  // namespace

MutableBytes ChangeLeaf(MutationContext& context, Bytes leaf, std::size_t most) {
  const std::size_t room = std::max(leaf.size(), most);
  const MutableBytes bytes = context.arena.Take(room);
  if (bytes.empty() || most == 0) return {};
  std::ranges::copy(leaf, bytes.begin());
  if (context.leaf != nullptr) {
    std::ranges::fill(bytes.subspan(leaf.size()), std::uint8_t{0});
    GGUFGATE_AUDITED_BEGIN  // the engine gets the whole buffer and returns its used size
        const std::size_t size = context.leaf(bytes.data(), std::min(leaf.size(), most), most);
    GGUFGATE_AUDITED_END
    return bytes.first(std::min(size, most));
  }
  std::size_t size = std::min(leaf.size(), most);
  if (context.random.OneIn(4) || size == 0) {  // change the length
    const std::size_t longest = std::min(most, size + 16);
    const std::size_t wanted = context.random.Between(size > 16 ? size - 16 : 1, longest);
    for (; size < wanted; ++size) bytes[size] = static_cast<std::uint8_t>(context.random.Next());
    size = wanted;
  }
  ChangeSome(context.random, bytes.first(size));
  return bytes.first(size);
}

}  // namespace ggufgate::mutate
