#pragma once

#include <array>
#include <cstdint>

#include "bytes/byte_source.h"
#include "repair/plan.h"

namespace ggufgate {

// RepairedSource reads the file of a plan as if it were written. It owns nothing: the plan and the
// old file must outlive it.
class RepairedSource final : public ByteSource {
 public:
  RepairedSource(const RepairPlan& plan, const ByteSource& old);

  [[nodiscard]] std::uint64_t size() const override { return parts_.back().range.End(); }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override;
  [[nodiscard]] std::uint64_t NextData(std::uint64_t offset) const override;

 private:
  struct Part {
    enum class Kind : std::uint8_t { kFront, kZeros, kKept };
    Kind kind = Kind::kZeros;
    ByteRange range;  // in the new file
  };
  [[nodiscard]] ReadOutcome ReadPart(const Part& part, std::uint64_t offset,
                                     MutableBytes out) const;

  const RepairPlan& plan_;
  const ByteSource& old_;
  std::array<Part, 4> parts_;
};

}  // namespace ggufgate
