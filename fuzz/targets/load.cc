// load: if a plain loader accepts a file as a model, it decodes it without an access outside of it,
// and the gate has parsed the complete file.

#include "fuzz/support/target.h"
#include "tests/oracles/plain_loader/plain_loader.h"
#include "tests/oracles/verdict.h"

using namespace ggufgate;

GGUFGATE_FUZZ_TARGET(input) {
  const fuzz::GuardedCopy copy(input);
  const std::optional<plain::Model> model = plain::Load(copy.bytes());
  if (!model) return;
  const std::uint64_t token = plain::Decode(*model);
  fuzz::Require(token < model->tokens, "a model that loads finds a token of its vocabulary");
  const fuzz::Judgement judged = fuzz::Judge(copy.bytes(), PolicyFor(Profile::kLlamaCpp));
  fuzz::Require(!judged.document.fault, "the gate reads to its end what loads");
}
