#pragma once

// Reports on files for tests of formats.

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "bytes/memory_source.h"
#include "gate/judge_source.h"
#include "parse/model.h"

namespace ggufgate::testing {

// A model of each severity.
inline const Model kNoted = Model::Minimal().Set("Not.Lower", std::uint32_t{1});
inline const Model kWarned = Model::Minimal().Set("text", "\xff");
inline const Model kRejected = Model::Minimal().Set("", std::uint32_t{1});

// JudgedModel returns the gate's report on a model in memory.
inline FileReport JudgedModel(const Model& model, const std::string& path,
                              const JudgeOptions& options = {}) {
  const std::vector<std::uint8_t> file = Write(model);
  return JudgeSource(MemorySource(file), path, options);
}

// Undecided returns the report of a file that could not be read.
inline FileReport Undecided(const std::string& path, const std::string& why) {
  FileReport report;
  report.path = path;
  report.problem = absl::NotFoundError(why);
  return report;
}

}  // namespace ggufgate::testing
