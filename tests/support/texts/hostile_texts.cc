#include "tests/support/texts/hostile_texts.h"

namespace ggufgate::testing {

const std::vector<std::string>& HostileTexts() {
  static const std::vector<std::string> kTexts = {
      "\x1b[31mred",        // colour
      "\x1b]0;title\x07",   // the terminal's title
      "\x1b[2J\x1b[H",      // clears the screen
      "two\nlines",         // forges a line of a report
      "over\rwritten",      //
      "back\b\b\b\bspace",  //
      "tab\there",          //
      "\x9b"
      "31m",  // C1 in Latin-1
      "\xc2\x9b"
      "31m",                               // C1 in UTF-8
      "invalid \xff\xfe utf-8",            //
      "cut \xe2\x82",                      //
      "\xe2\x80\xaegnp.exe",               // right-to-left override
      "\xe2\x81\xa6isolate\xe2\x81\xa9",   //
      "zero\xe2\x80\x8bwidth",             //
      "\xe2\x80\xa8line separator",        //
      "\xf3\xa0\x81\x81tag",               //
      "back\\slash \\x1b",                 //
      "\"quotes\" {} [] | % %s",           //
      "\x7f",                              //
      "[link](1) {0} {{}",                 // for SARIF
      "<b> &amp; ]]> <!-- --> '\"",        // for XML
      "::error file=a,line=1::x%0A##[x]",  // for GitHub Actions
      "a ##[error]b ##vso[task.x]c",       // for GitHub Actions and Azure Pipelines
      "end##",                             // a report may add a bracket
      "no character \xef\xbf\xbf\xef\xb7\x90",
  };
  return kTexts;
}

}  // namespace ggufgate::testing
