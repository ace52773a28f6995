#pragma once

// The program around a loader under attack: makes mutants, asks the gate and the loader about each,
// and reports where they differ and what the loader dies of. docs/attach.md shows its use.

#include <span>

#include "fuzz/external/harness.h"

namespace ggufgate::external {

// Attack is all of main(). The first loader is asked unless --loader names another. Exit code: 0
// nothing found, 1 something found, 2 wrong usage, or it could not be done.
int Attack(std::span<const Loader> loaders, int argc, char** argv);

// BytesOf reads a file, for loaders that take bytes; none where it cannot be read.
[[nodiscard]] File BytesOf(const char* path);

}  // namespace ggufgate::external
