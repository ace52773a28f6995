// Text objects of the C interface, and facts about the library itself.

#include <memory>
#include <utility>

#include "api/c/guarded.h"
#include "api/c/handles.h"
#include "gate/confine/confine.h"
#include "words/escape.h"

using namespace ggufgate;

const char* ggufgate_status_text(ggufgate_status status) noexcept {
  switch (status) {
    case GGUFGATE_STATUS_OK:
      return "ok";
    case GGUFGATE_STATUS_BAD_ARGUMENT:
      return "bad argument";
    case GGUFGATE_STATUS_OUT_OF_MEMORY:
      return "out of memory";
    case GGUFGATE_STATUS_NOT_FOUND:
      return "not found";
    case GGUFGATE_STATUS_OUT_OF_RANGE:
      return "out of range";
    case GGUFGATE_STATUS_WRONG_TYPE:
      return "wrong type";
    case GGUFGATE_STATUS_NOT_ACCEPTED:
      return "not accepted";
    case GGUFGATE_STATUS_BAD_POLICY:
      return "not a policy";
    case GGUFGATE_STATUS_IO:
      return "cannot read";
    case GGUFGATE_STATUS_UNSUPPORTED:
      return "not supported";
    case GGUFGATE_STATUS_INTERNAL:
      return "internal error";
    default:
      return "unknown status";
  }
}

const char* ggufgate_version() noexcept { return GGUFGATE_VERSION; }

int ggufgate_can_confine() noexcept { return ConfinementIsBuiltIn() ? 1 : 0; }

const char* ggufgate_text_chars(const ggufgate_text* text) noexcept {
  return text != nullptr ? text->chars.c_str() : "";
}

size_t ggufgate_text_size(const ggufgate_text* text) noexcept {
  return text != nullptr ? text->chars.size() : 0;
}

void ggufgate_text_free(ggufgate_text* text) noexcept { delete text; }

ggufgate_status ggufgate_escape(const void* bytes, size_t size, ggufgate_text** text) noexcept {
  if (text == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  *text = nullptr;
  if (!api::IsMemory(bytes, size)) return GGUFGATE_STATUS_BAD_ARGUMENT;
  return api::Guarded([&] {
    auto made = std::make_unique<ggufgate_text>();
    made->chars = EscapeText(AsText(api::BytesOf(bytes, size)));
    return api::Give(std::move(made), text);
  });
}
