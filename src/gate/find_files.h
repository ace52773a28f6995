#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace ggufgate {

// FoundFiles are the files that a list of paths stands for.
struct FoundFiles {
  struct Problem {
    std::string path;
    absl::Status status;
  };
  std::vector<std::string> files;  // in the order given; inside a folder sorted by path
  std::vector<bool> searched;      // by file: it was found in a folder, not named
  std::vector<Problem> problems;   // folders that could not be read to the end
};

// FindFiles keeps files and "-" as they are and searches folders, all the way down, for files that
// begin with the magic, whatever their name, and for files named *.gguf, whatever they begin with
// (a broken download is to be reported, not overlooked).
//
// Links to files are followed, as model caches are made of them; links to folders are not, so that
// the search ends. What is named *.gguf and is no folder counts as found, even when it cannot be
// opened (a link to nowhere, a pipe): its verdict will be undecided.
[[nodiscard]] FoundFiles FindFiles(const std::vector<std::string>& paths);

}  // namespace ggufgate
