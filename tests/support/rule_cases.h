#pragma once

// Common code of the tests of the rules: the offsets of a model's fields in its file, computed from
// the format and not by the parser, and short forms for the parts of a finding.

#include <gmock/gmock.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check/check.h"
#include "check/rule.h"
#include "check/wording.h"
#include "parse/model.h"
#include "tests/support/judge.h"

namespace ggufgate::testing {

// Offsets in the file of Write(model), for a model of version 2 or 3.
[[nodiscard]] std::uint64_t EntryAt(const Model& model, std::size_t entry);  // the key's length
[[nodiscard]] std::uint64_t KeyAt(const Model& model, std::size_t entry);
[[nodiscard]] std::uint64_t TypeAt(const Model& model, std::size_t entry);
[[nodiscard]] std::uint64_t ValueAt(const Model& model, std::size_t entry);
[[nodiscard]] std::uint64_t TensorAt(const Model& model, std::size_t tensor);  // the name's length
[[nodiscard]] std::uint64_t NameAt(const Model& model, std::size_t tensor);
[[nodiscard]] std::uint64_t DimensionCountAt(const Model& model, std::size_t tensor);
[[nodiscard]] std::uint64_t DimensionsAt(const Model& model, std::size_t tensor);
[[nodiscard]] std::uint64_t TensorTypeAt(const Model& model, std::size_t tensor);
[[nodiscard]] std::uint64_t OffsetAt(const Model& model, std::size_t tensor);
[[nodiscard]] std::uint64_t DirectoryEnd(const Model& model);
[[nodiscard]] std::uint64_t DataAt(const Model& model);

// BeginAt adds a key so that the data begin `past` bytes after a multiple of 32.
[[nodiscard]] Model BeginAt(Model model, std::uint64_t past);

[[nodiscard]] inline Fact Number(std::uint64_t value) { return value; }
[[nodiscard]] inline Fact Text(std::string_view text) { return std::string(text); }

// Describe writes a subject as `file`, `header`, `metadata 1 "k.a" element 3`, `tensor 0 "weight"`.
[[nodiscard]] std::string Describe(const Subject& subject);

// Severities returns the severity of a rule's first finding under each profile, "off" for none:
// "error warning note" means gate, llama.cpp, spec.
[[nodiscard]] std::string Severities(const Model& model, RuleId rule);
[[nodiscard]] std::string Severities(const std::vector<std::uint8_t>& file, RuleId rule);

// All findings of a rule, in their order.
[[nodiscard]] std::vector<Finding> FindingsOf(const Judged& judged, RuleId rule);
// The number of findings of the rule, kept or not.
[[nodiscard]] std::uint64_t TotalOf(const Judged& judged, RuleId rule);

// Tells matches a finding by its location and its values. Omitted arguments match anything.
[[nodiscard]] ::testing::Matcher<const Finding&> Tells(
    const ByteRange& where, const ::testing::Matcher<Fact>& observed = ::testing::_,
    const ::testing::Matcher<Fact>& allowed = ::testing::_,
    const ::testing::Matcher<Fact>& other = ::testing::_);

// ExpectFault expects one finding of a rule that an error of the parser has broken. It must be an
// error.
void ExpectFault(const Judged& judged, Wording wording, ByteRange where, const Fact& observed,
                 const Fact& allowed);

// The cause of the first error, or kNone.
[[nodiscard]] Cause FirstCause(const Judged& judged);

// Models that have only these keys, each a u8, or only these tensors.
[[nodiscard]] Model WithKeys(const std::vector<std::string>& keys);
[[nodiscard]] Model WithNames(const std::vector<std::string>& names);

// Models with one key, "k.a".
inline constexpr std::string_view kKey = "k.a";
[[nodiscard]] Model WithArray(ValueType element_type, std::uint64_t count,
                              std::vector<std::uint8_t> elements);
// `depth` arrays, each the only element of the one around it. The innermost is empty and of u8.
[[nodiscard]] Model WithNestedArray(std::size_t depth);
[[nodiscard]] Model WithAlignment(std::uint32_t alignment);
// Tensors of `sizes` bytes each, laid out.
[[nodiscard]] Model WithTensors(const std::vector<std::uint64_t>& sizes);
[[nodiscard]] Model BigEndianMinimal();

}  // namespace ggufgate::testing
