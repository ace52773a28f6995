#pragma once

// A model with a chat template, and the gate's findings for it.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/judge.h"
#include "tests/support/matchers.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {

inline constexpr std::string_view kTemplateKey = "tokenizer.chat_template";

inline Model With(std::string_view text) {
  Model model;
  model.Set("general.architecture", "llama").Set(kTemplateKey, text);
  return model;
}

// The file offset of a position in the template.
inline std::uint64_t PlaceOf(const Model& model, std::uint64_t at) {
  return ValueAt(model, 1) + 8 + at;
}

inline std::vector<std::string> Fired(std::string_view text) {
  std::vector<std::string> rules;
  for (const std::string& rule : Judge(With(text)).Rules()) {
    if (rule.starts_with("template-")) rules.push_back(rule);
  }
  return rules;
}

inline std::string Times(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

// ExpectFinding expects one finding of a rule about the template, with these values.
inline void ExpectFinding(Wording wording, std::string_view text, std::uint64_t at,
                          std::uint64_t size, const Fact& observed, const Fact& allowed = {}) {
  SCOPED_TRACE(text.substr(0, 100));
  const Model model = With(text);
  const std::vector<Finding> findings = FindingsOf(Judge(model), wording.rule);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0], Tells({PlaceOf(model, at), size}, observed, allowed));
  EXPECT_EQ(WordingOf(findings[0]), wording);
  EXPECT_EQ(Describe(findings[0].subject), "metadata 1 \"tokenizer.chat_template\"");
}

}  // namespace ggufgate::testing
