#include "check/cause/cause.h"

#include <array>

namespace ggufgate {
namespace {

constexpr std::array kCauses = {
#define GGUFGATE_CAUSE(name, slug, happened, advice) CauseInfo{slug, happened, advice},
#include "check/cause/causes.def"
#undef GGUFGATE_CAUSE
};

}  // namespace

const CauseInfo& InfoOf(Cause::Kind kind) { return kCauses.at(static_cast<std::size_t>(kind)); }

}  // namespace ggufgate
