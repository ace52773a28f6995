#pragma once

// Files on servers among the files of `check`.

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

// FindRemoteShards adds the other shards of the sets of all remote files. An invalid address
// becomes a problem.
void FindRemoteShards(FoundFiles& found);

// RemoteFiles holds the remote files of a run, and the fetching process, which it starts if there
// are any. It must outlive the run.
class RemoteFiles {
 public:
  // It never fails: the report of each file says why the file cannot be fetched. `judges` is the
  // number of processes that read each file. It clears $HF_TOKEN, because the checking processes
  // must not see it.
  RemoteFiles(const std::vector<std::string>& files, const RemoteOptions& options,
              std::uint64_t judges);

  [[nodiscard]] bool any() const { return any_; }
  [[nodiscard]] bool Has(std::size_t file) const { return any_ && numbers_.at(file).has_value(); }

  // Connect sets up the channels of each worker and each witness: `at_once` for a worker, one for a
  // witness.
  void Connect(unsigned at_once, WorkerProcesses& processes);

  // Judge checks file number `file` in a worker. Ask gets the opinion in the witness.
  [[nodiscard]] FileReport Judge(std::size_t file, const std::string& path,
                                 const JudgeOptions& options);
  [[nodiscard]] Opinion Ask(std::size_t file, SecondOpinion wanted, const Policy& policy);

  // StandIn fetches the front of file number `file`, whose address is `path`, and makes its
  // stand-in (FetchStandIn).
  [[nodiscard]] absl::StatusOr<Descriptor> StandIn(std::size_t file, const std::string& path);

 private:
  std::vector<std::optional<std::uint32_t>> numbers_;  // per file
  bool any_ = false;
  absl::Status problem_;  // why no file can be fetched
  std::unique_ptr<Fetcher> fetcher_;
  ChannelPool of_worker_;
  ChannelPool of_witness_;
};

}  // namespace ggufgate
