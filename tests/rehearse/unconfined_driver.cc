// For tests/rehearse/emulated.py alone: QEMU's user mode has neither Landlock nor seccomp. Linked
// in front of the driver, this replaces its sandbox. Never give such a driver a hostile file or
// loader.

#include "rehearse/driver/confine_driver.h"

namespace ggufgate::driver {

absl::Status ConfineDriver(const Confinement& /*wanted*/) { return absl::OkStatus(); }

}  // namespace ggufgate::driver
