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

// Fetcher is the process that fetches, ggufgate-fetch: a program of its own, which has a network
// and no files, for processes that have files and no network. It ends with this object, or with the
// process that made it.
class Fetcher {
 public:
  // Start looks for the program beside this one, and in the folder libexec/ggufgate beside the
  // folder that this one lies in; never in $PATH. Must be called while the process has one thread.
  // Nothing of the configuration stays in the memory of this process but what the caller has.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<Fetcher>> Start(const FetchConfig& config);

  Fetcher(const Fetcher&) = delete;
  Fetcher& operator=(const Fetcher&) = delete;
  ~Fetcher();

  // OpenChannels makes `count` new sockets that lead to it, fills `pool` with them, and gives them
  // to be kept until the process runs that uses the pool.
  [[nodiscard]] absl::StatusOr<std::vector<Descriptor>> OpenChannels(std::size_t count,
                                                                     ChannelPool& pool);

 private:
  Fetcher(pid_t process, Descriptor control) : process_(process), control_(std::move(control)) {}

  pid_t process_;
  Descriptor control_;
};

}  // namespace ggufgate
