#pragma once

// The notes of a child that a signal kills: its address space, and the function.

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace ggufgate::oracles::llama_cpp {

// Peak is in memory shared with the parent.
struct Peak {
  std::atomic<std::uint64_t> begin;  // bytes of address space
  std::atomic<std::uint64_t> bytes;  // in addition to `begin`
};

void NoteBegin(Peak& peak);
void NotePeak(Peak& peak);

// WatchDeaths makes this process record its peak before a signal kills it, and print the location
// to standard error: "died in FUNCTION (LIBRARY+0x123)". The signal still kills it.
void WatchDeaths(Peak& peak);

inline constexpr std::string_view kDiedIn = "died in ";
// Demangled makes the function of such a line readable, without its parameters.
[[nodiscard]] std::string Demangled(std::string_view line);

}  // namespace ggufgate::oracles::llama_cpp
