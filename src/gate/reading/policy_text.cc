#include "gate/reading/policy_text.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "bytes/grouped.h"
#include "check/rules/contract/table/parse_contracts.h"
#include "gate/reading/input.h"
#include "gate/reading/read_document.h"

namespace ggufgate {
namespace {

// ReadText reads a file of at most `most` bytes. `what` names its kind: "a policy has".
absl::StatusOr<std::string> ReadText(const std::string& path, std::uint64_t most,
                                     absl::string_view what) {
  const absl::StatusOr<Input> input = Input::Open(path);
  if (!input.ok()) return input.status();
  const std::uint64_t size = input->source().size();
  if (size > most) {
    return absl::ResourceExhaustedError(
        absl::StrCat("file size is ", Grouped(size), " bytes; ", what, " at most ", Grouped(most)));
  }
  std::vector<std::uint8_t> bytes(size);
  const ReadOutcome outcome = input->source().ReadAt(0, bytes);
  if (!outcome.complete()) return StatusOf(outcome);
  if (absl::Status unchanged = input->Unchanged(); !unchanged.ok()) return unchanged;
  return std::string(AsText(bytes));
}

}  // namespace

absl::StatusOr<std::string> ReadPolicyFile(const std::string& path) {
  return ReadText(path, kLongestPolicyFile, "a policy has");
}

absl::StatusOr<std::string> ReadContractsFile(const std::string& path) {
  return ReadText(path, kLongestContractsFile, "a file of contracts has");
}

}  // namespace ggufgate
