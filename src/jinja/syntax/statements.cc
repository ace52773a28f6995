#include "jinja/syntax/statements.h"

#include <algorithm>

#include "jinja/values/values.h"

namespace ggufgate {
namespace {

// Inside returns the text of a string literal, if it contains no escapes.
std::string_view Inside(const JinjaToken& token) {
  if (token.kind != JinjaToken::Kind::kString || token.text.size() < 2) return {};
  return token.text.substr(1, token.text.size() - 2);
}

}  // namespace

bool OpensBracket(const JinjaToken& token) {
  return token.Is("(") || token.Is("[") || token.Is("{");
}

bool ClosesBracket(const JinjaToken& token) {
  return token.Is(")") || token.Is("]") || token.Is("}");
}

std::size_t AssignmentIn(JinjaTokens tokens) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const JinjaToken& token = tokens[i];
    if (token.Is("(") || token.Is("[")) ++depth;
    if ((token.Is(")") || token.Is("]")) && depth > 0) --depth;
    if (token.Is("|")) break;
    if (token.Is("=") && depth == 0) return i;
  }
  return tokens.size();
}

bool IsAlwaysTrue(JinjaTokens tokens) {
  if (tokens.size() != 1) return false;
  const JinjaToken& token = tokens.front();
  if (token.kind == JinjaToken::Kind::kNumber) return NumberOf(token.text).value_or(0) != 0;
  return token.Is("true") || token.Is("True");
}

bool HasChoice(JinjaTokens tokens) {
  return std::ranges::any_of(tokens, [](const JinjaToken& token) {
    return token.Is("if") || token.Is("and") || token.Is("or");
  });
}

bool AsksForOther(JinjaTokens tokens) {
  bool asks = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const JinjaToken& token = tokens[i];
    if (token.Is("or") || token.Is("not") || token.Is("if") || token.Is("!=")) return false;
    if (!token.Is("==") || i == 0 || i + 1 == tokens.size()) continue;
    // role == 'tool', and ['role'] == 'tool'
    const bool item = tokens[i - 1].Is("]") && i > 2;
    const std::string_view key = item ? Inside(tokens[i - 2]) : tokens[i - 1].text;
    const std::string_view role = Inside(tokens[i + 1]);
    asks = asks || (key == "role" && !role.empty() && role != "user" && role != "human");
  }
  return asks;
}

std::size_t ClosingOf(JinjaTokens tokens) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (OpensBracket(tokens[i])) ++depth;
    if (ClosesBracket(tokens[i]) && --depth == 0) return i;
  }
  return tokens.size();
}

std::vector<std::string_view> ParametersIn(JinjaTokens tokens) {
  std::vector<std::string_view> parameters;
  std::size_t depth = 0;
  bool fresh = true;
  for (const JinjaToken& token : tokens) {
    if (OpensBracket(token)) ++depth;
    if (ClosesBracket(token) && depth > 0) --depth;
    if (depth == 1 && fresh && token.IsName()) parameters.push_back(token.text);
    fresh = depth == 1 && (token.Is(",") || token.Is("("));
  }
  return parameters;
}

bool AreTargets(JinjaTokens tokens) {
  bool behind = false;  // after a target
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const JinjaToken& token = tokens[i];
    if (token.Is(")")) continue;
    if (token.Is(",")) {
      behind = false;
      continue;
    }
    if (behind || !(token.IsName() || token.Is("("))) return false;
    behind = token.IsName();
    const bool field = i + 2 < tokens.size() && tokens[i + 1].Is(".") && tokens[i + 2].IsName();
    if (behind && field) i += 2;
  }
  return true;
}

std::vector<JinjaTokens> TargetsIn(JinjaTokens tokens) {
  std::vector<JinjaTokens> targets;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].IsName()) continue;
    const bool field = i + 2 < tokens.size() && tokens[i + 1].Is(".");
    targets.push_back(tokens.subspan(i, field ? 3 : 1));
    if (field) i += 2;
  }
  return targets;
}

}  // namespace ggufgate
