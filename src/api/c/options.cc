#include "api/c/options.h"

#include <algorithm>

#include "api/c/handles.h"
#include "gate/threads/thread_team.h"

namespace ggufgate::api {
namespace {

// The values in the header equal those of the enumerations. If 0 means the value of the policy,
// they are one higher.
static_assert(GGUFGATE_DATA_LEVEL_NONE == static_cast<int>(DataScan::kNone) + 1);
static_assert(GGUFGATE_DATA_LEVEL_SCALES == static_cast<int>(DataScan::kScales) + 1);
static_assert(GGUFGATE_DATA_LEVEL_FULL == static_cast<int>(DataScan::kFull) + 1);
static_assert(GGUFGATE_SEVERITY_NOTE == static_cast<int>(Severity::kNote));
static_assert(GGUFGATE_SEVERITY_WARNING == static_cast<int>(Severity::kWarning));
static_assert(GGUFGATE_SEVERITY_ERROR == static_cast<int>(Severity::kError));

bool IsBetween(std::int32_t number, std::int32_t least, std::int32_t most) {
  return number >= least && number <= most;
}

}  // namespace

std::optional<Wanted> WantedBy(const ggufgate_options* options, const char* name) {
  Wanted wanted;
  wanted.judge.policy = PolicyFor(Profile::kGate);
  if (name != nullptr) wanted.name = name;
  if (options == nullptr) return wanted;
  if (options->size != sizeof(ggufgate_options) ||
      !IsBetween(options->data, GGUFGATE_DATA_LEVEL_OF_POLICY, GGUFGATE_DATA_LEVEL_FULL) ||
      !IsBetween(options->fail_on, GGUFGATE_SEVERITY_OF_POLICY, GGUFGATE_SEVERITY_ERROR) ||
      !IsBetween(options->second_opinion, GGUFGATE_SECOND_OPINION_SMALL,
                 GGUFGATE_SECOND_OPINION_NEVER)) {
    return std::nullopt;
  }
  wanted.second_opinion = options->second_opinion;
  if (options->policy != nullptr) wanted.judge.policy = options->policy->policy;
  if (options->name != nullptr) wanted.name = options->name;
  if (options->data != GGUFGATE_DATA_LEVEL_OF_POLICY) {
    wanted.judge.policy.data = static_cast<DataScan>(options->data - GGUFGATE_DATA_LEVEL_NONE);
  }
  if (options->fail_on != GGUFGATE_SEVERITY_OF_POLICY) {
    wanted.judge.policy.fail_on = static_cast<Severity>(options->fail_on);
  }
  wanted.judge.sha256 = options->sha256 != 0;
  wanted.jobs = std::clamp(options->jobs, 1U, ThreadTeam::kMost);
  wanted.open_rejected = options->open_rejected != 0;
  wanted.timeout_ms = options->timeout_ms;
  return wanted;
}

}  // namespace ggufgate::api
