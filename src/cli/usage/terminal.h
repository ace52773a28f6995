#pragma once

#include <cstddef>
#include <string>

#include "cli/usage/command.h"

namespace ggufgate {

// Properties of a command's terminal. They are all queried before the process is confined, because
// a confined process must not query a terminal.

// WantsColour tells whether to write colours to a descriptor. A terminal has colours unless
// NO_COLOR is set (no-color.org) or TERM is "dumb". FORCE_COLOR (force-color.org) requests colours
// without a terminal, but NO_COLOR has priority. Empty variables count as not set.
[[nodiscard]] bool WantsColour(int descriptor);

// WantsProgress tells whether a descriptor is a terminal that can erase a line.
[[nodiscard]] bool WantsProgress(int descriptor);

// ColumnsOf returns the width of a terminal: the value of COLUMNS, or else that of the terminal,
// but at least 20. It returns 0 if the descriptor is not a terminal, because output to a file or a
// pipe is not wrapped.
[[nodiscard]] std::size_t ColumnsOf(int descriptor);

// AddColourOption declares --color. `choice` must outlive the parsing.
void AddColourOption(Command command, std::string& choice);

// Coloured combines --color with `wanted`, the result of WantsColour().
[[nodiscard]] bool Coloured(const std::string& choice, bool wanted);

}  // namespace ggufgate
