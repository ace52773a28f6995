#pragma once

// What a child notes when it dies of a signal: how much address space it had, and in which
// function.

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

namespace ggufgate::oracles::llama_cpp {

// Peak lies in memory shared with the parent.
struct Peak {
  std::atomic<std::uint64_t> begin;  // bytes of address space
  std::atomic<std::uint64_t> bytes;  // above that
};

void NoteBegin(Peak& peak);
void NotePeak(Peak& peak);

// WatchDeaths makes this process note its peak before a signal kills it, and say to standard error
// where it was: "died in FUNCTION (LIBRARY+0x123)". The signal kills it all the same.
void WatchDeaths(Peak& peak);

inline constexpr std::string_view kDiedIn = "died in ";
// Demangled makes the function of such a line readable, without its parameters.
[[nodiscard]] std::string Demangled(std::string_view line);

}  // namespace ggufgate::oracles::llama_cpp
