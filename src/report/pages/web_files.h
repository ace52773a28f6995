#pragma once

#include <string_view>

namespace ggufgate {

// WebFile is a style sheet or script of web/ that is built into the program.
struct WebFile {
  std::string_view text;
  std::string_view sha256;  // in hexadecimal
};

// src/CMakeLists.txt lists the source files of each.
extern const WebFile kInspectStyle;
extern const WebFile kInspectScript;
extern const WebFile kCheckStyle;
extern const WebFile kCheckScript;

}  // namespace ggufgate
