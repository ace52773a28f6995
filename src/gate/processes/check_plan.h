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

// CheckPlan names the files to judge, the limits, and the files and descriptors that the judges can
// use. The command line and the C library make one each. ProcessesFor() assigns the work.
struct CheckPlan {
  std::vector<std::string> files;     // as the judges name them; "-" is standard input
  std::vector<std::string> readable;  // those of them that are opened by their names
  unsigned jobs = 1;                  // threads of a worker
  SecondOpinion second_opinion = SecondOpinion::kSmall;
  bool pass_through = false;    // the worker writes to standard output
  bool tells_progress = false;  // of tensor data, by kProgress
  // Bytes of address space that this process has, which its children have as well: an interpreter
  // may have reserved more than a judge is allowed.
  std::uint64_t memory_in_use = 0;

  // Seconds of processor time until a worker has parsed the policy, which may have another limit.
  std::uint64_t cpu_seconds = Limits{}.cpu_seconds;

  // How to judge. Each worker and each witness makes its own sense of a hostile policy file.
  // Nothing: there is no policy, which is for the printer to say.
  std::function<std::optional<JudgeOptions>()> options;
  // Judges a file in a worker, and asks for the second opinion in the witness.
  std::function<FileReport(std::size_t file, const JudgeOptions& options)> judge;
  std::function<Opinion(std::size_t file, const Policy& policy)> ask;
};

// ProcessesFor gives the processes of a plan, which outlives them. Who prints is the caller's to
// say.
[[nodiscard]] WorkerProcesses ProcessesFor(const CheckPlan& plan);

}  // namespace ggufgate
