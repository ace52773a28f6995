#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

#include "format/tensors/layout.h"
#include "format/tensors/tensor_type.h"
#include "format/value_type.h"

namespace ggufgate {

// kContractRelease is the release of the reference that the contracts were learned from.
inline constexpr std::string_view kContractRelease = "llama.cpp v0.5.0";

// Contract is what that release asks of one architecture: a tiny model that it loads and decodes,
// in up to four forms. It is kept as the lines of text in which it was learned, and read when it is
// needed: a pointer for each of them would cost every start of the program a relocation.
//
//   key NAMES TYPE VALUE FORMS             a hyper-parameter; "[u32]" is an array, its elements
//                                          with commas between; a "/" before the name: it stands
//                                          without the architecture in front
//   tensor NAMES TYPE DIMS FORMS PRESENCE  "*" in a name: one for each layer; "v" for a dimension:
//                                          the number of tokens; "required" or "optional"
//   condition NAMES ENDING STAGE           what the loader does not survive
//
// Names with commas between share the fields behind them. Other lines: docs/contracts.md.
//
// Source: scripts/learn-reference, tests/oracles/learn/table.py.
struct Contract {
  std::string_view architecture;  // as in `general.architecture`
  std::string_view vocabulary;    // the kind that was learned with, a word of kVocabularyWords
  std::string_view text;
};

// AllContracts lists them in the order of their names.
[[nodiscard]] std::span<const Contract> AllContracts();

// FindContract looks an architecture up; nullptr where the release knows none of that name.
[[nodiscard]] const Contract* FindContract(std::string_view architecture);

// --- lines ---------------------------------------------------------------------------------------

// ContractLine is what a line says: its first word, one of its names and the fields behind them.
struct ContractLine {
  std::string_view word;
  std::string_view name;  // empty in lines of other words than key, tensor and condition
  std::string_view fields;
};

// TakeField takes the first field off, up to `separator` or the end; empty when none is left.
[[nodiscard]] std::string_view TakeField(std::string_view& fields, char separator = ' ');

// ContractLines are the lines of a block, or those of one word, for a loop over them: one for each
// name. Lines of a word stand together in a block, so that the others need not be read.
class ContractLines {
 public:
  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = ContractLine;

    Iterator(std::string_view text, std::string_view only) : rest_(text), only_(only) { ++*this; }

    const ContractLine& operator*() const { return line_; }
    const ContractLine* operator->() const { return &line_; }
    Iterator& operator++();
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t /*end*/) const { return line_.word.empty(); }

   private:
    std::string_view rest_;
    std::string_view only_;   // the word that is wanted; empty for all
    std::string_view names_;  // those of this line that are to come
    ContractLine line_;
  };

  explicit ContractLines(const Contract& contract) : text_(contract.text) {}
  ContractLines(const Contract& contract, std::string_view word);

  [[nodiscard]] Iterator begin() const { return {text_, word_}; }
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

 private:
  std::string_view text_;
  std::string_view word_;
};

// --- what lines say ------------------------------------------------------------------------------

// ContractForm is one of the tiny models of an architecture; "whole" has all optional tensors.
enum class ContractForm : std::uint8_t { kDense, kExperts, kWholeDense, kWholeExperts };
inline constexpr std::size_t kContractFormCount = 4;
inline constexpr std::string_view kContractFormLetters = "deDE";  // in that order

// ContractForms is a set of them.
class ContractForms {
 public:
  // Read takes a word of letters, each of which stands in it once; nullopt for other words.
  [[nodiscard]] static std::optional<ContractForms> Read(std::string_view letters);

  [[nodiscard]] bool Has(ContractForm form) const {
    return (bits_ >> static_cast<unsigned>(form) & 1U) != 0;
  }
  [[nodiscard]] bool empty() const { return bits_ == 0; }
  void Add(ContractForms other) { bits_ |= other.bits_; }

 private:
  unsigned bits_ = 0;
};

// FormsOf are the forms that an architecture has.
[[nodiscard]] ContractForms FormsOf(const Contract& contract);

// ContractKey is a line "key".
struct ContractKey {
  std::string_view name;
  bool after_architecture = true;    // "llama." goes in front
  ValueType type = ValueType::kU32;  // of the value, or of the elements of an array
  bool is_array = false;
  std::string_view value;  // take the elements off with TakeField(…, ',')
  ContractForms forms;
};

// ContractTensor is a line "tensor".
struct ContractTensor {
  static constexpr std::uint64_t kTokens = 0;  // a dimension that is the number of tokens

  std::string_view name;  // with at most one "*"
  TensorType type = TensorType::kF32;
  std::array<std::uint64_t, kMaximumDimensions> dims{};  // dims[0] is the row length
  std::size_t dimension_count = 0;
  ContractForms forms;
  bool required = false;

  [[nodiscard]] std::span<const std::uint64_t> Dimensions() const {
    return std::span(dims).first(dimension_count);
  }
  [[nodiscard]] bool InEachLayer() const { return name.find('*') != std::string_view::npos; }
};

// KeyOf and TensorOf read a line of their kind; nullopt for lines of other kinds. A line of their
// kind that they cannot read does not occur: tests/format/contracts/contract_test.cc reads them
// all.
[[nodiscard]] std::optional<ContractKey> KeyOf(const ContractLine& line);
[[nodiscard]] std::optional<ContractTensor> TensorOf(const ContractLine& line);

// ReadInteger and ReadDecimal read an element of a value; nullopt for what is no such number.
// ReadDecimal gives the double that is nearest, and takes at most 15 digits.
[[nodiscard]] std::optional<std::int64_t> ReadInteger(std::string_view digits);
[[nodiscard]] std::optional<double> ReadDecimal(std::string_view digits);

}  // namespace ggufgate
