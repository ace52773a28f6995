#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gate/judge.h"

namespace ggufgate {

// JudgeAll judges many files with `jobs` threads and hands over the reports in the order of
// `paths`, each as soon as it and all before it are done. `take` is called by one thread at a time.
//
// The threads are fewer where the address space has no room for so many (ThreadTeam), and a file
// for which memory runs out while others are judged is judged once more by itself: a verdict does
// not depend on how many files are judged at the same time.
//
// When tensor data are judged, threads without a file help with those of the others.
//
// What `take` throws ends the work and is thrown on, once all threads have stopped.
//
// At most 2 · `jobs` finished reports wait for their turn, so memory does not grow with the list.
void JudgeAll(const std::vector<std::string>& paths, const JudgeOptions& options, unsigned jobs,
              const std::function<void(FileReport)>& take);

// FileJudge judges file number `index` of the paths.
using FileJudge = std::function<FileReport(std::size_t index, const JudgeOptions& options)>;

// The same by another judge than JudgePath.
void JudgeAll(const std::vector<std::string>& paths, const FileJudge& judge,
              const JudgeOptions& options, unsigned jobs,
              const std::function<void(FileReport)>& take);

}  // namespace ggufgate
