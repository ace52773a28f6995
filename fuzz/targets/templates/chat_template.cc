// chat_template: any text is checked as a chat template in linear time, twice with the same result.

#include "fuzz/support/target.h"
#include "parse/model.h"
#include "tests/oracles/verdict.h"

using namespace ggufgate;

GGUFGATE_FUZZ_TARGET(input) {
  Model model;
  model.Set("general.architecture", "llama").Set("tokenizer.chat_template", AsText(input));
  const std::vector<std::uint8_t> file = Write(model);
  const fuzz::GuardedCopy copy(file);
  const fuzz::Judgement judged = fuzz::Judge(copy.bytes());
  fuzz::RequireSound(judged, copy.bytes());
  fuzz::RequireSame(judged.checked, fuzz::Judge(file).checked);
}
