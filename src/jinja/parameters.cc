#include "jinja/parameters.h"

#include <algorithm>
#include <tuple>

#include "jinja/syntax/name_list.h"
#include "jinja/syntax/statements.h"

namespace ggufgate {
namespace {

// Published templates have fewer than a hundred. In a template with more than this limit, no
// parameter counts as a separate variable.
constexpr std::size_t kMost = 1'000;

class ParameterFinder {
 public:
  void Read(const JinjaSpan& span) {
    if (many_ || span.tokens.empty()) return;
    const JinjaToken& keyword = span.tokens.front();
    const bool statement = span.kind == JinjaSpan::Kind::kStatement;
    const bool ends = keyword.Is("endmacro") || keyword.Is("endcall") || keyword.Is("endblock");
    if (statement && ends && !bodies_.empty()) bodies_.pop_back();
    const bool macro = statement && keyword.Is("macro") && span.tokens.size() > 1;
    if (macro) Enter(span.tokens[1].text, JinjaTokens(span.tokens).subspan(2));
    Look(span, macro ? 2 : 0);
    if (statement && (keyword.Is("call") || keyword.Is("block"))) bodies_.push_back({});
  }

  [[nodiscard]] std::vector<OwnParameter> Found() {
    if (many_) return {};
    ShareTheSame();
    const std::vector<std::string_view> shared = shared_.Take();
    std::erase_if(found_, [&](const OwnParameter& own) {
      return std::ranges::binary_search(shared, own.name);
    });
    const auto key = [](const OwnParameter& own) { return std::tuple(own.macro, own.name); };
    std::ranges::sort(found_, {}, key);
    const auto same = [&](const OwnParameter& a, const OwnParameter& b) {
      return key(a) == key(b);
    };
    found_.erase(std::unique(found_.begin(), found_.end(), same), found_.end());
    return std::move(found_);
  }

 private:
  using Names = std::vector<std::string_view>;

  void Enter(std::string_view macro, JinjaTokens signature) {
    Names names = ParametersIn(signature);
    if (names.size() > kMostParameters) names.clear();
    many_ = many_ || found_.size() + names.size() > kMost || macros_.size() >= kMost;
    if (many_) return;
    for (const std::string_view name : names) found_.push_back({.macro = macro, .name = name});
    macros_.push_back(macro);
    std::ranges::sort(names);
    bodies_.push_back(std::move(names));
  }

  // ShareTheSame removes the parameters of macros that have the same name: a call may call either.
  void ShareTheSame() {
    std::ranges::sort(macros_);
    for (const OwnParameter& own : found_) {
      const auto same = std::ranges::lower_bound(macros_, own.macro);
      if (same + 1 != macros_.end() && same[1] == own.macro) shared_.Add(own.name);
    }
  }

  // Look finds the names that code outside of their macro can mean. The default of a parameter is
  // code of the caller. `signature` is the index of its first token, 0 for other code.
  void Look(const JinjaSpan& span, std::size_t signature) {
    std::size_t depth = 0;
    bool fresh = false;  // a parameter may be next
    for (std::size_t i = signature; i < span.tokens.size(); ++i) {
      const JinjaToken& token = span.tokens[i];
      if (OpensBracket(token)) ++depth;
      if (ClosesBracket(token) && depth > 0) --depth;
      const bool parameter = signature > 0 && depth == 1 && fresh && token.IsName();
      fresh = depth == 1 && (token.Is(",") || token.Is("("));
      if (parameter || !token.IsName() || (i > 0 && span.tokens[i - 1].Is("."))) continue;
      const bool argument = depth > 0 && i + 1 < span.tokens.size() && span.tokens[i + 1].Is("=");
      if (argument || signature > 0 || IsForeign(token.text)) shared_.Add(token.text);
    }
  }

  [[nodiscard]] bool IsForeign(std::string_view name) const {
    return !bodies_.empty() && !std::ranges::binary_search(bodies_.back(), name);
  }

  std::vector<Names> bodies_;  // open ones, with their parameters
  std::vector<OwnParameter> found_;
  Names macros_;
  bool many_ = false;
  NameList shared_;
};

}  // namespace

std::vector<OwnParameter> OwnParametersIn(std::string_view text, JinjaSpan& span) {
  ParameterFinder finder;
  for (JinjaLexer lexer(text); lexer.Next(span);) finder.Read(span);
  return finder.Found();
}

}  // namespace ggufgate
