// Lies about alignment, offsets and the end of the file.

#include "mutate/mutations.h"

namespace ggufgate::mutate {

bool LieCutHeader(Bench& bench) {
  return bench.Write() && bench.Cut(bench.random.Below(kHeaderBytes));
}

}  // namespace ggufgate::mutate
