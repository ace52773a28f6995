#pragma once

// Forms of templates that are costly with one text and cheap with another.

#include <string>
#include <string_view>

#include "tests/check/rules/chat_template/judged_template.h"
#include "tests/oracles/verdict.h"

namespace ggufgate::testing {

// In each form, `@` is replaced by the costly text, then by the cheap one.
struct Form {
  std::string form;
  std::string_view costly;
  std::string_view other;
};

inline std::string Filled(std::string_view form, std::string_view text) {
  std::string filled(form);
  for (std::size_t at = filled.find('@'); at != std::string::npos; at = filled.find('@', at)) {
    filled.replace(at, 1, text);
    at += text.size();
  }
  return filled;
}

// ExpectToldApart expects a finding of template-limit only for the costly one.
inline void ExpectToldApart(const Form& form) {
  const std::string costly = Filled(form.form, form.costly);
  const std::string other = Filled(form.form, form.other);
  EXPECT_GT(TotalOf(Judge(With(costly)), RuleId::kTemplateLimit), 0U) << costly;
  EXPECT_THAT(Fired(other), IsEmpty()) << other;
}

}  // namespace ggufgate::testing
