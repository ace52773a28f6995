#pragma once

#include <string_view>

#include "rehearse/driver_record.h"
#include "rehearse/outcome.h"

namespace ggufgate::driver {

// Speaker reports to the process that started this one.
class Speaker {
 public:
  // Reads the nonce and closes its pipe. Returns false if the pipe has no nonce.
  [[nodiscard]] bool Begin();

  void Enter(RehearsalStage stage);
  [[nodiscard]] RehearsalStage stage() const { return stage_; }
  void Version(std::string_view text) { Say(DriverRecord::Kind::kVersion, text); }
  void Note(std::string_view text) { Say(DriverRecord::Kind::kNote, text); }
  // These do not return: the process exits.
  [[noreturn]] void Refused();
  [[noreturn]] void Cannot(std::string_view why);
  [[noreturn]] void Finished();

  // CloseOnStart closes the pipe of the report where another program takes the place of this one.
  [[nodiscard]] static bool CloseOnStart();

 private:
  void Say(DriverRecord::Kind kind, std::string_view text);

  DriverRecord record_;
  RehearsalStage stage_ = RehearsalStage::kOpen;
};

}  // namespace ggufgate::driver
