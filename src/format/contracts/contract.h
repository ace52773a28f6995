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

// kContractRelease is the release of the reference: the newest one of the embedded contracts.
inline constexpr std::string_view kContractRelease = "llama.cpp v0.5.0";

inline constexpr std::array<std::string_view, 6> kContractVocabularies = {"spm", "bpe",  "wpm",
                                                                          "ugm", "rwkv", "plamo2"};

// Contract has the requirements of one release for one architecture: a tiny model that it loads
// and decodes, in up to four forms. It stores the learned lines as text, which is parsed on demand.
// They are offsets into the text of the whole table, because many blocks share a line.
//
//   key NAMES TYPE VALUE FORMS             a hyper-parameter; "[u32]" is an array, with commas
//                                          between elements; a name that begins with "/" has no
//                                          architecture in front
//   tensor NAMES TYPE DIMS FORMS PRESENCE  "*" in a name: one per layer; "v" as dimension: the
//                                          number of tokens; "required" or "optional"
//   condition NAMES ENDING STAGE           a condition that crashes the loader, or makes it abort
//
// Names separated by commas share the fields after them. Other lines: docs/contracts.md.
//
// Source: scripts/learn-reference, src/learn/table.py.
struct Contract {
  std::string_view architecture;         // as in `general.architecture`
  std::string_view vocabulary;           // the kind used for learning, of kContractVocabularies
  std::string_view text;                 // of the whole table; each line ends at its '\n'
  std::span<const std::uint32_t> lines;  // where they begin in it
};

// AllContracts lists the contracts of kContractRelease, sorted by name.
[[nodiscard]] std::span<const Contract> AllContracts();

// FindContract finds the contract of an architecture; nullptr if the release does not know it.
[[nodiscard]] const Contract* FindContract(std::string_view architecture);

// --- lines ---------------------------------------------------------------------------------------

// ContractLine is a parsed line: its first word, one of its names, and the fields after them.
struct ContractLine {
  std::string_view word;
  std::string_view name;  // only in lines of the words key, tensor and condition
  std::string_view fields;
};

// kMakesNone is the field of line "next" if the loader makes no tensors of layers that predict
// further tokens.
inline constexpr std::string_view kMakesNone = "none";

// kSoughtReasons has the first fields of lines "sought": why no operation of a form reads a tensor
// that the loader looks up (docs/contracts.md). kSizeless: its shape has a dimension of 0.
inline constexpr std::string_view kSizeless = "sizeless";
inline constexpr auto kSoughtReasons = std::to_array<std::string_view>(
    {"unread", kSizeless, "beside", "instead", "refused", "unknown"});

// kDividesByDimensions is the field of line "load" if the loader divides by the dimensions of each
// tensor after the first one.
inline constexpr std::string_view kDividesByDimensions = "divides-by-dimensions";

// LineAt returns the line at an offset into the text of a table, without its end.
[[nodiscard]] inline std::string_view LineAt(std::string_view text, std::uint32_t offset) {
  const std::string_view rest = text.substr(offset);
  return rest.substr(0, rest.find('\n'));
}

// TakeField removes the first field, up to `separator` or the end, and returns it; empty at the
// end.
[[nodiscard]] std::string_view TakeField(std::string_view& fields, char separator = ' ');

// LinesOf returns the lines of one word, which are consecutive in a block.
[[nodiscard]] std::span<const std::uint32_t> LinesOf(const Contract& contract,
                                                     std::string_view word);

// ContractLines iterates over the lines of a block, or those of one word; a line with several names
// occurs once per name.
class ContractLines {
 public:
  class Iterator {
   public:
    using difference_type = std::ptrdiff_t;
    using value_type = ContractLine;

    Iterator(std::string_view text, std::span<const std::uint32_t> lines)
        : text_(text), rest_(lines) {
      ++*this;
    }

    const ContractLine& operator*() const { return line_; }
    const ContractLine* operator->() const { return &line_; }
    Iterator& operator++();
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t /*end*/) const { return line_.word.empty(); }

   private:
    std::string_view text_;
    std::span<const std::uint32_t> rest_;
    std::string_view names_;  // the remaining names of this line
    ContractLine line_;
  };

  explicit ContractLines(const Contract& contract) : text_(contract.text), lines_(contract.lines) {}
  ContractLines(const Contract& contract, std::string_view word)
      : text_(contract.text), lines_(LinesOf(contract, word)) {}
  // The lines at some offsets into the text of a table.
  ContractLines(std::string_view text, std::span<const std::uint32_t> lines)
      : text_(text), lines_(lines) {}

  [[nodiscard]] Iterator begin() const { return {text_, lines_}; }
  [[nodiscard]] static std::default_sentinel_t end() { return {}; }

 private:
  std::string_view text_;
  std::span<const std::uint32_t> lines_;
};

// --- the contents of lines -----------------------------------------------------------------------

// ContractForm is one of the tiny models of an architecture. The "whole" ones have all optional
// tensors.
enum class ContractForm : std::uint8_t { kDense, kExperts, kWholeDense, kWholeExperts };
inline constexpr std::size_t kContractFormCount = 4;
inline constexpr std::string_view kContractFormLetters = "deDE";  // in that order

// ContractForms is a set of them.
class ContractForms {
 public:
  // Read parses a word of unique letters; nullopt for other words.
  [[nodiscard]] static std::optional<ContractForms> Read(std::string_view letters);

  [[nodiscard]] bool Has(ContractForm form) const {
    return (bits_ >> static_cast<unsigned>(form) & 1U) != 0;
  }
  [[nodiscard]] bool empty() const { return bits_ == 0; }
  void Add(ContractForms other) { bits_ |= other.bits_; }

 private:
  unsigned bits_ = 0;
};

// FormsOf returns the forms of an architecture, from its lines "key".
[[nodiscard]] ContractForms FormsOf(const ContractLines& keys);
[[nodiscard]] ContractForms FormsOf(const Contract& contract);

// ContractKey is a line "key".
struct ContractKey {
  std::string_view name;
  bool after_architecture = true;    // the prefix "llama." belongs to the key
  ValueType type = ValueType::kU32;  // of the value, or of the elements of an array
  bool is_array = false;
  std::string_view value;  // for an array, get the elements with TakeField(…, ',')
  ContractForms forms;
};

// ContractTensor is a line "tensor".
struct ContractTensor {
  static constexpr std::uint64_t kTokens = 0;  // marks a dimension that is the number of tokens

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

// KeyOf and TensorOf parse a line of their word; nullopt for other words. They can parse all such
// lines: ParseContracts() checks those of files, and a test those that are compiled in.
[[nodiscard]] std::optional<ContractKey> KeyOf(const ContractLine& line);
[[nodiscard]] std::optional<ContractTensor> TensorOf(const ContractLine& line);

// ReadInteger and ReadDecimal parse an element of a value; nullopt for other texts. ReadDecimal
// returns the nearest double, and accepts at most 15 digits.
[[nodiscard]] std::optional<std::int64_t> ReadInteger(std::string_view digits);
[[nodiscard]] std::optional<double> ReadDecimal(std::string_view digits);

}  // namespace ggufgate
