#include "mutate/generate/program/statements.h"

namespace ggufgate::mutate::program {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kDeepest = 4;      // nested blocks
constexpr std::size_t kMostTimes = 300;  // executions of a statement in nested loops
constexpr std::array kPlain = {
    "\n"sv,     "<|im_start|>"sv, "  "sv,       "### Instruction:\n"sv,   "{ } % #"sv,
    "\t\n  "sv, "a < b & c"sv,    "'quoted'"sv, "\xC3\xA9\xE2\x82\xAC"sv, "}} %} #}"sv};
constexpr std::array kComments = {"a comment"sv, " {{ no code }} {% nor this %} "sv, ""sv,
                                  " several\n lines "sv};
constexpr std::array kRaw = {"{{ not code }}"sv, "{% if %} { {# "sv, "plain"sv,
                             "{{ x.__class__ }}"sv};
// Breach is code that a gate must report, and the rule that it breaks.
struct Breach {
  std::string_view text;
  std::string_view rule;
};
constexpr auto kBreaches = std::to_array<Breach>({
    {"{{ messages.__class__ }}", "template-injection"},
    {"{{ bos_token['__cla' ~ 'ss__'] }}", "template-injection"},
    {"{{ ''['__cl\\x61ss__'] }}", "template-injection"},
    {"{{ messages | map(attribute='__init__') | list }}", "template-injection"},
    {"{{ messages[0] | attr('role') }}", "template-injection"},
    {"{{ '{0.__class__}'.format(messages) }}", "template-injection"},
    {"{{ lipsum.__globals__ }}", "template-injection"},
    {"{{ messages[0][bos_token | replace('a', '_')] }}", "template-injection"},
    {"{% for q in range(2000000) %}{{ q }}{% endfor %}", "template-limit"},
    {"{{ 'x' * 100000000 }}", "template-limit"},
    {"{{ '%100000000d' % 1 }}", "template-limit"},
    {"{% macro again() %}{{ again() }}{% endmacro %}{{ again() }}", "template-limit"},
    {"{{ (messages }}", "template-syntax"},
    {"{{ messages[0)] }}", "template-syntax"},
    {"{{ messages", "template-syntax"},
    {"{% if true", "template-syntax"},
});

}  // namespace

void Statements::Begin(std::string_view sign) {
  constexpr std::array kBehind = {" "sv, "- "sv, " "sv, "-"sv, "+ "sv};
  pen_.Put(sign).Put(sign == "{%" ? choices_.Pick(kBehind) : choices_.OneIn(4) ? "- "sv : " "sv);
}

void Statements::End(std::string_view sign) {
  pen_.Put(choices_.OneIn(4) ? " -"sv : " "sv).Put(sign);
}

void Statements::Close(std::string_view word) {
  Begin();
  pen_.Put(word);
  End();
}

Statements::Place Statements::Inside(const Place& place) const {
  Place inside = place;
  ++inside.depth;
  return inside;
}

// Block writes the contents of a block, and its end. Its names are not visible outside.
void Statements::Block(const Place& place, std::string_view close) {
  pen_.Keep(kCloseRoom);
  const std::size_t names = scope_.count();
  Some(Inside(place), 3);
  scope_.GoBackTo(names);
  pen_.Release(kCloseRoom);
  Close(close);
}

void Statements::Some(const Place& place, std::size_t most) {
  const bool outer = expressions_.in_loop;
  expressions_.in_loop = place.in_loop;
  Statement(place);
  for (std::size_t i = choices_.Below(most); i > 0; --i) Statement(place);
  expressions_.in_loop = outer;
}

void Statements::Plain() { pen_.Put(choices_.Pick(kPlain)); }

void Statements::Comment() { pen_.Put("{#").Put(choices_.Pick(kComments)).Put("#}"); }

void Statements::Raw() {
  Close("raw");
  pen_.Put(choices_.Pick(kRaw));
  Close("endraw");
}

void Statements::Output(const Place& place) {
  Begin("{{");
  const std::size_t way = choices_.Below(8);
  if (way == 1) {
    expressions_.Number(kLevels);
  } else if (way == 2) {
    expressions_.Bool(kLevels);
  } else if (const Name* macro = way == 3 ? scope_.Any(choices_, Kind::kMacro) : nullptr;
             macro != nullptr && place.times * macro->size + steps_ < kMostSteps) {
    steps_ += place.times * macro->size;
    expressions_.PutName(*macro);
    pen_.Put("(");
    (void)expressions_.PlainText();
    if (choices_.OneIn(2)) {
      pen_.Put(choices_.OneIn(2) ? ", b=" : ", ");
      (void)expressions_.PlainText();
    }
    pen_.Put(")");
  } else if (const Name* block = way == 4 ? scope_.Any(choices_, Kind::kText) : nullptr) {
    expressions_.PutName(*block);  // of any length
  } else {
    (void)expressions_.Text(kLevels);
  }
  End("}}");
}

void Statements::Set() {
  constexpr std::array kKinds = {Kind::kText, Kind::kNumber, Kind::kTexts, Kind::kMessage,
                                 Kind::kMessages};
  Name name{.kind = kKinds.at(choices_.Below(kKinds.size())), .number = scope_.Fresh()};
  Begin();
  pen_.Put("set ");
  expressions_.PutName(name);
  pen_.Put(" = ");
  switch (name.kind) {
    case Kind::kNumber:
      expressions_.Number(kLevels);
      break;
    case Kind::kTexts:
      expressions_.Texts(kLevels);
      break;
    case Kind::kMessage:
      expressions_.Message();
      break;
    case Kind::kMessages:
      expressions_.Messages();
      break;
    default:
      name.size = expressions_.Text(kLevels);
      break;
  }
  End();
  scope_.Add(name);
}

// A text that is appended in a loop is at most as long as a message, so nothing doubles.
void Statements::SetNamespace() {
  const Name* known = scope_.Any(choices_, Kind::kNamespace);
  if (known == nullptr) {
    const Name name{.kind = Kind::kNamespace, .number = scope_.Fresh()};
    Begin();
    pen_.Put("set ");
    expressions_.PutName(name);
    pen_.Put(" = namespace(n=");
    expressions_.Number(1);
    pen_.Put(", t=");
    (void)expressions_.PlainText();
    pen_.Put(")");
    End();
    scope_.Add(name);
    return;
  }
  const Name name = *known;
  const bool text = choices_.OneIn(2);
  Begin();
  pen_.Put("set ");
  expressions_.PutName(name);
  pen_.Put(text ? ".t = " : ".n = ");
  if (choices_.OneIn(3)) {
    pen_.Put(text ? "''" : "0");
  } else {
    expressions_.PutName(name);
    if (text) {
      pen_.Put(".t ~ ");
      (void)expressions_.PlainText();
    } else {
      pen_.Put(choices_.OneIn(2) ? ".n + 1" : ".n - 2");
    }
  }
  End();
}

void Statements::Breaking() {
  const Breach& breach = kBreaches[choices_.Below(kBreaches.size())];
  pen_.Put(breach.text);
  broken_ = breach.rule;
}

void Statements::Statement(const Place& place) {
  steps_ += place.times;
  if (pen_.Left() < kStatementRoom) return Plain();
  const bool deeper = place.depth < kDeepest;
  switch (choices_.Below(24)) {
    case 1:
    case 2:
    case 3:
      return Plain();
    case 4:
    case 5:
    case 6:
      return Set();
    case 7:
    case 8:
    case 9:
      if (deeper) return If(place);
      break;
    case 10:
    case 11:
    case 12:
      if (deeper && place.times * kMostRounds <= kMostTimes && steps_ < kMostSteps / 2) {
        return For(place);
      }
      break;
    case 13:
      return SetNamespace();
    case 14:
      if (deeper) return SetBlock(place);
      break;
    case 15:
      if (deeper) return With(place);
      break;
    case 16:
      if (deeper) return Filter(place);
      break;
    case 17:
      if (place.depth == 0) return Macro(place);
      return Comment();
    case 18:
      if (deeper) return Call(place);
      break;
    case 19:
      return Raw();
    case 20:
      return Tools();
    case 21:
      return ToolCalls(place);
    case 22:
      return Leave(place);
    case 23:
      return Raise();
    default:
      break;
  }
  Output(place);
}

std::string_view Statements::Program() {
  const std::size_t count = 2 + choices_.Below(8);
  const std::size_t breach = plan_ == TemplatePlan::kBroken ? choices_.Below(count) : count;
  for (std::size_t i = 0; i < count; ++i) {
    if (i == breach) {
      Breaking();
      if (broken_ == "template-syntax") return broken_;
    }
    Statement({});
  }
  return broken_;
}

}  // namespace ggufgate::mutate::program
