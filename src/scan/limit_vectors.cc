#include "scan/limit_vectors.h"

#if GGUFGATE_WITH_HIGHWAY

#include <hwy/highway.h>

#include <algorithm>
#include <string>

#include "bytes/vector_targets.h"  // must come after it

namespace ggufgate {
namespace {

std::string NameOf(std::int64_t target) {
  std::string name = hwy::TargetName(target);
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return name;
}

}  // namespace

bool LimitVectorsTo(std::string_view name) {
  for (std::int64_t rest = VectorTargets() & HWY_TARGETS; rest != 0; rest &= rest - 1) {
    if (NameOf(rest & -rest) != name) continue;
    UseVectorTargets(rest);  // the better ones have the lower bits
    return true;
  }
  return false;
}

}  // namespace ggufgate

#else

namespace ggufgate {

bool LimitVectorsTo(std::string_view /*name*/) { return false; }

}  // namespace ggufgate

#endif
