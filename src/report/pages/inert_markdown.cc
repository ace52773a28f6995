#include "report/pages/inert_markdown.h"

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace ggufgate {
namespace {

// IsPlain tells whether a character is never markup within a line. A dot is markup only after
// "www".
bool IsPlain(char c, char before) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x80 || absl::ascii_isalnum(byte)) return true;
  if (c == '.') return before != 'w' && before != 'W';
  return c == ' ' || c == ',' || c == ';' || c == '/' || c == '-';
}

}  // namespace

std::string InertMarkdown(std::string_view text) {
  if (text.empty()) return "";
  std::string out = "<code>";
  char before = ' ';
  for (const char c : text) {
    if (IsPlain(c, before)) {
      out += c;
    } else {
      absl::StrAppend(&out, "&#", static_cast<int>(c), ";");
    }
    before = c;
  }
  return out + "</code>";
}

}  // namespace ggufgate
