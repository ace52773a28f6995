#pragma once

#include <cstdint>
#include <string>

namespace ggufgate {

// RehearsalFacts tell how a loader ran a model (`check --rehearse`). Texts are untrusted: escape
// them.
struct RehearsalFacts {
  std::string loader;          // path of the library
  std::string loader_sha256;   // of its file, lower-case hexadecimal
  std::string loader_version;  // according to the loader; may be empty
  std::string outcome;         // a word of rehearse/outcomes.def
  std::string stage;           // the last one that was entered: a word of rehearse/stages.def
  double seconds = 0;          // elapsed time
  double cpu_seconds = 0;
  std::uint64_t peak_bytes = 0;  // resident
};

}  // namespace ggufgate
