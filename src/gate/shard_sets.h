#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "gate/file_report.h"
#include "gate/find_files.h"

namespace ggufgate {

// FileNameIn is the last name in a path, or in that of a file on a server.
[[nodiscard]] std::string FileNameIn(const std::string& path);

// FolderOf spells the same folder the same way, without asking the system.
[[nodiscard]] std::string FolderOf(const std::string& path);

// ShardSets judges the shards of one model together, behind the judgement of each file by itself.
//
// Files are of one set when they lie in the same folder and their names differ in the number only
// (`STEM-00002-of-00005.gguf`). A set is looked at when one of its files was found by searching a
// folder, or when at least two were named: any other shard is only compared with its own name, and
// its report says so. A blob of a model cache, or standard input, has no such name. After
// FindShardsBeside no first shard is alone.
//
// A set in which one shard could not be judged is undecided as a whole.
class ShardSets {
 public:
  // `found` and `policy` outlive it. Reports go to `take`.
  ShardSets(const FoundFiles& found, const Policy& policy, std::function<void(FileReport)> take);

  // Take takes the reports of `found.files` in their order, and hands each over in that order as
  // soon as the sets of it and of all before it are complete. It holds back at most the reports
  // from the first to the last shard of a set; see ShardFacts for what a shard's takes.
  void Take(FileReport report);

 private:
  struct Set {
    std::string stem;
    std::uint32_t count = 0;
    std::vector<std::size_t> files;  // indexes into FoundFiles::files, rising
    std::size_t missing = 0;         // reports that are still to come
    bool alone = false;              // it is one file, maybe given twice
  };
  static constexpr std::size_t kNone = SIZE_MAX;

  void Judge(const Set& set);
  void JudgeAlone(std::size_t file);
  FileReport& ReportOf(std::size_t file) { return waiting_.at(file - handed_over_); }

  const FoundFiles& found_;
  const Policy& policy_;
  std::function<void(FileReport)> take_;
  std::vector<Set> sets_;
  std::vector<std::size_t> set_of_;  // by file; kNone: it is not named as shards are
  std::deque<FileReport> waiting_;   // from file handed_over_ on
  std::size_t handed_over_ = 0;
};

}  // namespace ggufgate
