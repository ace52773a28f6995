#include "report/xml_text.h"

#include <optional>

#include "absl/strings/str_format.h"
#include "bytes/utf8.h"

namespace ggufgate {
namespace {

// Source: Extensible Markup Language (XML) 1.0, fifth edition, production 2 (Char).
bool XmlHas(char32_t c) {
  return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c < 0xFFFE) || c > 0xFFFF;
}

void Append(char32_t c, std::string& out) {
  const bool plain =
      c >= 0x20 && c < 0x7F && c != '&' && c != '<' && c != '>' && c != '"' && c != '\'';
  if (plain || c == '\n') {
    out += static_cast<char>(c);
  } else if (XmlHas(c)) {
    absl::StrAppendFormat(&out, "&#x%x;", static_cast<unsigned>(c));
  } else {
    out += '?';
  }
}

}  // namespace

std::string XmlText(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::optional<char32_t> c = TakeCharacter(text);
    Append(c.value_or(0), out);
  }
  return out;
}

}  // namespace ggufgate
