#include "check/policy.h"

#include "format/loader_limits.h"

namespace ggufgate {

Policy PolicyFor(Profile profile) {
  Policy policy;
  policy.profile = profile;
  if (profile == Profile::kGate || profile == Profile::kDiffusion) return policy;

  // llama.cpp compares every key with all before it, and then finds the n-th by counting: it is
  // held to the limit, which the specification does not know.
  if (profile == Profile::kSpec) policy.limits.metadata_keys = UINT64_MAX;
  policy.limits.tensor_name_bytes = kLongestNameOfLlamaCpp;
  policy.limits.tensors = UINT64_MAX;
  policy.limits.array_strings = UINT64_MAX;
  policy.limits.metadata_bytes = UINT64_MAX;
  if (profile == Profile::kSpec) {
    policy.limits.string_bytes = UINT64_MAX;
    policy.limits.array_elements = UINT64_MAX;
    policy.limits.tensor_name_bytes = kLongestSpecifiedName;
  }
  return policy;
}

}  // namespace ggufgate
