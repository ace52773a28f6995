#pragma once

// Shortcuts from bytes or a model to a document or its fault, and valid models for the tests of the
// parser.

#include <cstdint>
#include <string>
#include <vector>

#include "bytes/byte_order.h"
#include "format/limits.h"
#include "parse/model.h"
#include "parse/parse.h"

namespace ggufgate::testing {

inline constexpr ByteOrder kOrders[] = {ByteOrder::kLittle, ByteOrder::kBig};

using File = std::vector<std::uint8_t>;

// Parsed is a document with the file that it views. It can be moved, not copied.
struct Parsed {
  File file;
  Document document;

  Parsed(File file_in, Document document_in)
      : file(std::move(file_in)), document(std::move(document_in)) {}
  Parsed(Parsed&&) = default;
  Parsed& operator=(Parsed&&) = default;
  Parsed(const Parsed&) = delete;
  Parsed& operator=(const Parsed&) = delete;
  ~Parsed() = default;
};

// ParseWhole parses a complete file. It fails the test if the parser needs more bytes.
[[nodiscard]] Parsed ParseWhole(File file, const Limits& limits = {});
[[nodiscard]] Parsed ParseWhole(const Model& model, const Limits& limits = {});

// ParseSound also fails the test if the document has a fault.
[[nodiscard]] Parsed ParseSound(const Model& model, const Limits& limits = {});

// LineOf writes all fields of a fault on one line. FaultOf does so for the fault of a file, which
// it copies to an allocation of the exact size. It returns "no fault" without one.
[[nodiscard]] std::string LineOf(const Fault& fault);
[[nodiscard]] std::string FaultOf(Bytes file, const Limits& limits = {});
[[nodiscard]] std::string FaultOf(const Model& model, const Limits& limits = {});

// HeaderOf begins a file of version 3 with these counts.
[[nodiscard]] Encoder HeaderOf(std::uint64_t tensors, std::uint64_t keys,
                               ByteOrder order = ByteOrder::kLittle);

// PrefixOf copies the first bytes of a file to an allocation of that exact size.
[[nodiscard]] File PrefixOf(const File& file, std::size_t size);

// NestedPayload returns the value of an array of arrays with `depth` levels and one u8 in the last.
[[nodiscard]] std::vector<std::uint8_t> NestedPayload(std::uint64_t depth,
                                                      ByteOrder order = ByteOrder::kLittle);

struct NamedModel {
  std::string name;
  Model model;
};

// SoundModels are models that the reference loader would load, one for each feature of the format:
// all value and tensor types, versions, byte orders, alignments, endings.
[[nodiscard]] std::vector<NamedModel> SoundModels();

// EveryValue has every value type as a scalar, in an array and in an empty array.
[[nodiscard]] Model EveryValue(std::uint32_t version, ByteOrder order);

// FillData makes every data byte of a model different from its neighbours and from padding.
void FillData(Model& model);

}  // namespace ggufgate::testing
