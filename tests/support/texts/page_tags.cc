#include "tests/support/texts/page_tags.h"

#include <algorithm>
#include <cctype>

namespace ggufgate::testing {
namespace {

bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool IsBlank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

// TakeTag removes a tag, without its "<", from the front of `rest`, and returns the names of the
// tag and of its attributes.
std::string TakeTag(std::string_view& rest) {
  std::string tag;
  while (!rest.empty() && !IsBlank(rest.front()) && rest.front() != '>') {
    tag += rest.front();
    rest.remove_prefix(1);
  }
  while (!rest.empty() && rest.front() != '>') {
    if (IsBlank(rest.front())) {
      rest.remove_prefix(1);
      continue;
    }
    const std::size_t end = rest.find_first_of("= \n>");
    tag += " " + std::string(rest.substr(0, end));
    rest.remove_prefix(std::min(end, rest.size()));
    if (!rest.starts_with('=')) continue;
    rest.remove_prefix(1);
    const bool quoted = rest.starts_with('"');
    rest.remove_prefix(quoted ? 1 : 0);
    const std::size_t close = quoted ? rest.find('"') : rest.find_first_of(" \n>");
    rest.remove_prefix(std::min(close, rest.size()));
    if (quoted && !rest.empty()) rest.remove_prefix(1);
  }
  return tag;
}

}  // namespace

std::set<std::string> TagsOf(std::string_view page) {
  std::set<std::string> tags;
  for (std::size_t open = page.find('<'); open != std::string_view::npos; open = page.find('<')) {
    page.remove_prefix(open + 1);
    if (page.empty()) break;
    const char first = page.front();
    if (!IsLetter(first) && first != '/' && first != '!' && first != '?') continue;
    const std::string tag = TakeTag(page);
    tags.insert(tag);
    for (const std::string_view raw : {"script", "style"}) {
      if (tag.substr(0, tag.find(' ')) != raw) continue;
      const std::size_t close = page.find("</" + std::string(raw));
      page.remove_prefix(std::min(close, page.size()));
    }
  }
  return tags;
}

std::size_t ScriptsIn(std::string_view page) {
  std::string lower(page);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  std::size_t count = 0;
  for (std::size_t at = lower.find("<script"); at != std::string::npos;
       at = lower.find("<script", at + 1)) {
    ++count;
  }
  return count;
}

const std::set<std::string>& HostileMarkup() {
  static const std::set<std::string> kTexts = {
      "</script><script>alert(1)</script>",
      "<img src=x onerror=alert(1)>",
      "\"><svg onload=alert(1)>",
      "' onmouseover='alert(1)",
      "</title></style></textarea><script src=//evil.example/x.js></script>",
      "<!--<script>",
      "]]><iframe src=javascript:alert(1)>",
      "javascript:alert(1)",
      "{{constructor.constructor('alert(1)')()}}",
      "<table background=http://evil.example/a>",
      "@import url(http://evil.example/a.css)",
      "| a | b |\n|---|---|",
      "`code` ``` ~~~ **bold** _it_ # heading",
      "[link](http://evil.example) ![image](http://evil.example/a.png)",
      "<a href=http://evil.example>x</a> https://evil.example www.evil.example a@evil.example",
      "@everyone #1 GH-1 owner/repo#1",
      "&lt;b&gt; &#60;i&#62; &amp;",
  };
  return kTexts;
}

}  // namespace ggufgate::testing
