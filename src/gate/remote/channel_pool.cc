#include "gate/remote/channel_pool.h"

#include <unistd.h>

#include <stdexcept>
#include <utility>

namespace ggufgate {

void ChannelPool::Fill(std::vector<int> sockets) {
  const std::scoped_lock lock(mutex_);
  all_ = sockets.size();
  free_ = std::move(sockets);
}

ChannelPool::Loan::Loan(ChannelPool& pool) : pool_(pool) {
  std::unique_lock lock(pool.mutex_);
  pool.returned_.wait(lock, [&pool] { return !pool.free_.empty() || pool.all_ == 0; });
  if (pool.all_ == 0) throw std::runtime_error("no free channel to ggufgate-fetch is left");
  socket_ = pool.free_.back();
  pool.free_.pop_back();
}

ChannelPool::Loan::~Loan() {
  const std::scoped_lock lock(pool_.mutex_);
  if (at_rest_) {
    pool_.free_.push_back(socket_);  // never exceeds its capacity: no allocation
  } else {
    ::close(socket_);
    --pool_.all_;
  }
  pool_.returned_.notify_all();
}

}  // namespace ggufgate
