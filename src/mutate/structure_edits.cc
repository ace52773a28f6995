// Records moved, copied, borrowed, dropped.

#include "mutate/mutations.h"

namespace ggufgate::mutate {

bool EditDropEntry(Bench& bench) {
  if (bench.draft.entries.empty()) return false;
  bench.draft.entries.Remove(bench.random.Below(bench.draft.entries.size()));
  return true;
}

}  // namespace ggufgate::mutate
