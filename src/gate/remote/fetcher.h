#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gate/reading/descriptor.h"
#include "gate/remote/channel_pool.h"
#include "remote/fetch_config.h"

namespace ggufgate {

// Fetcher is the fetching process, ggufgate-fetch. It is a separate program that has a network but
// no files, and it serves processes that have files but no network. It ends with this object, or
// with the process that made it.
class Fetcher {
 public:
  // Start looks for the program in the folder of this program, and in ../libexec/ggufgate relative
  // to that folder; never in $PATH. It must be called while the process has one thread. It leaves
  // no copies of the configuration in the memory of this process.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<Fetcher>> Start(const FetchConfig& config);

  Fetcher(const Fetcher&) = delete;
  Fetcher& operator=(const Fetcher&) = delete;
  ~Fetcher();

  // OpenChannels makes `count` new sockets to the fetching process and fills `pool` with them. The
  // caller must keep the returned descriptors until the process that uses the pool runs.
  [[nodiscard]] absl::StatusOr<std::vector<Descriptor>> OpenChannels(std::size_t count,
                                                                     ChannelPool& pool);

 private:
  Fetcher(pid_t process, Descriptor control) : process_(process), control_(std::move(control)) {}

  pid_t process_;
  Descriptor control_;
};

}  // namespace ggufgate
