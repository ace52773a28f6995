#include "check/rules/context.h"

namespace ggufgate {

Context::Context(const Document& document_in, const ByteSource& source_in, const Policy& policy_in)
    : document(document_in),
      source(source_in),
      policy(policy_in),
      cache(document_in, source_in,
            policy_in.loaders.empty() ? ContractTable::CompiledIn() : *policy_in.loaders.front()),
      parameters(document_in),
      extents(ExtentsOf(document_in)),
      regions(Regions(document_in, extents)) {}

}  // namespace ggufgate
