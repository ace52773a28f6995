#pragma once

#include <functional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bytes/byte_source.h"
#include "format/limits.h"
#include "gate/reading/prefix_memory.h"
#include "parse/document.h"
#include "parse/front/front_steps.h"

namespace ggufgate {

// GrowthFor is how the front of `source` grows.
[[nodiscard]] const FrontGrowth& GrowthFor(const ByteSource& source);

// ReadFront reads as much of `source` into `memory` as the steps want. `give` passes the bytes on
// to them, and returns true when they hold all metadata.
[[nodiscard]] absl::Status ReadFront(const ByteSource& source, const FrontSteps& steps,
                                     const std::function<bool(Bytes front)>& give,
                                     PrefixMemory& memory);

// ReadDocument holds a Document together with the bytes it views.
class ReadDocument {
 public:
  // Read takes as much of the file as its metadata need, and parses it.
  //
  // FrontSteps says how much, with kFileGrowth or kFarGrowth. An error is one of reading; a
  // malformed file is a Document with a fault.
  [[nodiscard]] static absl::StatusOr<ReadDocument> Read(const ByteSource& source,
                                                         const Limits& limits);

  [[nodiscard]] const Document& document() const { return document_; }

 private:
  ReadDocument() = default;

  PrefixMemory prefix_;
  Document document_;
};

// StatusOf says in words why a read failed; OK for one that did not.
[[nodiscard]] absl::Status StatusOf(const ReadOutcome& outcome);

}  // namespace ggufgate
