#include "gate/reading/policy_text.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "bytes/grouped.h"
#include "gate/reading/input.h"
#include "gate/reading/read_document.h"

namespace ggufgate {

absl::StatusOr<std::string> ReadPolicyFile(const std::string& path) {
  const absl::StatusOr<Input> input = Input::Open(path);
  if (!input.ok()) return input.status();
  const std::uint64_t size = input->source().size();
  if (size > kLongestPolicyFile) {
    return absl::ResourceExhaustedError(absl::StrCat("file size is ", Grouped(size),
                                                     " bytes; a policy has at most ",
                                                     Grouped(kLongestPolicyFile)));
  }
  std::vector<std::uint8_t> bytes(size);
  const ReadOutcome outcome = input->source().ReadAt(0, bytes);
  if (!outcome.complete()) return StatusOf(outcome);
  if (absl::Status unchanged = input->Unchanged(); !unchanged.ok()) return unchanged;
  return std::string(AsText(bytes));
}

}  // namespace ggufgate
