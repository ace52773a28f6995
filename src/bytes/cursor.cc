#include "bytes/cursor.h"

namespace ggufgate {

bool Cursor::Stop(std::uint64_t size, const char* field) {
  if (shortfall_.kind == Shortfall::Kind::kNone) {
    shortfall_.kind = size > remaining() ? Shortfall::Kind::kEndOfFile  //
                                         : Shortfall::Kind::kEndOfPrefix;
    shortfall_.wanted = {.begin = offset_, .size = size};
    shortfall_.field = field;
  }
  rest_ = {};
  return false;
}

}  // namespace ggufgate
