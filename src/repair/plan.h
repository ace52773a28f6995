#pragma once

#include <cstdint>
#include <vector>

#include "bytes/byte_range.h"
#include "check/finding.h"
#include "parse/document.h"
#include "repair/change.h"

namespace ggufgate {

// RepairPlan is a repaired file that is not yet written: these parts, in this order. The data of
// the tensors are a range of the old file, so no byte of them can change.
struct RepairPlan {
  std::vector<Change> changes;  // empty: the file stays as it is, and the parts below are empty
  std::vector<Doubt> doubts;

  std::vector<std::uint8_t> front;  // header, metadata and directory
  std::uint64_t zeros_before = 0;   // padding up to the data
  ByteRange kept;                   // of the old file
  std::uint64_t zeros_after = 0;    // padding at the end
};

// PlanRepair finds out what to change in a file. It is a pure function of its arguments, and reads
// no tensor data. The document must be whole: IsWhole(). `record_follows` tells whether another
// record of a tensor lies behind the directory: then a count is too low, and the data begin
// elsewhere.
//
// Memory is at most that of the metadata and of four bytes for each token. Time is linear, and
// n log n in the number of keys.
[[nodiscard]] RepairPlan PlanRepair(const Document& document, const Findings& findings,
                                    bool record_follows);

}  // namespace ggufgate
