#pragma once

// Rehearsals for the commands that have them: `rehearse`, `run` and `check`.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "gate/reading/input.h"
#include "rehearse/outcome.h"

namespace ggufgate {

// FoundLoader is the file of a library or a program, open since before it was hashed.
struct FoundLoader {
  std::string path;    // without links
  std::string sha256;  // of the file itself, not of the libraries that it needs
  Input file;
};

// FindLoader returns the file of a library, or of a program that is looked up in $PATH.
[[nodiscard]] absl::StatusOr<FoundLoader> FindLoader(const std::string& name, bool is_program);

// RehearsalSettings are the options of a rehearsal.
struct RehearsalSettings {
  std::vector<std::string> command = {};  // with its arguments; empty: the loader is a library
  RehearsalStage last_stage = RehearsalStage::kDone;
  std::uint64_t seconds = 300;  // of processor time
  std::uint64_t memory_mib = 4096;
  bool repacks = false;
  bool real_data = false;  // the loader gets the weights, not zeros
};

// SizeOf returns the total size of shards in bytes, or nullopt if it has more than 64 bits.
[[nodiscard]] std::optional<std::uint64_t> SizeOf(std::span<const Input> shards);

// RehearsedInputs are the open files of a rehearsal.
struct RehearsedInputs {
  std::span<const Input> shards;         // in the order of their numbers
  std::span<const Input> adapters = {};  // LoRA adapters of the model
};

// RehearseFiles has the loader run a model that the rules accept. It adds the bytes that the loader
// got to `read_bytes`: metadata, tensor directory and padding, or all. It must be called while the
// process has one thread.
[[nodiscard]] Rehearsal RehearseFiles(const RehearsedInputs& inputs, const FoundLoader& loader,
                                      const RehearsalSettings& settings, std::uint64_t& read_bytes);

}  // namespace ggufgate
