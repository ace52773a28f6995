// Texts. Filters and methods: see the documentation of Jinja 3.1 and of Python's str.

#include "mutate/generate/program/expressions.h"

namespace ggufgate::mutate::program {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kContent = 256;  // of a message; longer ones only take more time

constexpr std::array kLiterals = {"'user'"sv,
                                  "'<|im_start|>'"sv,
                                  "'<|im_end|>\\n'"sv,
                                  "'\\n\\n'"sv,
                                  "''"sv,
                                  "\"it's\""sv,
                                  "'assistant'"sv,
                                  "'[INST] '"sv,
                                  "' '"sv,
                                  "'a b c'"sv,
                                  "'\\u00e9t\\u00e9'"sv,
                                  "\"say \\\"so\\\"\""sv,
                                  "'{'"sv,
                                  "'{{ no code }}'"sv,
                                  "'%}'"sv,
                                  "'tab\\there'"sv,
                                  "'back\\\\slash'"sv,
                                  "'one' 'two'"sv,
                                  "'\xE2\x82\xAC'"sv,
                                  "'</think>'"sv};
constexpr std::array kShort = {"'a'"sv, "' '"sv, "'\\n'"sv, "'s'"sv, "'e'"sv, "'<'"sv, "'-'"sv};
constexpr std::array kFilters = {" | trim"sv,
                                 " | upper"sv,
                                 "|lower"sv,
                                 " | title"sv,
                                 " | capitalize"sv,
                                 " | string"sv,
                                 " | safe"sv,
                                 " | reverse"sv,
                                 " | striptags"sv,
                                 " | truncate(9)"sv,
                                 " | wordwrap(20)"sv,
                                 " | default('none')"sv,
                                 " | d('none', true)"sv,
                                 " | list | join"sv,
                                 " | center(12)"sv,
                                 " | trim('x')"sv};
constexpr std::array kMethods = {".strip()"sv,       ".lstrip()"sv,
                                 ".rstrip('\\n')"sv, ".upper()"sv,
                                 ".lower()"sv,       ".title()"sv,
                                 ".capitalize()"sv,  ".swapcase()"sv,
                                 "[:3]"sv,           "[1:]"sv,
                                 "[-4:]"sv,          "[::-1]"sv,
                                 "[1:9:2]"sv,        ".split('>')[-1]"sv,
                                 ".split(' ')[0]"sv, ".rsplit('a', 1)[0]"sv};

}  // namespace

void Expressions::PutName(const Name& name) {
  constexpr std::array kPrefixes = {"text_"sv,  "count_"sv, "parts_"sv, "turn_"sv,
                                    "turns_"sv, "ns_"sv,    "macro_"sv, "wrap_"sv};
  pen_.Put(kPrefixes.at(static_cast<std::size_t>(name.kind))).Put(name.number);
}

std::size_t Expressions::Literal() {
  const std::string_view literal = choices_.Pick(kLiterals);
  pen_.Put(literal);
  return literal.size();
}

void Expressions::Message() {
  if (const Name* name = scope_.Any(choices_, Kind::kMessage); name != nullptr) {
    PutName(*name);
  } else {
    pen_.Put(choices_.OneIn(2) ? "messages[-1]" : "messages[0]");
  }
}

std::size_t Expressions::MessageField() {
  constexpr std::array kFields = {
      ".content"sv,        ".role"sv,        "['content']"sv,           "[\"role\"]"sv,
      ".get('content')"sv, ".get('role')"sv, ".get('name', 'nobody')"sv};
  Message();
  pen_.Put(choices_.Pick(kFields));
  return kContent;
}

std::size_t Expressions::SimpleText() {
  switch (choices_.Below(6)) {
    case 1:
      return MessageField();
    case 2:
      if (const Name* name = scope_.Any(choices_, Kind::kText, kLongest); name != nullptr) {
        PutName(*name);
        return name->size;
      }
      return MessageField();
    case 3:
      pen_.Put(choices_.OneIn(2) ? "eos_token" : "bos_token");
      return 16;
    case 4:
      if (!in_loop) return Literal();
      pen_.Put("loop.cycle('odd', 'even')");
      return 4;
    default:
      return Literal();
  }
}

std::size_t Expressions::PlainText() { return choices_.OneIn(2) ? MessageField() : Literal(); }

void Expressions::Quoted() { pen_.Put(choices_.Pick(kShort)); }

std::size_t Expressions::FilteredText(std::size_t depth) {
  std::size_t size = Text(depth);
  switch (choices_.Below(4)) {
    case 1:
      pen_.Put(" | replace(");
      Quoted();
      pen_.Put(", ");
      Quoted();
      pen_.Put(")");
      return size;  // one character for one
    case 2:
      pen_.Put(choices_.OneIn(2) ? " | indent(2)" : " | indent(4, true)");
      return 5 * size + 4;
    case 3:
      pen_.Put(choices_.OneIn(2) ? " | e" : " | escape");
      return 6 * size;
    default:
      pen_.Put(choices_.Pick(kFilters));
      return 2 * size + 16;
  }
}

std::size_t Expressions::MethodOfText(std::size_t depth) {
  const std::size_t size = Text(depth);
  if (choices_.OneIn(4)) {
    pen_.Put(".replace(");
    Quoted();
    pen_.Put(", ");
    Quoted();
    pen_.Put(")");
  } else {
    pen_.Put(choices_.Pick(kMethods));
  }
  return size;
}

std::size_t Expressions::FormattedText(std::size_t depth) {
  pen_.Put("(");
  std::size_t size = 16;
  switch (choices_.Below(4)) {
    case 1:
      pen_.Put("'{}: {}'.format(");
      size += Text(depth);
      pen_.Put(", ");
      Number(depth);
      pen_.Put(")");
      break;
    case 2:
      pen_.Put("'%s=%d' % (");
      size += Text(depth);
      pen_.Put(", ");
      Number(depth);
      pen_.Put(")");
      break;
    case 3:
      pen_.Put("'<%s>' | format(");
      size += Text(depth);
      pen_.Put(")");
      break;
    default:
      pen_.Put("'%s' % ");
      size += SimpleText();
      break;
  }
  pen_.Put(")");
  return size;
}

std::size_t Expressions::JsonText(std::size_t depth) {
  pen_.Put("(");
  std::size_t size = 4 * kContent;
  switch (choices_.Below(3)) {
    case 1:
      Message();
      size *= 8;
      break;
    case 2:
      Texts(depth);
      size *= 8;
      break;
    default:
      size += 8 * Text(depth);
      break;
  }
  pen_.Put(choices_.OneIn(4) ? " | tojson(indent=2)" : " | tojson").Put(")");
  return size;
}

std::size_t Expressions::Text(std::size_t depth) {
  if (depth == 0 || Tight()) return SimpleText();
  std::size_t size = 0;
  switch (choices_.Below(12)) {
    case 1:
    case 2:
    case 3:
      pen_.Put("(");
      size = Text(depth - 1);
      pen_.Put(choices_.OneIn(2) ? " + " : " ~ ");
      size += Text(depth - 1);
      pen_.Put(")");
      return size;
    case 4:
      pen_.Put("(");
      size = FilteredText(depth - 1);
      pen_.Put(")");
      return size;
    case 5:
      return MethodOfText(depth - 1);
    case 6:
      pen_.Put("(");
      size = Text(depth - 1);
      pen_.Put(" if ");
      Bool(depth - 1);
      pen_.Put(" else ");
      size += Text(depth - 1);
      pen_.Put(")");
      return size;
    case 7:
      return FormattedText(depth - 1);
    case 8:
      pen_.Put("(");
      Texts(depth - 1);
      pen_.Put(" | join(");
      Quoted();
      pen_.Put("))");
      return 8 * kContent;
    case 9:
      return JsonText(depth - 1);
    case 10:
      pen_.Put("(");
      Number(depth - 1);
      pen_.Put(choices_.OneIn(2) ? " ~ '')" : " | string)");
      return 32;
    case 11:
      if (const Name* name = scope_.Any(choices_, Kind::kNamespace); name != nullptr) {
        PutName(*name);
        pen_.Put(".t");
        return kLongest + 1;  // it may grow: do not copy it into other texts
      }
      return SimpleText();
    default:
      return SimpleText();
  }
}

}  // namespace ggufgate::mutate::program
