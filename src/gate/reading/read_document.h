#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "bytes/byte_source.h"
#include "format/limits.h"
#include "gate/reading/prefix_memory.h"
#include "parse/document.h"

namespace ggufgate {

// ReadDocument holds a Document together with the bytes it views.
class ReadDocument {
 public:
  // Read takes as much of the file as its metadata need, and parses it.
  //
  // It reads 64 KiB, then 8 MiB, then sixteen times what it has: the work is at most 16/15 of the
  // last parse, and memory at most 8 MiB or 16 times the metadata, and never more than
  // limits.metadata_bytes but for the first read. No size field of the file is ever trusted. Of a
  // source that is far away it reads what is likely needed, and at least a twelfth (of little, 64
  // KiB) more: seldom over 10 % more than there are metadata. An error is one of reading; a
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
