// policy: any text as TOML and as a policy file. If it is valid TOML, its values in a canonical
// form parse to the same values; so does a policy without problems.

#include <algorithm>
#include <string>
#include <utility>

#include "bytes/utf8.h"
#include "fuzz/support/target.h"
#include "policy/policy_file.h"
#include "policy/policy_text.h"
#include "policy/toml.h"

using namespace ggufgate;
using fuzz::Require;
using Kind = TomlValue::Kind;

namespace {

void Quote(std::string_view text, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    if (byte < ' ' || c == '"' || c == '\\' || byte == 0x7F) {
      out += "\\u00";
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

// Write writes a value on one line. The omitted parts of deep values, and the values of floats and
// dates, are unknown.
void Write(const TomlValue& value, int depth, std::string& out) {
  Require(depth <= kDeepestToml, "values end at a depth");
  Require(value.kind == Kind::kArray || value.elements.empty(), "only arrays have elements");
  Require(value.kind == Kind::kTable || value.entries.empty(), "only tables have entries");
  Require(IsUtf8(AsBytes(value.text)), "a string is UTF-8");
  std::string_view comma;
  switch (value.kind) {
    case Kind::kString:
      return Quote(value.text, out);
    case Kind::kInteger:
      out += std::to_string(value.integer);
      return;
    case Kind::kFloat:
      out += "0.5";
      return;
    case Kind::kBoolean:
      out += "true";
      return;
    case Kind::kDate:
      out += "2000-01-01";
      return;
    case Kind::kArray:
      out += '[';
      for (const TomlValue& element : value.elements) {
        out += std::exchange(comma, ",");
        Write(element, depth + 1, out);
      }
      out += ']';
      return;
    case Kind::kTable:
      break;
  }
  out += depth == 0 ? "" : "{";
  TextPlace last{.line = 0, .column = 0};
  for (const TomlEntry& entry : value.entries) {
    Require(last < entry.at, "entries have places of their own, in order");
    last = entry.at;
    out += std::exchange(comma, depth == 0 ? "" : ",");
    Quote(entry.key, out);
    out += '=';
    Write(entry.value, depth + 1, out);
    if (depth == 0) out += '\n';
  }
  out += depth == 0 ? "" : "}";
}

void RequireToml(std::string_view text) {
  const TomlDocument document = ParseToml(text);
  if (!document.problems.empty()) {
    const TextProblem& problem = document.problems.front();
    const auto lines = static_cast<std::uint64_t>(std::ranges::count(text, '\n')) + 1;
    Require(problem.at.line >= 1 && problem.at.line <= lines, "a problem is on a line");
    Require(problem.at.column >= 1 && problem.at.column <= text.size() + 1, "and in a column");
    Require(!problem.what.empty(), "and is told in words");
    Require(document.root.entries.empty(), "half a document is none");
    return;
  }
  std::string once;
  Write(document.root, 0, once);
  const bool dots = std::ranges::count(once, '.') > 64;  // the maximum per line
  const TomlDocument again = ParseToml(once);
  Require(again.problems.empty() || dots, "what was written is read");
  if (!again.problems.empty()) return;
  std::string twice;
  Write(again.root, 0, twice);
  Require(once == twice, "what was read is what was written");
}

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  const fuzz::GuardedCopy copy(input);
  RequireToml(AsText(copy.bytes()));
  const ParsedPolicy parsed = ParsePolicy(AsText(copy.bytes()));
  Require(parsed.problems.size() <= 2 * kMostPolicyProblems, "problems are bounded");
  if (!parsed.problems.empty()) return;
  const std::string text = PolicyText(parsed.policy);
  const ParsedPolicy again = ParsePolicy(text);
  Require(again.problems.empty(), "a printed policy has no problem");
  Require(again.policy == parsed.policy, "a printed policy reads back to itself");
  Require(PolicyText(again.policy) == text, "and is printed as before");
}
