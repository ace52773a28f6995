#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

namespace ggufgate {

// ChannelPool lends the sockets that lead from a process that judges to the one that fetches: one
// to each thread at a time.
class ChannelPool {
 public:
  // Fill is called before the process that judges is started; it owns the sockets.
  void Fill(std::vector<int> sockets);

  // Loan is a socket that is lent. It comes back at its end when it is at rest, and is closed when
  // an answer is still under way: what came next would be taken for another.
  class Loan {
   public:
    // Waits for one. Throws std::runtime_error when there are none any more: another worker will
    // have some.
    explicit Loan(ChannelPool& pool);
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan();

    [[nodiscard]] int socket() const { return socket_; }
    void NoteAtRest() { at_rest_ = true; }

   private:
    ChannelPool& pool_;
    int socket_;
    bool at_rest_ = false;
  };

 private:
  std::mutex mutex_;  // guards what follows
  std::condition_variable returned_;
  std::vector<int> free_;
  std::size_t all_ = 0;  // that are not closed
};

}  // namespace ggufgate
