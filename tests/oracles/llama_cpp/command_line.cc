#include "tests/oracles/llama_cpp/command_line.h"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <span>
#include <system_error>

namespace ggufgate::oracles::llama_cpp {
namespace {

constexpr double kMostSeconds = 100'000;
constexpr std::uint64_t kMostMemory = 1'000'000;  // MiB

template <typename Number>
bool ReadNumber(std::string_view word, Number most, Number& out) {
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, out);
  return error == std::errc() && rest == end && out > 0 && out <= most;
}

}  // namespace

std::optional<CommandLine> ReadCommandLine(int argc, char** argv) {
  CommandLine line;
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == "--help" || word == "-h") {
      line.help = true;
    } else if (word == "--guard") {
      line.guard = true;
    } else if (word == "--memory" || word == "--seconds") {
      if (++i == words.size()) return std::nullopt;
      std::uint64_t mebibytes = 0;
      if (word == "--memory") {
        if (!ReadNumber(words[i], kMostMemory, mebibytes)) return std::nullopt;
        line.limits.memory = mebibytes << 20;
      } else if (!ReadNumber(words[i], kMostSeconds, line.limits.seconds)) {
        return std::nullopt;
      }
    } else if (word.starts_with("-")) {
      return std::nullopt;
    } else {
      line.files.emplace_back(word);
    }
  }
  return line;
}

void ForEachLine(const CommandLine& line, const std::function<void(std::string_view)>& call) {
  for (const std::string& file : line.files) call(file);
  if (!line.files.empty()) return;
  for (std::string text; std::getline(std::cin, text);) {
    if (!text.empty()) call(text);
  }
}

std::string StartGuarded(char** argv) {
  constexpr const char* kMark = "GGUFGATE_GUARDED";
  if (std::getenv(kMark) != nullptr) return "";
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string allocator = self.parent_path() / "libguarded_blocks.so";
  if (error || !std::filesystem::exists(allocator)) return allocator + ": not there";
  ::setenv(kMark, "1", 1);
  ::setenv("LD_PRELOAD", allocator.c_str(), 1);
  ::execv(self.c_str(), argv);
  return std::string("cannot be started again: ") + std::strerror(errno);
}

}  // namespace ggufgate::oracles::llama_cpp
