#include "gate/processes/signal_forwarding.h"

#include <poll.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>

namespace ggufgate {
namespace {

constexpr std::array kEndingSignals = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

struct Pending {
  volatile pid_t child = -1;
  std::array<struct sigaction, kEndingSignals.size()> before{};
};
Pending pending;

// Calls only functions that signal-safety(7) allows.
void EndChildAndDie(int signal) {
  const pid_t child = pending.child;
  pending.child = -1;
  if (child > 0) {
    constexpr int kTries = 50;
    constexpr int kPause = 10;  // ms
    // A terminal sends the signal to the child, too; kill(1) sends it only to this process.
    ::kill(child, signal);
    bool gone = false;
    for (int i = 0; i < kTries && !gone; ++i) {
      const pid_t ended = ::waitpid(child, nullptr, WNOHANG);
      gone = ended == child || (ended < 0 && errno != EINTR);
      if (!gone) ::poll(nullptr, 0, kPause);
    }
    if (!gone) ::kill(child, SIGKILL);
  }
  for (std::size_t i = 0; i < kEndingSignals.size(); ++i) {
    if (kEndingSignals.at(i) == signal) ::sigaction(signal, &pending.before.at(i), nullptr);
  }
  ::raise(signal);
}

}  // namespace

SignalForwarding::SignalForwarding(pid_t child) {
  pending.child = child;
  for (std::size_t i = 0; i < kEndingSignals.size(); ++i) {
    struct sigaction& before = pending.before.at(i);
    if (::sigaction(kEndingSignals.at(i), nullptr, &before) != 0) continue;
    if (before.sa_handler == SIG_IGN) continue;
    struct sigaction action = {};
    action.sa_handler = EndChildAndDie;
    action.sa_flags = static_cast<int>(SA_NODEFER);
    ::sigaction(kEndingSignals.at(i), &action, nullptr);
  }
}

SignalForwarding::~SignalForwarding() {
  pending.child = -1;
  for (std::size_t i = 0; i < kEndingSignals.size(); ++i) {
    const struct sigaction& before = pending.before.at(i);
    if (before.sa_handler != SIG_IGN) ::sigaction(kEndingSignals.at(i), &before, nullptr);
  }
}

}  // namespace ggufgate
