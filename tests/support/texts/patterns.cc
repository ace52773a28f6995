#include "tests/support/texts/patterns.h"

#include <regex.h>

#include <array>
#include <functional>
#include <stdexcept>

namespace ggufgate::testing {
namespace {

constexpr std::size_t kGroups = 4;
using Groups = std::array<regmatch_t, kGroups>;

// ForEachMatch passes the groups of each match, as offsets into the text.
void ForEachMatch(const std::string& text, const std::string& pattern,
                  const std::function<void(const Groups&)>& take) {
  regex_t compiled;
  if (::regcomp(&compiled, pattern.c_str(), REG_EXTENDED) != 0) {
    throw std::invalid_argument("a pattern with a fault: " + pattern);
  }
  for (std::size_t at = 0; at <= text.size();) {
    Groups groups{};
    groups.front() = {.rm_so = static_cast<regoff_t>(at),
                      .rm_eo = static_cast<regoff_t>(text.size())};
    if (::regexec(&compiled, text.c_str(), kGroups, groups.data(), REG_STARTEND) != 0) break;
    take(groups);
    const auto end = static_cast<std::size_t>(groups.front().rm_eo);
    at = end > at ? end : at + 1;
  }
  ::regfree(&compiled);
}

}  // namespace

std::vector<std::string> FindAll(const std::string& text, const std::string& pattern,
                                 std::size_t group) {
  std::vector<std::string> found;
  ForEachMatch(text, pattern, [&](const Groups& groups) {
    const regmatch_t& of = groups.at(group);
    if (of.rm_so < 0) return;
    found.push_back(text.substr(static_cast<std::size_t>(of.rm_so),
                                static_cast<std::size_t>(of.rm_eo - of.rm_so)));
  });
  return found;
}

std::string ReplaceAll(const std::string& text, const std::string& pattern, const std::string& by) {
  std::string replaced;
  std::size_t kept = 0;
  ForEachMatch(text, pattern, [&](const Groups& groups) {
    const auto begin = static_cast<std::size_t>(groups.front().rm_so);
    replaced += text.substr(kept, begin - kept) + by;
    kept = static_cast<std::size_t>(groups.front().rm_eo);
  });
  return replaced + text.substr(kept);
}

}  // namespace ggufgate::testing
