#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <vector>

namespace ggufgate {

// ChannelPool lends the sockets between a checking process and the fetching process. Each thread
// gets one at a time.
class ChannelPool {
 public:
  // Fill must be called before the checking process is started. That process owns the sockets.
  void Fill(std::vector<int> sockets);

  // Loan is a borrowed socket. When the loan ends, the socket returns to the pool. If a part of an
  // answer is still to come, the socket is closed instead: the next borrower would read that part
  // as its own answer.
  class Loan {
   public:
    // Waits for a socket. Throws std::runtime_error if all are closed: then another worker takes
    // over, with new ones.
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
  std::mutex mutex_;  // guards the members below
  std::condition_variable returned_;
  std::vector<int> free_;
  std::size_t all_ = 0;  // sockets that are not closed
};

}  // namespace ggufgate
