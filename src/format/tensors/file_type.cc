#include "format/tensors/file_type.h"

namespace ggufgate {

std::optional<TensorType> MainTypeOf(std::uint64_t file_type) {
  switch (file_type) {
#define GGUFGATE_FILE_TYPE(number, type) \
  case number:                           \
    return TensorType::type;
#include "format/tensors/file_types.def"
#undef GGUFGATE_FILE_TYPE
    default:
      return std::nullopt;
  }
}

}  // namespace ggufgate
