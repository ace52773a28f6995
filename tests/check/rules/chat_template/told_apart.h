#pragma once

// Forms of templates of which one text makes a costly template, and another one a cheap one.

#include <string>
#include <string_view>

#include "tests/check/rules/chat_template/judged_template.h"
#include "tests/oracles/verdict.h"

namespace ggufgate::testing {

// Each form has `@`, in the place of which stands the costly text, then the other one.
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

// ExpectToldApart expects a finding of template-limit for the costly one alone.
inline void ExpectToldApart(const Form& form) {
  const std::string costly = Filled(form.form, form.costly);
  const std::string other = Filled(form.form, form.other);
  EXPECT_GT(TotalOf(Judge(With(costly)), RuleId::kTemplateLimit), 0U) << costly;
  EXPECT_THAT(Fired(other), IsEmpty()) << other;
}

}  // namespace ggufgate::testing
