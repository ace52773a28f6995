#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gate/reading/descriptor.h"
#include "rehearse/outcome.h"

namespace ggufgate {

// DriverCall describes one rehearsal to the driver.
struct DriverCall {
  std::string loader;  // absolute path
  RehearsalStage last_stage = RehearsalStage::kDone;
  std::uint64_t front_bytes = 0;  // of the model that are not weights
  unsigned tokens = 2;            // of the prompt
  bool repacks = false;           // weights may be copied into another order
  std::uint64_t cpu_seconds = 0;
  // A command and its arguments, for which `loader` is the path of the program. Empty: `loader` is
  // a library.
  std::vector<std::string> command = {};
};

// DriverProcess runs the program ggufgate-rehearse: a separate process, which confines itself
// before it opens the loader. It ends with this object, or with the process that made it.
class DriverProcess {
 public:
  // Start looks for the program as FindCompanion() does. `stand_in` is the model, and `zeros` a
  // file of kZeroBytes.
  [[nodiscard]] static absl::StatusOr<DriverProcess> Start(const DriverCall& call,
                                                           const Descriptor& stand_in,
                                                           const Descriptor& zeros);

  DriverProcess(DriverProcess&& other) noexcept;
  DriverProcess& operator=(DriverProcess&&) = delete;
  DriverProcess(const DriverProcess&) = delete;
  DriverProcess& operator=(const DriverProcess&) = delete;
  ~DriverProcess();

  [[nodiscard]] pid_t process() const { return process_; }
  [[nodiscard]] const std::array<std::uint8_t, 16>& nonce() const { return nonce_; }
  // Ends of pipes, whose reads do not wait, and a descriptor that can be read once it has ended.
  [[nodiscard]] int report() const { return report_.get(); }
  [[nodiscard]] int words() const { return words_.get(); }
  [[nodiscard]] int end() const { return end_.get(); }

  void Kill() const;
  // Wait gives the status that waitpid() has of it. To be called once.
  [[nodiscard]] int Wait();

 private:
  DriverProcess() = default;

  pid_t process_ = -1;
  std::array<std::uint8_t, 16> nonce_{};
  Descriptor report_;
  Descriptor words_;
  Descriptor end_;
};

}  // namespace ggufgate
