#pragma once

// The contracts of all releases as data without pointers, so that they need no relocation at the
// start of the program. contracts_as_code.cmake writes it. Use ContractTable::Learned() instead.

#include <cstdint>
#include <span>
#include <string_view>

namespace ggufgate {

// EmbeddedBlock has the lines of an architecture.
struct EmbeddedBlock {
  std::uint32_t head;   // the offset of "NAME VOCABULARY" in EmbeddedText()
  std::uint32_t first;  // of EmbeddedLines()
  std::uint32_t count;
};

// EmbeddedRelease has the blocks of a release, sorted by name.
struct EmbeddedRelease {
  std::uint32_t name;   // the offset of its line
  std::uint32_t first;  // of EmbeddedBlocks()
  std::uint32_t count;
};

// EmbeddedText has each line once, and EmbeddedLines the offsets into it.
[[nodiscard]] std::string_view EmbeddedText();
[[nodiscard]] std::span<const std::uint32_t> EmbeddedLines();
[[nodiscard]] std::span<const EmbeddedBlock> EmbeddedBlocks();

// EmbeddedReleases lists the newest one first.
[[nodiscard]] std::span<const EmbeddedRelease> EmbeddedReleases();

}  // namespace ggufgate
