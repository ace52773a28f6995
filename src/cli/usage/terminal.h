#pragma once

#include <cstddef>
#include <string>

#include "cli/usage/command.h"

namespace ggufgate {

// What a command has to know of the terminal that it writes to. All of it is found out before the
// process is confined, which may ask no terminal for anything.

// WantsColour decides for a descriptor: a terminal has colour unless NO_COLOR is set (no-color.org)
// or TERM is "dumb". FORCE_COLOR (force-color.org) asks for colour where there is no terminal;
// NO_COLOR wins over it. Empty variables count as not set.
[[nodiscard]] bool WantsColour(int descriptor);

// WantsProgress tells whether a descriptor is a terminal that can wipe out a line.
[[nodiscard]] bool WantsProgress(int descriptor);

// ColumnsOf is the width of a terminal: what COLUMNS says, or else the terminal; at least 20. 0
// when the descriptor is no terminal: what goes into a file or a pipe is not wrapped.
[[nodiscard]] std::size_t ColumnsOf(int descriptor);

// AddColourOption declares --color; `choice` outlives the parsing.
void AddColourOption(Command command, std::string& choice);

// Coloured is what --color makes of the environment's wish.
[[nodiscard]] bool Coloured(const std::string& choice, bool wanted);

}  // namespace ggufgate
