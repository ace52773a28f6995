// Compares the names that a template may and may not use with golden_names.txt.

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "jinja/template.h"
#include "tests/support/golden.h"

namespace ggufgate::testing {
namespace {

std::string TemplateFor(const std::string& use, const std::string& name) {
  if (use == "attribute") return "{{ messages." + name + " }}";
  if (use == "item") return "{{ messages['" + name + "'] }}";
  if (use == "filter") return "{{ messages | map(attribute='" + name + "') }}";
  if (use == "variable") return "{{ " + name + " }}";
  if (use == "call") return "{{ " + name + "() }}";
  ADD_FAILURE() << "no use of a name: " << use;
  return "";
}

bool IsRefused(const std::string& text) {
  using Kind = TemplateRemark::Kind;
  return std::ranges::any_of(ReadTemplate(text), [](const TemplateRemark& remark) {
    return remark.kind == Kind::kInternalName || remark.kind == Kind::kHelper;
  });
}

// Every row is parsed and written again from the result, so that a difference shows the use.
TEST(Golden, NamesOfTemplatesAreAllowedOrRefused) {
  std::vector<std::string> seen;
  for (const std::string& line : GoldenLines("jinja/values/golden_names.txt")) {
    std::istringstream row(line);
    const std::vector<std::string> words(std::istream_iterator<std::string>(row), {});
    ASSERT_GE(words.size(), 3U) << line;
    std::string uses;
    for (std::size_t i = 1; i + 1 < words.size(); ++i) {
      const bool refused = IsRefused(TemplateFor(words[i], words.back()));
      if (refused == (words.front() == "refused")) uses += words[i] + " ";
    }
    seen.push_back(words.front() + " " + uses + words.back());
  }
  ExpectGolden("jinja/values/golden_names.txt", seen);
}

}  // namespace
}  // namespace ggufgate::testing
