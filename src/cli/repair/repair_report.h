#pragma once

// The report of `ggufgate repair`: as text, or as JSON Lines (docs/schema/repair-1.schema.json).

#include <cstdint>
#include <memory>
#include <ostream>
#include <string>

#include "repair/repair.h"

namespace ggufgate {

// RepairEnding is the result for a file. Without one, the report on standard error has the reason.
struct RepairEnding {
  enum class Outcome : std::uint8_t {
    kSound,    // there is nothing to repair
    kPlanned,  // a dry run: the result would be accepted
    kRefused,  // an error has no certain answer
    kWritten,
  };
  Outcome outcome{};
  std::string path;           // of the old file; of the new one with kWritten. Not escaped.
  bool changes = false;       // kRefused: some faults have an answer, others not
  std::uint64_t tensors = 0;  // kWritten: in both files
  std::uint64_t bytes = 0;    // kWritten: of their data, compared by SHA-256
};

// RepairReport prints changes, remaining faults and the result, in the order of the calls.
class RepairReport {
 public:
  virtual ~RepairReport() = default;

  // Changes prints the changes, and the reasons why each is the only right answer.
  virtual void Changes(const RepairPlan& plan) = 0;
  // Left prints the faults that the file keeps.
  virtual void Left(const Repair& repair) = 0;
  virtual void End(const RepairEnding& ending) = 0;
};

[[nodiscard]] std::unique_ptr<RepairReport> RepairAsText(std::ostream& out);
[[nodiscard]] std::unique_ptr<RepairReport> RepairAsJsonLines(std::ostream& out);

}  // namespace ggufgate
