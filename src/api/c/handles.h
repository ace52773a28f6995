#pragma once

// The opaque types of include/ggufgate/ggufgate.h.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/c/name_index.h"
#include "bytes/byte_source.h"
#include "bytes/bytes.h"
#include "check/policy.h"
#include "gate/file_report.h"
#include "gate/reading/input.h"
#include "gate/reading/read_document.h"
#include "ggufgate/ggufgate.h"
#include "parse/document.h"

struct ggufgate_text {
  std::string chars;
};

struct ggufgate_policy {
  ggufgate::Policy policy;
};

namespace ggufgate::api {

// FindingTexts holds the texts of a finding that are generated.
struct FindingTexts {
  std::string place;
  std::string message;
  std::string observed;
  std::string allowed;
  std::string suppressed;
  std::string cause_message;
};

}  // namespace ggufgate::api

struct ggufgate_report {
  ggufgate_report(ggufgate::FileReport report, ggufgate::Policy by);

  ggufgate::FileReport judged;
  ggufgate::Policy policy;  // the policy that was used, for the JSON
  std::string problem;
  std::vector<ggufgate::api::FindingTexts> texts;  // one per element of judged.findings.list
};

struct ggufgate_file {
  // The document views bytes that `read` owns. The tensor data are those of `from`, or those of the
  // caller's `other`. `bytes` are the caller's file if it is in memory, else empty.
  ggufgate_file(ggufgate::ReadDocument read, std::optional<ggufgate::Input> from,
                std::unique_ptr<const ggufgate::ByteSource> other, ggufgate::Bytes bytes)
      : document(std::move(read)),
        input(std::move(from)),
        of_caller(std::move(other)),
        memory(bytes),
        keys(document.document().metadata, &ggufgate::MetadataEntry::key),
        tensors(document.document().tensors, &ggufgate::TensorInfo::name) {}

  [[nodiscard]] const ggufgate::Document& doc() const { return document.document(); }
  [[nodiscard]] const ggufgate::ByteSource& source() const {
    return input ? input->source() : *of_caller;
  }

  ggufgate::ReadDocument document;
  std::optional<ggufgate::Input> input;
  std::unique_ptr<const ggufgate::ByteSource> of_caller;  // set if `input` is not
  ggufgate::Bytes memory;                                 // empty if the file is not in memory
  ggufgate::api::NameIndex keys;
  ggufgate::api::NameIndex tensors;
};

struct ggufgate_array {
  const ggufgate_file* file;
  ggufgate::ValueType element_type;
  std::uint64_t count;
  ggufgate::ByteRange elements;  // of an inner array: from there to the end of the outer one
  // Offsets in `elements` of every kStride-th string or inner array, as far as the array has been
  // scanned. The list grows with the number of bytes scanned.
  std::vector<std::uint64_t> marks = {};
};
