// Numbers, conditions, lists and messages, for conditions and loops.

#include "mutate/generate/program/expressions.h"

namespace ggufgate::mutate::program {
namespace {

using namespace std::string_view_literals;

constexpr std::array kNumbers = {"1"sv, "0"sv, "2"sv, "3"sv, "7"sv, "10"sv, "1_000"sv, "0x1F"sv};
constexpr std::array kRoles = {"'user'"sv, "'system'"sv, "'assistant'"sv, "'tool'"sv};
constexpr std::array kTestsOfText = {" is string"sv,     " is defined"sv,  " is not none"sv,
                                     " is mapping"sv,    " is iterable"sv, " is lower"sv,
                                     " is not number"sv, " is sequence"sv};
constexpr std::array kTestsOfNumber = {" is odd"sv,
                                       " is even"sv,
                                       " is divisibleby(3)"sv,
                                       " is number"sv,
                                       " is not divisibleby 2"sv,
                                       " is integer"sv,
                                       " is eq(2)"sv,
                                       " is ge 1"sv};
constexpr std::array kCompare = {" == "sv, " != "sv, " < "sv, " > "sv, " <= "sv, " >= "sv};

}  // namespace

void Expressions::SimpleNumber() {
  switch (choices_.Below(5)) {
    case 1:
      if (const Name* name = scope_.Any(choices_, Kind::kNumber); name != nullptr) {
        PutName(*name);
        return;
      }
      break;
    case 2:
      if (in_loop) {
        constexpr std::array kOfLoop = {"loop.index"sv,    "loop.index0"sv,    "loop.length"sv,
                                        "loop.revindex"sv, "loop.revindex0"sv, "loop.depth"sv};
        pen_.Put(choices_.Pick(kOfLoop));
        return;
      }
      break;
    case 3:
      pen_.Put("(messages | length)");
      return;
    case 4:
      if (const Name* name = scope_.Any(choices_, Kind::kNamespace); name != nullptr) {
        PutName(*name);
        pen_.Put(".n");
        return;
      }
      break;
    default:
      break;
  }
  pen_.Put(choices_.Pick(kNumbers));
}

void Expressions::Number(std::size_t depth) {
  if (depth == 0 || Tight()) return SimpleNumber();
  constexpr std::array kSigns = {" + "sv, " - "sv, " * "sv};
  constexpr std::array kBy = {" % 3"sv,   " // 2"sv,  " ** 2 % 7"sv,
                              " | abs"sv, " | int"sv, " / 2) | round | int"sv};
  switch (choices_.Below(6)) {
    case 1:
      pen_.Put("(");
      Number(depth - 1);
      pen_.Put(choices_.Pick(kSigns));
      SimpleNumber();
      pen_.Put(")");
      return;
    case 2:
      pen_.Put("((");
      Text(depth - 1);
      pen_.Put(choices_.OneIn(3) ? ") | wordcount)" : ") | length)");
      return;
    case 3: {
      pen_.Put("((");
      Number(depth - 1);
      const std::string_view by = choices_.Pick(kBy);
      pen_.Put(by).Put(by.find(')') == std::string_view::npos ? "))" : ")");
      return;
    }
    case 4:
      pen_.Put("(");
      Messages();
      pen_.Put(" | length)");
      return;
    case 5:
      pen_.Put("([1, 5, ");
      Number(depth - 1);
      pen_.Put(choices_.OneIn(2) ? "] | max)" : "] | sum)");
      return;
    default:
      return SimpleNumber();
  }
}

void Expressions::SimpleBool() {
  constexpr std::array kBools = {"true"sv,
                                 "false"sv,
                                 "add_generation_prompt"sv,
                                 "messages"sv,
                                 "(tools is defined)"sv,
                                 "(enable_thinking is defined)"sv,
                                 "(tools is not none)"sv,
                                 "(not tools)"sv};
  constexpr std::array kOfLoop = {"loop.first"sv, "loop.last"sv, "(not loop.last)"sv,
                                  "(loop.previtem is defined)"sv,
                                  "(loop.nextitem is not defined)"sv};
  if (in_loop && choices_.OneIn(2)) {
    pen_.Put(choices_.Pick(kOfLoop));
  } else if (choices_.OneIn(2)) {
    pen_.Put("(");
    Message();
    pen_.Put(choices_.OneIn(2) ? ".role == " : "['role'] != ").Put(choices_.Pick(kRoles)).Put(")");
  } else {
    pen_.Put(choices_.Pick(kBools));
  }
}

void Expressions::TestOf(std::size_t depth) {
  pen_.Put("(");
  if (choices_.OneIn(2)) {
    Number(depth);
    pen_.Put(choices_.Pick(kTestsOfNumber));
  } else {
    Text(depth);
    pen_.Put(choices_.Pick(kTestsOfText));
  }
  pen_.Put(")");
}

void Expressions::Bool(std::size_t depth) {
  if (depth == 0 || Tight()) return SimpleBool();
  const std::size_t way = choices_.Below(7);
  if (way == 0) return SimpleBool();
  if (way == 6) return TestOf(depth - 1);
  pen_.Put("(");
  switch (way) {
    case 1:
      Bool(depth - 1);
      pen_.Put(choices_.OneIn(2) ? " or " : " and ");
      Bool(depth - 1);
      break;
    case 2:
      pen_.Put("not ");
      Bool(depth - 1);
      break;
    case 3:
      Number(depth - 1);
      pen_.Put(choices_.Pick(kCompare));
      Number(depth - 1);
      break;
    case 4:
      Literal();
      pen_.Put(choices_.OneIn(2) ? " not in " : " in ");
      Text(depth - 1);
      break;
    default:
      Text(depth - 1);
      pen_.Put(choices_.OneIn(2) ? ".endswith(" : ".startswith(");
      Literal();
      pen_.Put(")");
      break;
  }
  pen_.Put(")");
}

void Expressions::Texts(std::size_t depth) {
  if (const Name* name = scope_.Any(choices_, Kind::kTexts); name != nullptr && choices_.OneIn(2)) {
    return PutName(*name);
  }
  const std::size_t below = depth == 0 ? 0 : depth - 1;
  switch (choices_.Below(6)) {
    case 1:
      pen_.Put("(");
      Text(below);
      pen_.Put(").split(' ')[:4]");
      return;
    case 2:
      pen_.Put("(messages | map(attribute='role') | list)[:6]");
      return;
    case 3:
      pen_.Put("(['b', 'a', ");
      Text(below);
      pen_.Put(choices_.OneIn(2) ? "] | sort)" : "] | unique | list)");
      return;
    case 4:
      pen_.Put("(('x', ");
      Text(below);
      pen_.Put(") | map('upper') | list)");
      return;
    case 5:
      pen_.Put("([");
      Text(below);
      pen_.Put(", 'last'] | reverse | list)");
      return;
    default:
      pen_.Put("['one', ");
      Literal();
      pen_.Put("]");
      return;
  }
}

void Expressions::Messages() {
  constexpr std::array kSome = {"messages"sv,
                                "messages[1:]"sv,
                                "messages[:-1]"sv,
                                "messages[:4]"sv,
                                "messages[::-1]"sv,
                                "(messages | reverse | list)"sv,
                                "(messages | sort(attribute='role'))"sv};
  constexpr std::array kBy = {"selectattr('role', 'equalto', "sv, "rejectattr('role', '==', "sv,
                              "rejectattr('role', 'in', ['none', "sv};
  if (const Name* name = scope_.Any(choices_, Kind::kMessages);
      name != nullptr && choices_.OneIn(2)) {
    return PutName(*name);
  }
  if (!choices_.OneIn(3)) {
    pen_.Put(choices_.Pick(kSome));
    return;
  }
  const std::string_view by = choices_.Pick(kBy);
  pen_.Put("(messages | ").Put(by).Put(choices_.Pick(kRoles));
  pen_.Put(by.ends_with("'none', ") ? "]) | list)" : ") | list)");
}

}  // namespace ggufgate::mutate::program
