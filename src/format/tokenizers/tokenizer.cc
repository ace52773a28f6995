#include "format/tokenizers/tokenizer.h"

#include <algorithm>
#include <array>

namespace ggufgate {
namespace {

constexpr std::array kTokenizers = {
#define GGUFGATE_TOKENIZER(word, kind, bos, eos, unknown, separator, padding, adds_bos, adds_eos, \
                           heeds_adding)                                                          \
  TokenizerInfo{word,     TokenizerKind::kind, bos, eos, unknown, separator, padding, adds_bos,   \
                adds_eos, heeds_adding},
#include "format/tokenizers/tokenizers.def"
#undef GGUFGATE_TOKENIZER
};

}  // namespace

const TokenizerInfo* FindTokenizer(std::string_view word) {
  const auto found = std::ranges::find(kTokenizers, word, &TokenizerInfo::word);
  return found != kTokenizers.end() ? &*found : nullptr;
}

}  // namespace ggufgate
