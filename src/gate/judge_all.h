#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gate/judge.h"

namespace ggufgate {

// JudgeAll checks many files with `jobs` threads. It delivers the reports in the order of `paths`,
// each as soon as it and all before it are done. Only one thread at a time calls `take`.
//
// There are fewer threads if the address space lacks room for them (ThreadTeam). If a file runs out
// of memory while others are checked, it is checked again alone. So a verdict does not depend on
// the number of files that are checked at the same time.
//
// If tensor data are checked, threads without a file help the others.
//
// If `take` throws, all threads stop, and the exception is rethrown.
//
// At most 2 · `jobs` finished reports wait for their turn, so memory does not grow with the list.
void JudgeAll(const std::vector<std::string>& paths, const JudgeOptions& options, unsigned jobs,
              const std::function<void(FileReport)>& take);

// FileJudge checks file number `index` of the paths.
using FileJudge = std::function<FileReport(std::size_t index, const JudgeOptions& options)>;

// JudgeAll with a function other than JudgePath.
void JudgeAll(const std::vector<std::string>& paths, const FileJudge& judge,
              const JudgeOptions& options, unsigned jobs,
              const std::function<void(FileReport)>& take);

}  // namespace ggufgate
