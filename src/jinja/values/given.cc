#include "jinja/values/given.h"

#include <algorithm>

namespace ggufgate {

void GivenPart::MoveInside(int levels) {
  constexpr int kMost = 100;
  if (IsGiven()) inside = static_cast<std::int16_t>(std::clamp(inside + levels, -kMost, kMost));
}

void GivenPart::Wrap() {
  MoveInside(-1);
  wraps = wraps || IsGiven();
  pairs = false;
}

bool GivenPart::Join(const GivenPart& more) {
  const GivenPart before = *this;
  others |= more.others;
  if (IsGiven() && more.IsGiven() && as != more.as) others |= kForeign;
  wraps = wraps || more.wraps;
  if (more.IsGiven()) {
    pairs = more.pairs && (pairs || !IsGiven());
    if (!IsGiven()) as = more.as;
  }
  inside = std::min(inside, more.inside);
  return inside != before.inside || others != before.others || wraps != before.wraps ||
         pairs != before.pairs;
}

}  // namespace ggufgate
