#include "report/pages/page.h"

#include <nlohmann/json.hpp>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "report/json_value.h"
#include "report/xml_text.h"

namespace ggufgate {
namespace {

// HashSource names a file in the syntax of a content security policy. Source: CSP level 3, section
// 2.3.1.
std::string HashSource(const WebFile& file) {
  const std::string digest = absl::HexStringToBytes(std::string(file.sha256));
  return absl::StrCat("'sha256-", absl::Base64Escape(digest), "'");
}

}  // namespace

std::string HtmlText(std::string_view text) { return XmlText(text); }

void BeginPage(std::string_view title, const WebFile& style, const WebFile& script,
               std::ostream& out) {
  out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      << "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
      << HashSource(script) << "; style-src " << HashSource(style)
      << "; base-uri 'none'; form-action 'none'\">\n"
      << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      << "<meta name=\"referrer\" content=\"no-referrer\">\n"
      << "<meta name=\"generator\" content=\"ggufgate " << GGUFGATE_VERSION << "\">\n"
      << "<title>" << HtmlText(title) << "</title>\n<style>" << style.text
      << "</style>\n</head>\n<body>\n";
}

void EndPage(const WebFile& script, std::ostream& out) {
  out << "<script type=\"module\">" << script.text << "</script>\n</body>\n</html>\n";
}

std::string JsonInPage(const nlohmann::ordered_json& json) {
  std::string out;
  for (const char c : JsonText(json)) {
    if (c == '<' || c == '>' || c == '&') {
      out += absl::StrFormat("\\u%04x", static_cast<unsigned>(c));  // only inside strings
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace ggufgate
