#pragma once

// The shapes that llama.cpp computes for the tensors of an architecture. Not for users of the
// library.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/rules/context.h"
#include "check/rules/contract/parameters/loader_parameters.h"
#include "format/contracts/contract.h"
#include "parse/document.h"

namespace ggufgate {

// IsShapeQuantity returns whether a word of a line "shape" is a quantity that the shapes compute.
// All other words are keys.
[[nodiscard]] bool IsShapeQuantity(std::string_view word);

// ShapeFault is a dimension that differs from the contract.
struct ShapeFault {
  std::size_t dimension = 0;
  std::string wanted;  // for people: "kv_heads*key_width is 64"
};

// ContractShapes has the lines "shape" of a contract, for the hyper-parameters of one file:
//
//   shape DIM,DIM NAME…   the dimensions of tensors; "*" in a name is a number
//
// A dimension is a number times up to three quantities, and may be divided by one:
// "2*attention.head_count*key_width", "ssm.inner_size/2". "|" separates readings that measurements
// could not distinguish; "?" is unknown. Quantities are keys, with their values for the layer, and
// the words that src/learn/shapes.py explains.
class ContractShapes {
 public:
  // Views all its arguments. `tokens` is the size of the vocabulary, if it is known.
  ContractShapes(const LoaderContract& contract, const LoaderParameters& parameters,
                 std::optional<std::uint64_t> tokens);

  // Shape is one pattern's shape. It has several alternatives if tiny models of several forms
  // differ.
  using Shape = std::vector<std::string_view>;
  // Find returns nullptr for a pattern without a line.
  [[nodiscard]] const Shape* Find(std::string_view pattern) const;

  // IsEmpty returns whether tensors of a pattern would certainly have no values: then the loader
  // does not create them.
  [[nodiscard]] bool IsEmpty(std::string_view pattern) const;

  // IsKnown returns whether a shape follows from the keys of the file: no dimension is "?", needs
  // an absent key, or exceeds the loader's integer type.
  [[nodiscard]] bool IsKnown(const Shape& shape) const;

  // FaultOf returns the first dimension that no alternative allows; nullopt if one alternative
  // fits.
  [[nodiscard]] std::optional<ShapeFault> FaultOf(const Shape& shape,
                                                  const TensorInfo& tensor) const;

 private:
  struct Line {
    std::string_view pattern;
    Shape shape;
  };

  [[nodiscard]] std::optional<Number> Quantity(std::string_view word, Number layer) const;
  [[nodiscard]] std::optional<Number> Product(std::string_view reading, Number layer) const;
  [[nodiscard]] bool IsNothing(std::string_view readings) const;
  [[nodiscard]] bool Allows(std::string_view readings, Number layer, Number dimension) const;
  [[nodiscard]] std::string Wanted(std::string_view readings, Number layer) const;
  [[nodiscard]] std::optional<ShapeFault> FaultIn(std::string_view dimensions,
                                                  const TensorInfo& tensor) const;

  const LoaderParameters& parameters_;
  std::optional<std::uint64_t> tokens_;
  std::vector<Line> lines_;                 // sorted by pattern
  std::vector<std::string_view> of_first_;  // keys whose number for the first layer applies to all
};

// ContractShapesOf returns the shapes for a file. It must have a contract.
[[nodiscard]] const ContractShapes& ContractShapesOf(const Context& context);

}  // namespace ggufgate
