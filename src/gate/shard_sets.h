#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "gate/file_report.h"
#include "gate/find_files.h"

namespace ggufgate {

// FileNameIn returns the last name in a path, or in the path of an address.
[[nodiscard]] std::string FileNameIn(const std::string& path);

// FolderOf returns the same spelling for each spelling of a folder, without asking the system.
[[nodiscard]] std::string FolderOf(const std::string& path);

// ShardSets checks the shards of one model together, after the check of each file.
//
// Files belong to one set if they are in the same folder and their names differ only in the number
// (`STEM-00002-of-00005.gguf`). A set is checked if one of its files was found by searching a
// folder, or if at least two were named. Any other shard is only compared with its name, and its
// report says so. A blob of a model cache, or standard input, has no such name. After
// FindShardsBeside no first shard is alone.
//
// If one shard could not be checked, the whole set is undecided.
class ShardSets {
 public:
  // `found` and `policy` must outlive it. It passes the reports to `take`.
  ShardSets(const FoundFiles& found, const Policy& policy, std::function<void(FileReport)> take);

  // Take accepts the reports of `found.files` in their order, and passes them on in that order. It
  // holds back a report until its set and all earlier sets are complete. So it keeps at most the
  // reports from the first to the last shard of a set; see ShardFacts for their size.
  void Take(FileReport report);

 private:
  struct Set {
    std::string stem;
    std::uint32_t count = 0;
    std::vector<std::size_t> files;  // indexes into FoundFiles::files, increasing
    std::size_t missing = 0;         // reports that have not come yet
    bool alone = false;              // it has one file, which may be named twice
  };
  static constexpr std::size_t kNone = SIZE_MAX;

  void Judge(const Set& set);
  void JudgeAlone(std::size_t file);
  FileReport& ReportOf(std::size_t file) { return waiting_.at(file - handed_over_); }

  const FoundFiles& found_;
  const Policy& policy_;
  std::function<void(FileReport)> take_;
  std::vector<Set> sets_;
  std::vector<std::size_t> set_of_;  // per file; kNone: its name is not that of a shard
  std::deque<FileReport> waiting_;   // from file handed_over_ on
  std::size_t handed_over_ = 0;
};

}  // namespace ggufgate
