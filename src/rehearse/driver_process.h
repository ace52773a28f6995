#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gate/reading/descriptor.h"
#include "rehearse/outcome.h"

namespace ggufgate {

// DriverCall holds the arguments of the driver for one rehearsal.
struct DriverCall {
  std::string loader;  // absolute path
  RehearsalStage last_stage = RehearsalStage::kDone;
  // Bytes before the weights, which read as zeros: of each shard, then of each LoRA adapter. A
  // model that is not split is one shard. The size of a file means that the loader gets its
  // weights.
  std::vector<std::uint64_t> front_bytes = {};
  std::size_t adapters = 0;  // at most kMostAdaptersRehearsed
  unsigned tokens = 2;       // length of the prompt
  bool repacks = false;      // weights may be copied into another order
  std::uint64_t cpu_seconds = 0;
  // A command and its arguments, for which `loader` is the path of the program. Empty: `loader` is
  // a library.
  std::vector<std::string> command = {};
};

// DriverProcess runs the program ggufgate-rehearse. It is a separate process, which confines itself
// before it opens the loader. It ends with this object, or with the process that made it.
class DriverProcess {
 public:
  // Start searches for the program like FindCompanion(). `stand_ins` are the shards of the model,
  // at least one and at most kMostShardsRehearsed, and then the adapters. `zeros` is a file of
  // kZeroBytes.
  [[nodiscard]] static absl::StatusOr<DriverProcess> Start(const DriverCall& call,
                                                           std::span<const Descriptor> stand_ins,
                                                           const Descriptor& zeros);

  DriverProcess(DriverProcess&& other) noexcept;
  DriverProcess& operator=(DriverProcess&&) = delete;
  DriverProcess(const DriverProcess&) = delete;
  DriverProcess& operator=(const DriverProcess&) = delete;
  ~DriverProcess();

  [[nodiscard]] pid_t process() const { return process_; }
  [[nodiscard]] const std::array<std::uint8_t, 16>& nonce() const { return nonce_; }
  // The non-blocking ends of pipes, and a descriptor that becomes readable when the process has
  // ended.
  [[nodiscard]] int report() const { return report_.get(); }
  [[nodiscard]] int words() const { return words_.get(); }
  [[nodiscard]] int end() const { return end_.get(); }

  void Kill() const;
  // Wait returns the status of waitpid(). It may be called once.
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
