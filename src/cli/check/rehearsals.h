#pragma once

// Rehearsals during a check (`check --rehearse`): a loader runs each file that the rules accept.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bytes/bytes.h"
#include "check/policy.h"
#include "cli/rehearse/rehearsing.h"
#include "gate/file_report.h"
#include "gate/identity.h"
#include "gate/reading/descriptor.h"
#include "rehearse/outcome.h"

namespace ggufgate {

// RehearsedFiles is the result of the process below: a rehearsal, and the files that were opened
// for it, which are all shards of a set.
struct RehearsedFiles {
  Rehearsal rehearsal;
  std::vector<Identity> identities;
};

// WithOutcome adds a result to the report of an accepted file. A crash or a refusal is a finding.
// The file is undecided if the loader was not run, or ran other files.
[[nodiscard]] FileReport WithOutcome(FileReport report, const RehearsedFiles& result,
                                     const Policy& policy);

// AnswerOf encodes a result for a pipe. AnswerIn trusts nothing: it returns nullopt for an invalid
// encoding.
[[nodiscard]] std::vector<std::uint8_t> AnswerOf(const RehearsedFiles& result);
[[nodiscard]] std::optional<RehearsedFiles> AnswerIn(Bytes bytes);

// Rehearsals is a process that rehearses files on request. The printer knows when a file is
// accepted, but it is confined and cannot start a loader. So it asks this process, which takes
// nothing from it except the number of a file.
class Rehearsals {
 public:
  // Start starts the process. It must be called while this process has one thread. `files` are the
  // files of the check.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<Rehearsals>> Start(
      std::vector<std::string> files, FoundLoader loader);
  Rehearsals(const Rehearsals&) = delete;
  Rehearsals& operator=(const Rehearsals&) = delete;
  ~Rehearsals();  // stops the process

  // The descriptors that the printer needs.
  [[nodiscard]] std::vector<int> descriptors() const { return {ask_.get(), answers_.get()}; }

  // AfterRehearsal rehearses an accepted file, and returns its report with the outcome. The shards
  // of a set are rehearsed together, once, and all get the outcome. Files that cannot be rehearsed
  // are undecided: standard input, files on servers, models of stores, and a file that is not the
  // checked one any more. It returns reports of other verdicts unchanged.
  [[nodiscard]] FileReport AfterRehearsal(FileReport report, const Policy& policy);

 private:
  Rehearsals(std::vector<std::string> files, FoundLoader loader);

  // AskOnce returns the result of a file, or of the set of its shards.
  [[nodiscard]] const RehearsedFiles& AskOnce(std::size_t file);
  [[nodiscard]] RehearsedFiles Ask(std::size_t file) const;

  std::vector<std::string> files_;
  std::vector<std::size_t> firsts_;  // by file: the first shard of its set, or the file itself
  std::map<std::size_t, RehearsedFiles> sets_;  // by first shard
  RehearsedFiles last_;                         // of a file that is not a shard
  FoundLoader loader_;
  Descriptor ask_;
  Descriptor answers_;
  pid_t process_ = -1;
};

}  // namespace ggufgate
