#pragma once

// The program for attacks on a loader. It makes mutants, checks each with the gate and the loader,
// and reports differences and crashes. docs/attach.md shows its use.

#include <span>

#include "fuzz/external/harness.h"

namespace ggufgate::external {

// Attack is the complete main(). It uses the first loader unless --loader names another. The exit
// code is 0 if nothing was found, 1 if something was found, 2 for wrong usage or errors.
int Attack(std::span<const Loader> loaders, int argc, char** argv);

// BytesOf reads a file, for loaders that take bytes. It returns no bytes if the file cannot be
// read.
[[nodiscard]] File BytesOf(const char* path);

}  // namespace ggufgate::external
