#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "format/limits.h"
#include "gate/file_report.h"
#include "gate/judge_options.h"
#include "gate/processes/second_opinion.h"
#include "gate/processes/worker_processes.h"

namespace ggufgate {

// CheckPlan names the files to check, the limits, and the files and descriptors that the checking
// processes can use. The command line and the C library make one each. ProcessesFor() assigns the
// work.
struct CheckPlan {
  std::vector<std::string> files;     // names for the checking processes; "-" is standard input
  std::vector<std::string> readable;  // the files that are opened by name
  unsigned jobs = 1;                  // threads per worker
  SecondOpinion second_opinion = SecondOpinion::kSmall;
  bool pass_through = false;    // the worker writes to standard output
  bool tells_progress = false;  // sends the progress of tensor data as kProgress frames
  // Bytes of address space that this process uses. Its children inherit them: an interpreter may
  // have reserved more than a worker is allowed.
  std::uint64_t memory_in_use = 0;

  // Limit of processor time, in seconds, until a worker has parsed the policy. The policy may set
  // another limit.
  std::uint64_t cpu_seconds = Limits{}.cpu_seconds;

  // Returns the options. Each worker calls it, because the policy file is untrusted. It returns
  // nullopt if the policy is invalid; the printer reports that. A witness calls `policy`, which
  // needs no contracts.
  std::function<std::optional<JudgeOptions>()> options;
  std::function<std::optional<Policy>()> policy;
  // `judge` checks a file in a worker. `ask` gets the second opinion in the witness.
  std::function<FileReport(std::size_t file, const JudgeOptions& options)> judge;
  std::function<Opinion(std::size_t file, const Policy& policy)> ask;
};

// ProcessesFor returns the processes of a plan, which must outlive them. The caller sets the
// printer.
[[nodiscard]] WorkerProcesses ProcessesFor(const CheckPlan& plan);

}  // namespace ggufgate
