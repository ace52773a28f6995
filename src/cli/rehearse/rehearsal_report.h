#pragma once

// What `ggufgate rehearse` prints.

#include <cstdint>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "rehearse/outcome.h"

namespace ggufgate {

struct RehearsedLoader {
  std::string path;                       // without links
  std::string sha256;                     // of the file itself, not of the libraries that it needs
  std::vector<std::string> command = {};  // as the user gave it; empty: the loader is a library
};

struct RehearsedModel {
  std::string path;               // as the user named it
  int verdict = kExitUndecided;   // static: kExitAccept, kExitReject or kExitUndecided
  std::uint64_t size = 0;         // bytes
  std::uint64_t front_bytes = 0;  // read of the model
  Rehearsal rehearsal;
};

// CodeOf is the exit code of one model: accepted by the rules, and it runs, or refuses where that
// is let pass.
[[nodiscard]] int CodeOf(const RehearsedModel& model, bool accepts_refusal);

void PrintAsText(const RehearsedLoader& loader, const std::vector<RehearsedModel>& models,
                 const Streams& streams);
void PrintAsJson(const RehearsedLoader& loader, const std::vector<RehearsedModel>& models,
                 bool accepts_refusal, const Streams& streams);

}  // namespace ggufgate
