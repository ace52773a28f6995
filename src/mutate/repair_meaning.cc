// Keys whose meaning loaders rely on: kept where their values are sound, alone and together.

#include "format/key.h"
#include "mutate/repair.h"

namespace ggufgate::mutate {
namespace {

std::string_view ArchitectureOf(Draft&) { return {}; }

bool IsFree(const Entry& entry, std::string_view architecture) {
  if (entry.key == kAlignmentKey) return true;
  if (!architecture.empty() && entry.key.starts_with(architecture)) return false;
  for (const std::string_view prefix :
       {"tokenizer.", "split.", "clip.", "adapter.", "xielu.", "general."}) {
    if (entry.key.starts_with(prefix)) return false;
  }
  return FindKey(entry.key, architecture) == nullptr;
}

}  // namespace

void RepairMeaning(Bench& bench) {
  const std::string_view architecture = ArchitectureOf(bench.draft);
  bench.draft.entries.Keep([&](const Entry& entry) { return IsFree(entry, architecture); });
}

}  // namespace ggufgate::mutate
