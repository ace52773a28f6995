#include "check/policy.h"

#include "format/loader_limits.h"

namespace ggufgate {

Policy PolicyFor(Profile profile) {
  Policy policy;
  policy.profile = profile;
  if (profile == Profile::kGate || profile == Profile::kDiffusion) return policy;

  // llama.cpp compares every key with all keys before it, and then finds the n-th key by counting.
  // So the limit applies to profile `llama.cpp`. The specification has no such limit.
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
