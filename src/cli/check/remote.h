#pragma once

// The files on servers among those that `check` is to judge.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "cli/check/remote_options.h"
#include "gate/file_report.h"
#include "gate/find_files.h"
#include "gate/judge_options.h"
#include "gate/processes/second_opinion.h"
#include "gate/processes/worker_processes.h"
#include "gate/remote/channel_pool.h"
#include "gate/remote/fetcher.h"

namespace ggufgate {

// FindRemoteShards adds to the remote files among those found the other shards of their sets, and
// makes a problem of what is no address.
void FindRemoteShards(FoundFiles& found);

// RemoteFiles are those of a run, and the process that fetches them, which is started where there
// are any. Outlives the run.
class RemoteFiles {
 public:
  // Never fails: what cannot be fetched is for the report of each file to say. `judges` ask for
  // each file. $HF_TOKEN is empty afterwards: it is no business of those who judge.
  RemoteFiles(const std::vector<std::string>& files, const RemoteOptions& options,
              std::uint64_t judges);

  [[nodiscard]] bool any() const { return any_; }
  [[nodiscard]] bool Has(std::size_t file) const { return any_ && numbers_.at(file).has_value(); }

  // Connect has each worker, and each witness, get its channels: `at_once` and one.
  void Connect(unsigned at_once, WorkerProcesses& processes);

  // Judge judges file number `file`, in a worker; Ask asks the witness, in its process.
  [[nodiscard]] FileReport Judge(std::size_t file, const std::string& path,
                                 const JudgeOptions& options);
  [[nodiscard]] Opinion Ask(std::size_t file, SecondOpinion wanted, const Policy& policy);

 private:
  std::vector<std::optional<std::uint32_t>> numbers_;  // by file
  bool any_ = false;
  absl::Status problem_;  // why nothing can be fetched
  std::unique_ptr<Fetcher> fetcher_;
  ChannelPool of_worker_;
  ChannelPool of_witness_;
};

}  // namespace ggufgate
