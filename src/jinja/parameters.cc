#include "jinja/parameters.h"

#include <algorithm>
#include <tuple>

#include "jinja/syntax/statements.h"

namespace ggufgate {
namespace {

constexpr std::size_t kMostOfMacro = 64;  // parameters that are told apart

bool Opens(const JinjaToken& token) { return token.Is("(") || token.Is("[") || token.Is("{"); }
bool Closes(const JinjaToken& token) { return token.Is(")") || token.Is("]") || token.Is("}"); }

// NameList is a set of names, which are made one when they become too many.
class NameList {
 public:
  void Add(std::string_view name) {
    names_.push_back(name);
    if (names_.size() < most_) return;
    Unify();
    most_ = std::max(most_, 2 * names_.size());
  }
  [[nodiscard]] bool Has(std::string_view name) const {
    return std::ranges::binary_search(names_, name);
  }
  void Unify() {
    std::ranges::sort(names_);
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  }

 private:
  std::vector<std::string_view> names_;
  std::size_t most_ = 4096;
};

class ParameterFinder {
 public:
  void Read(const JinjaSpan& span) {
    if (span.tokens.empty()) return;
    const JinjaToken& keyword = span.tokens.front();
    const bool statement = span.kind == JinjaSpan::Kind::kStatement;
    const bool ends = keyword.Is("endmacro") || keyword.Is("endcall") || keyword.Is("endblock");
    if (statement && ends && !bodies_.empty()) bodies_.pop_back();
    const bool macro = statement && keyword.Is("macro") && span.tokens.size() > 1;
    if (macro) Enter(span.tokens[1].text, JinjaTokens(span.tokens).subspan(2));
    Look(span, /*signature=*/macro);
    if (statement && (keyword.Is("call") || keyword.Is("block"))) bodies_.push_back({});
  }

  [[nodiscard]] std::vector<OwnParameter> Found() {
    shared_.Unify();
    std::erase_if(found_, [&](const OwnParameter& own) { return shared_.Has(own.name); });
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
    if (names.size() > kMostOfMacro) names.clear();
    for (const std::string_view name : names) found_.push_back({.macro = macro, .name = name});
    std::ranges::sort(names);
    bodies_.push_back(std::move(names));
  }

  // Look finds the names that code outside of their macro can mean.
  void Look(const JinjaSpan& span, bool signature) {
    std::vector<bool> plain;  // by open bracket: the names of its arguments are no parameters
    for (std::size_t i = 0; i < span.tokens.size(); ++i) {
      const JinjaToken& token = span.tokens[i];
      if (Opens(token)) {
        const bool maker =
            i > 0 && (span.tokens[i - 1].Is("namespace") || span.tokens[i - 1].Is("dict"));
        plain.push_back(maker || (signature && plain.empty()));
      }
      if (Closes(token) && !plain.empty()) plain.pop_back();
      if (!token.IsName() || (i > 0 && span.tokens[i - 1].Is("."))) continue;
      const bool argument =
          !plain.empty() && i + 1 < span.tokens.size() && span.tokens[i + 1].Is("=");
      if (argument ? !plain.back() : IsForeign(token.text)) shared_.Add(token.text);
    }
  }

  [[nodiscard]] bool IsForeign(std::string_view name) const {
    return !bodies_.empty() && !std::ranges::binary_search(bodies_.back(), name);
  }

  std::vector<Names> bodies_;  // that are open, with their parameters
  std::vector<OwnParameter> found_;
  NameList shared_;
};

}  // namespace

std::vector<OwnParameter> OwnParametersIn(std::string_view text, JinjaSpan& span) {
  ParameterFinder finder;
  for (JinjaLexer lexer(text); lexer.Next(span);) finder.Read(span);
  return finder.Found();
}

}  // namespace ggufgate
