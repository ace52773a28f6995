#include "policy/toml.h"

#include <algorithm>
#include <optional>

#include "bytes/bytes.h"
#include "bytes/utf8.h"
#include "policy/toml_cursor.h"
#include "policy/toml_scalars.h"
#include "policy/toml_tree.h"

namespace ggufgate {
namespace {

using internal::TomlCursor;
using internal::TomlKey;
using internal::TomlNode;
using internal::TomlTree;
using Kind = TomlValue::Kind;

// Maximum number of nested arrays and inline tables, plus one for the value in them; a policy has
// 2. It limits the recursion of Reader.
constexpr int kMostNested = 8;
// Each dot of a key makes a table in a table. A key is on one line, so a limit of dots per line
// limits the memory for a short text. It also counts dots in strings, because no text needs so
// many.
constexpr std::ptrdiff_t kMostDots = 64;

constexpr std::string_view kPair = "a key-value pair";
constexpr std::string_view kHeader = "a table header";

constexpr bool IsBare(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '-';
}

// Reader parses a document according to https://toml.io/en/v1.0.0. Its functions return false after
// a problem, which the cursor keeps.
class Reader {
 public:
  explicit Reader(std::string_view text) : in_(text), tree_(in_) {}

  [[nodiscard]] bool Read();
  [[nodiscard]] TomlNode& root() { return tree_.root(); }
  [[nodiscard]] const std::optional<TextProblem>& problem() const { return in_.problem(); }

 private:
  bool ReadKey(std::string_view inside, std::vector<TomlKey>& key);
  bool ReadHeader(TomlNode*& table);
  bool ReadPair(TomlNode& table, int depth);
  bool ReadValue(TomlNode& into, int depth);
  bool ReadArray(TomlNode& array, int depth);
  bool ReadInlineTable(TomlNode& table, int depth);
  bool SkipLines();
  bool EndLine(std::string_view inside);

  TomlCursor in_;
  TomlTree tree_;
};

bool Reader::Read() {
  for (TomlNode* table = &root(); !in_.AtEnd();) {
    in_.SkipBlanks();
    std::string_view inside = kPair;
    if (in_.Peek() == '[') {
      inside = kHeader;
      if (!ReadHeader(table)) return false;
    } else if (!in_.AtEnd() && in_.Peek() != '#' && in_.Peek() != '\n' && in_.Peek() != '\r') {
      if (!ReadPair(*table, 1)) return false;
    }
    if (!EndLine(inside)) return false;
  }
  return true;
}

// EndLine skips the rest of a line, which must be blank or a comment.
bool Reader::EndLine(std::string_view inside) {
  in_.SkipBlanks();
  if (in_.Peek() == '#' && !in_.SkipComment()) return false;
  if (in_.AtEnd() || in_.TakeLineEnd()) return true;
  return in_.FailExpected(inside, "a comment or the end of the line");
}

// SkipLines skips blanks, comments and line ends between the values of an array.
bool Reader::SkipLines() {
  do {
    in_.SkipBlanks();
    if (in_.Peek() == '#' && !in_.SkipComment()) return false;
  } while (in_.TakeLineEnd());
  return true;
}

bool Reader::ReadKey(std::string_view inside, std::vector<TomlKey>& key) {
  do {
    in_.SkipBlanks();
    TomlKey part{.name = {}, .at = in_.Here()};
    const char quote = in_.Peek();
    if (quote == '"' || quote == '\'') {
      if (in_.Peek(1) == quote && in_.Peek(2) == quote) {
        return in_.Fail(part.at, "in a key: a key in quotes needs a quote on each side");
      }
      if (!internal::ReadTomlString(in_, part.name)) return false;
    } else {
      part.name = in_.TakeWhile(&IsBare);
      if (part.name.empty()) return in_.FailExpected(inside, "a key");
    }
    key.push_back(std::move(part));
    in_.SkipBlanks();
  } while (in_.Take("."));
  return true;
}

bool Reader::ReadHeader(TomlNode*& table) {
  const TextPlace at = in_.Here();
  const bool several = in_.Take("[[");
  if (!several) in_.Skip(1);
  std::vector<TomlKey> key;
  if (!ReadKey(kHeader, key)) return false;
  if (!in_.Take(several ? "]]" : "]")) {
    return in_.FailExpected(kHeader, several ? "']]'" : "']'");
  }
  table = tree_.DefineTable(key, several, at);
  return table != nullptr;
}

bool Reader::ReadPair(TomlNode& table, int depth) {
  std::vector<TomlKey> key;
  if (!ReadKey(kPair, key)) return false;
  if (!in_.Take("=")) return in_.FailExpected(kPair, "'='");
  in_.SkipBlanks();
  TomlNode* value = tree_.Define(table, key);
  return value != nullptr && ReadValue(*value, depth);
}

bool Reader::ReadValue(TomlNode& into, int depth) {
  into.at = in_.Here();
  if (depth > kMostNested) {
    return in_.Fail(
        into.at, "in a value: the nested value depth is more than " + std::to_string(kMostNested));
  }
  switch (in_.Peek()) {
    case '"':
    case '\'':
      into.kind = Kind::kString;
      return internal::ReadTomlString(in_, into.text);
    case '[':
      into.kind = Kind::kArray;
      return ReadArray(into, depth);
    case '{':
      return ReadInlineTable(into, depth);
    default:
      break;
  }
  const std::optional<internal::TomlScalar> scalar = internal::ReadTomlScalar(in_);
  if (!scalar) return false;
  into.kind = scalar->kind;
  into.integer = scalar->integer;
  return true;
}

bool Reader::ReadArray(TomlNode& array, int depth) {
  in_.Skip(1);
  for (;;) {
    if (!SkipLines()) return false;
    if (in_.Take("]")) return true;
    if (in_.AtEnd()) return in_.FailExpected("an array", "");
    if (!ReadValue(tree_.AddElement(array), depth + 1) || !SkipLines()) return false;
    if (in_.Take(",")) continue;
    if (in_.Take("]")) return true;
    return in_.FailExpected("an array", "comma or closing ']'");
  }
}

// An inline table is on one line and has no comma after its last pair.
bool Reader::ReadInlineTable(TomlNode& table, int depth) {
  in_.Skip(1);
  in_.SkipBlanks();
  if (in_.Take("}")) return true;
  do {
    if (!ReadPair(table, depth + 1)) return false;
    in_.SkipBlanks();
  } while (in_.Take(","));
  return in_.Take("}") || in_.FailExpected("an inline table", "comma or closing '}'");
}

// ValueOf copies a node. It recurses at most kDeepestToml times.
TomlValue ValueOf(TomlNode& node, int depth) {
  TomlValue value;
  value.kind = node.kind;
  value.at = node.at;
  value.text = std::move(node.text);
  value.integer = node.integer;
  if (depth == kDeepestToml) return value;
  for (TomlNode* child : node.children) {
    if (node.kind == Kind::kArray) {
      value.elements.push_back(ValueOf(*child, depth + 1));
    } else {
      value.entries.push_back(
          {std::move(child->key.name), child->key.at, ValueOf(*child, depth + 1)});
    }
  }
  std::ranges::sort(value.entries, {}, &TomlEntry::at);
  return value;
}

// TooDeep finds the first line with more dots than a key may have.
std::vector<TextProblem> TooDeep(std::string_view text) {
  for (std::uint32_t line = 1; !text.empty(); ++line) {
    const std::string_view rest = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(rest.size() + 1, text.size()));
    if (std::ranges::count(rest, '.') <= kMostDots) continue;
    return {{{.line = line, .column = 1},
             "more than " + std::to_string(kMostDots) +
                 " dots in one line; no key has that many parts"}};
  }
  return {};
}

// NotText finds the first byte that is not UTF-8.
std::vector<TextProblem> NotText(std::string_view text) {
  const std::size_t good = Utf8PrefixLength(AsBytes(text));
  if (good == text.size()) return {};
  const std::string_view ahead = text.substr(0, good);
  const std::string_view line = ahead.substr(ahead.rfind('\n') + 1);  // npos + 1 is 0
  const auto begins_character = [](char c) {
    return !IsContinuation(static_cast<std::uint8_t>(c));
  };
  return {
      {{.line = static_cast<std::uint32_t>(std::ranges::count(ahead, '\n') + 1),
        .column = static_cast<std::uint32_t>(std::ranges::count_if(line, begins_character) + 1)},
       "this is not UTF-8 text"}};
}

// NotJson finds a brace at the beginning, where TOML does not allow one.
std::vector<TextProblem> NotJson(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || text[begin] != '{') return {};
  const auto line = std::ranges::count(text.substr(0, begin), '\n') + 1;
  return {{{.line = static_cast<std::uint32_t>(line), .column = 1},
           "this is JSON; a policy is TOML, with lines such as fail_on = \"error\""}};
}

}  // namespace

std::string_view WordFor(TomlValue::Kind kind) {
  switch (kind) {
    case TomlValue::Kind::kString:
      return "a string";
    case TomlValue::Kind::kInteger:
      return "an integer";
    case TomlValue::Kind::kFloat:
      return "a float";
    case TomlValue::Kind::kBoolean:
      return "a boolean";
    case TomlValue::Kind::kDate:
      return "a date or time";
    case TomlValue::Kind::kArray:
      return "an array";
    case TomlValue::Kind::kTable:
      return "a table";
  }
  return "";
}

TomlDocument ParseToml(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  TomlDocument document;
  document.problems = NotText(text);
  if (document.problems.empty()) document.problems = NotJson(text);
  if (document.problems.empty()) document.problems = TooDeep(text);
  if (!document.problems.empty()) return document;
  Reader reader(text);
  if (reader.Read()) {
    document.root = ValueOf(reader.root(), 0);
  } else {
    document.problems.push_back(*reader.problem());
  }
  return document;
}

}  // namespace ggufgate
