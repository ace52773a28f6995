#include "rehearse/driver/speaker.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

namespace ggufgate::driver {

bool Speaker::Begin() {
  const ssize_t got = ::read(kDriverNonce, record_.nonce.data(), record_.nonce.size());
  if (got != static_cast<ssize_t>(record_.nonce.size())) return false;
  // Standard input is empty from now on, and no file that is opened later gets its descriptor.
  const int nowhere = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const bool placed = nowhere >= 0 && ::dup2(nowhere, kDriverNonce) >= 0;
  return placed && ::close(nowhere) == 0;
}

void Speaker::Say(DriverRecord::Kind kind, std::string_view text) {
  record_.kind = static_cast<std::uint8_t>(kind);
  record_.stage = static_cast<std::uint8_t>(stage_);
  record_.text.fill('\0');
  std::ranges::copy(text.substr(0, record_.text.size()), record_.text.begin());
  // If a record does not arrive, the reader detects the gap and does not report "runs".
  [[maybe_unused]] const ssize_t put = ::write(kDriverReport, &record_, sizeof(record_));
}

void Speaker::Enter(RehearsalStage stage) {
  stage_ = stage;
  Say(DriverRecord::Kind::kEnters, "");
}

// Exits without the library's exit handlers, because the work is done.
void Speaker::Refused() {
  Say(DriverRecord::Kind::kRefused, "");
  ::_exit(kDriverRefused);
}

void Speaker::Cannot(std::string_view why) {
  Say(DriverRecord::Kind::kCannot, why);
  ::_exit(kDriverCannot);
}

void Speaker::Finished() {
  Enter(RehearsalStage::kDone);
  Say(DriverRecord::Kind::kFinished, "");
  ::_exit(kDriverDone);
}

bool Speaker::CloseOnStart() { return ::fcntl(kDriverReport, F_SETFD, FD_CLOEXEC) == 0; }

}  // namespace ggufgate::driver
