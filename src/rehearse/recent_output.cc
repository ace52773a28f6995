#include "rehearse/recent_output.h"

#include <algorithm>
#include <array>

namespace ggufgate {
namespace {

constexpr std::size_t kMostOfLine = 400;

bool HasAny(std::string_view line, const auto& signs) {
  return std::ranges::any_of(signs,
                             [&](std::string_view sign) { return line.find(sign) != line.npos; });
}

// Trimmed removes blanks and carriage returns around a line.
std::string_view Trimmed(std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  return line;
}

// WithoutFolders removes the path where the loader was built.
std::string_view WithoutFolders(std::string_view line) {
  constexpr std::string_view kTop = "/llama.cpp/";
  const std::size_t at = line.find(kTop);
  if (!line.starts_with('/') || at == std::string_view::npos) return line;
  return line.substr(at + kTop.size());
}

}  // namespace

void RecentOutput::Add(std::string_view text) {
  if (text.size() > kMostBytes) text.remove_prefix(text.size() - kMostBytes);
  text_ += text;
  if (text_.size() > 2 * kMostBytes) text_.erase(0, text_.size() - kMostBytes);
}

std::string CauseIn(std::string_view words) {
  constexpr std::array<std::string_view, 4> kDeaths = {"GGML_ASSERT", "GGML_ABORT",
                                                       "what():", "terminate called"};
  constexpr std::array<std::string_view, 1> kRefusals = {"error loading model"};
  std::string_view last;
  std::string_view refusal;
  std::string_view death;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find('\n'), words.size());
    const std::string_view line = Trimmed(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
    if (!line.empty()) last = line;
    if (HasAny(line, kRefusals)) refusal = line;
    if (HasAny(line, kDeaths)) death = line;
  }
  const std::string_view cause = !death.empty() ? death : !refusal.empty() ? refusal : last;
  return std::string(WithoutFolders(cause).substr(0, kMostOfLine));
}

bool WantsMemory(std::string_view words) {
  constexpr std::array<std::string_view, 4> kSigns = {
      "std::bad_alloc", "failed to allocate", "unable to allocate", "(attempted to allocate"};
  return HasAny(words, kSigns);
}

}  // namespace ggufgate
