#include "mutate/file/normalise.h"

#include "mutate/file/transcode.h"

namespace ggufgate::mutate {

void Normalise(Draft& draft, Arena& arena) {
  const Encoding from = draft.encoding;
  if (from == Encoding{}) return;
  draft.entries.Keep([&](Entry& entry) {
    if (!IsWhole(entry.type, entry.value, from)) return false;
    entry.value = Transcode(entry.type, entry.value, from, {}, arena);
    return !entry.value.empty();
  });
  draft.encoding = {};
}

}  // namespace ggufgate::mutate
