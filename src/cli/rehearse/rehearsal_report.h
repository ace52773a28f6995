#pragma once

// The output of `ggufgate rehearse`.

#include <cstdint>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "rehearse/outcome.h"

namespace ggufgate {

// WorseCode returns the exit code of two files together: one rejected file decides, and then one
// that is undecided.
[[nodiscard]] int WorseCode(int one, int other);

// RehearsedAdapter is a LoRA adapter that every model of the run gets.
struct RehearsedAdapter {
  std::string path;              // as the user named it
  int verdict = kExitUndecided;  // of the check without a loader
};

struct RehearsedLoader {
  std::string path;                       // without links
  std::string sha256;                     // of the file itself, not of the libraries that it needs
  std::vector<std::string> command = {};  // as the user gave it; empty: the loader is a library
  bool real_data = false;                 // it got the weights, not zeros
  std::vector<RehearsedAdapter> adapters = {};
};

struct RehearsedModel {
  std::string path;  // as the user named it
  // Of the check without a loader: kExitAccept, kExitReject or kExitUndecided.
  int verdict = kExitUndecided;
  int adapters_verdict = kExitAccept;  // the worst of its adapters
  std::uint64_t size = 0;              // bytes of all shards
  std::uint64_t shards = 1;
  std::uint64_t front_bytes = 0;  // of the model, for the loader; the rest were zeros
  Rehearsal rehearsal;
};

// CodeOf returns the exit code of one model. It is kExitAccept if the rules accept the model and
// the adapters, and it runs, or if it is refused and `accepts_refusal` is set.
[[nodiscard]] int CodeOf(const RehearsedModel& model, bool accepts_refusal);

void PrintAsText(const RehearsedLoader& loader, const std::vector<RehearsedModel>& models,
                 const Streams& streams);
void PrintAsJson(const RehearsedLoader& loader, const std::vector<RehearsedModel>& models,
                 bool accepts_refusal, const Streams& streams);

}  // namespace ggufgate
