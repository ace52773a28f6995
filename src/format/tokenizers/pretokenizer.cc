#include "format/tokenizers/pretokenizer.h"

#include <algorithm>
#include <array>

namespace ggufgate {
namespace {

constexpr std::array kPretokenizers = {
#define GGUFGATE_PRETOKENIZER(word, begins, has_default_begin, blanks, needs_merges) \
  PretokenizerInfo{word, BeginsText::begins, has_default_begin, Blanks::blanks, needs_merges},
#include "format/tokenizers/pretokenizers.def"
#undef GGUFGATE_PRETOKENIZER
};

}  // namespace

const PretokenizerInfo* FindPretokenizer(std::string_view word) {
  if (word.empty()) word = "default";
  const auto found = std::ranges::find(kPretokenizers, word, &PretokenizerInfo::word);
  return found != kPretokenizers.end() ? &*found : nullptr;
}

}  // namespace ggufgate
