// Prints the complete value of one key.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "report/inspect/inspect.h"
#include "report/values.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

// EscapedByLine keeps line feeds and tabs, which are harmless, so that a template of a hundred
// lines is readable. It escapes everything else.
std::string EscapedByLine(std::string_view text) {
  std::string out;
  std::string line;
  while (true) {
    const std::size_t end = text.find_first_of("\n\t");
    line += EscapeText(text.substr(0, end));
    const bool tab = end != std::string_view::npos && text.at(end) == '\t';
    if (tab) {
      line += '\t';
    } else {
      out += WithoutCommand(std::exchange(line, {}));
      if (end == std::string_view::npos) return out;
      out += '\n';
    }
    text.remove_prefix(end + 1);
  }
}

void PrintElement(const nlohmann::ordered_json& value, std::ostream& out) {
  out << (value.is_string() ? WithoutCommand(value.get<std::string>()) : value.dump()) << '\n';
}

}  // namespace

void ValueAsText(const Document& document, const MetadataEntry& entry, std::ostream& out) {
  if (const auto text = document.StringOf(entry)) {
    out << EscapedByLine(*text);
    if (!text->ends_with('\n')) out << '\n';
    return;
  }
  const nlohmann::ordered_json value = JsonOfValue(document, entry, UINT64_MAX);
  if (!value.is_array()) return PrintElement(value, out);
  for (const nlohmann::ordered_json& element : value) PrintElement(element, out);
}

}  // namespace ggufgate
