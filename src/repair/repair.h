#pragma once

// Repairs the metadata of a file, where the right value is certain. It never changes tensor data.

#include <cstdint>
#include <optional>

#include "bytes/byte_source.h"
#include "check/finding.h"
#include "check/policy.h"
#include "parse/document.h"
#include "repair/plan.h"

namespace ggufgate {

// Repair is the result of a repair that is not yet written.
struct Repair {
  enum class Outcome : std::uint8_t {
    kNothing,   // the file is accepted, and has no fault that a repair could answer
    kRepaired,  // the planned file is accepted
    kRefused,   // a fault stays that has no certain answer; write nothing
  };
  Outcome outcome = Outcome::kRefused;
  RepairPlan plan;
  // The findings of the planned file; without changes, those of the old one.
  Findings left;
  ReadOutcome io;  // if not complete, the file could not be read and the rest is empty
};

// PolicyOfRepair is the policy of the gate for files of both byte orders.
[[nodiscard]] Policy PolicyOfRepair();

// TryRepair plans a repair and judges the planned file without writing it. The document was parsed
// from `source`, which it reads as a check does: no tensor data.
//
// The result is kRepaired only if the planned file is accepted, has no error or warning that the
// old one lacks, and needs no further repair.
[[nodiscard]] Repair TryRepair(const Document& document, const ByteSource& source);

// WithData returns the document with the place of its data, if that is certain although the
// alignment has a wrong type: the place for a planned repair.
[[nodiscard]] Document WithData(Document document);

}  // namespace ggufgate
