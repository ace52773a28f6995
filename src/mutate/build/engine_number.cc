#include "mutate/build/engine_number.h"

#include <algorithm>
#include <array>

#include "bytes/byte_order.h"
#include "mutate/build/draw.h"

namespace ggufgate::mutate {

std::uint64_t EngineNumber(MutationContext& context, std::uint64_t number, std::size_t size) {
  if (context.leaf == nullptr) return BoundaryNumber(context.random);
  // In the byte order of the file. If the engine makes the number shorter, zeros follow.
  const ByteOrder order = context.draft.encoding.order;
  std::array<std::uint8_t, 8> bytes{};
  const MutableBytes field = MutableBytes(bytes).first(size == 4 ? 4 : 8);
  if (size == 4) {
    Store(static_cast<std::uint32_t>(number), order, field);
  } else {
    Store(number, order, field);
  }
  GGUFGATE_AUDITED_BEGIN  // the engine gets the whole field and returns its used size
      const std::size_t left =
          std::min(context.leaf(field.data(), field.size(), field.size()), field.size());
  GGUFGATE_AUDITED_END
  std::ranges::fill(field.subspan(left), std::uint8_t{0});
  return size == 4 ? Load<std::uint32_t>(field, order) : Load<std::uint64_t>(field, order);
}

}  // namespace ggufgate::mutate
