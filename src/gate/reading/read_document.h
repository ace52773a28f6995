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

// GrowthFor returns how much of `source` is read at a time.
[[nodiscard]] const FrontGrowth& GrowthFor(const ByteSource& source);

// ReadFront reads as much of `source` into `memory` as `steps` require. `give` passes the bytes to
// the steps, and returns true if they hold all metadata.
[[nodiscard]] absl::Status ReadFront(const ByteSource& source, const FrontSteps& steps,
                                     const std::function<bool(Bytes front)>& give,
                                     PrefixMemory& memory);

// ReadDocument owns a Document and the bytes that it views.
class ReadDocument {
 public:
  // Read reads as much of the file as its metadata need, and parses it. FrontSteps decides how
  // much, with kFileGrowth or kFarGrowth.
  //
  // It returns an error only if reading fails. A malformed file is a Document with a fault.
  [[nodiscard]] static absl::StatusOr<ReadDocument> Read(const ByteSource& source,
                                                         const Limits& limits);

  [[nodiscard]] const Document& document() const { return document_; }

 private:
  ReadDocument() = default;

  PrefixMemory prefix_;
  Document document_;
};

// StatusOf describes in words why a read failed. It returns OK for a successful read.
[[nodiscard]] absl::Status StatusOf(const ReadOutcome& outcome);

}  // namespace ggufgate
