// Policies of the C interface.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "api/c/guarded.h"
#include "api/c/handles.h"
#include "policy/policy_file.h"
#include "words/escape.h"

using namespace ggufgate;

namespace {

std::optional<Profile> ProfileNamed(std::string_view word) {
  const auto found = std::ranges::find(kProfileWords, word);
  if (found == kProfileWords.end()) return std::nullopt;
  return static_cast<Profile>(found - kProfileWords.begin());
}

std::string LinesOf(const std::vector<TextProblem>& problems) {
  std::string lines;
  for (const TextProblem& problem : problems) {
    lines += std::to_string(problem.at.line) + ":" + std::to_string(problem.at.column) + ": " +
             EscapeText(problem.what) + "\n";
  }
  return lines;
}

}  // namespace

ggufgate_status ggufgate_policy_of_profile(const char* profile, ggufgate_policy** policy) noexcept {
  if (policy == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  *policy = nullptr;
  if (profile == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  return api::Guarded([&]() -> ggufgate_status {
    const std::optional<Profile> named = ProfileNamed(profile);
    if (!named) return GGUFGATE_STATUS_NOT_FOUND;
    auto made = std::make_unique<ggufgate_policy>();
    made->policy = PolicyFor(*named);
    return api::Give(std::move(made), policy);
  });
}

ggufgate_status ggufgate_policy_parse(const char* toml, size_t size, const char* profile,
                                      const char* name, ggufgate_text** problems,
                                      ggufgate_policy** policy) noexcept {
  if (problems != nullptr) *problems = nullptr;
  if (policy == nullptr) return GGUFGATE_STATUS_BAD_ARGUMENT;
  *policy = nullptr;
  if (!api::IsMemory(toml, size)) return GGUFGATE_STATUS_BAD_ARGUMENT;
  return api::Guarded([&]() -> ggufgate_status {
    std::optional<Profile> named;
    if (profile != nullptr) {
      named = ProfileNamed(profile);
      if (!named) return GGUFGATE_STATUS_NOT_FOUND;
    }
    ParsedPolicy parsed = ParsePolicy(AsText(api::BytesOf(toml, size)), named);
    if (!parsed.problems.empty()) {
      if (problems == nullptr) return GGUFGATE_STATUS_BAD_POLICY;
      auto lines = std::make_unique<ggufgate_text>();
      lines->chars = LinesOf(parsed.problems);
      *problems = lines.release();
      return GGUFGATE_STATUS_BAD_POLICY;
    }
    auto made = std::make_unique<ggufgate_policy>();
    made->policy = std::move(parsed.policy);
    if (name != nullptr) made->policy.source = name;
    return api::Give(std::move(made), policy);
  });
}

void ggufgate_policy_free(ggufgate_policy* policy) noexcept { delete policy; }
