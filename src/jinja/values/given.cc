#include "jinja/values/given.h"

#include <algorithm>

namespace ggufgate {

void GivenPart::MoveInside(int levels) {
  constexpr int kMost = 100;
  if (IsGiven()) inside = static_cast<std::int16_t>(std::clamp(inside + levels, -kMost, kMost));
  if (levels > 0 && (others & KindOf(Hollow::kTyped)) != 0) others |= KindOf(Hollow::kPlain);
}

void GivenPart::Wrap() {
  MoveInside(-1);
  wraps = wraps || IsGiven();
  pairs = false;
  named = false;
  // A container around such a value has parts with parts.
  if ((others & KindOf(Hollow::kTyped)) != 0) others |= kForeign;
}

bool GivenPart::Join(const GivenPart& more) {
  const GivenPart before = *this;
  others |= more.others;
  if (IsGiven() && more.IsGiven() && as != more.as) others |= kForeign;
  wraps = wraps || more.wraps;
  if (more.IsGiven()) {
    pairs = more.pairs && (pairs || !IsGiven());
    named = more.named && (named || !IsGiven());
    if (!IsGiven()) as = more.as;
  }
  inside = std::min(inside, more.inside);
  return inside != before.inside || others != before.others || wraps != before.wraps ||
         pairs != before.pairs || named != before.named;
}

}  // namespace ggufgate
