#include "tests/support/rule_cases.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ggufgate::testing {

std::uint64_t EntryAt(const Model& model, std::size_t entry) {
  std::uint64_t at = 24;
  for (std::size_t i = 0; i < entry; ++i) {
    at += 8 + model.metadata.at(i).key.size() + 4 + model.metadata.at(i).payload.size();
  }
  return at;
}

std::uint64_t KeyAt(const Model& model, std::size_t entry) { return EntryAt(model, entry) + 8; }

std::uint64_t TypeAt(const Model& model, std::size_t entry) {
  return KeyAt(model, entry) + model.metadata.at(entry).key.size();
}

std::uint64_t ValueAt(const Model& model, std::size_t entry) { return TypeAt(model, entry) + 4; }

std::uint64_t TensorAt(const Model& model, std::size_t tensor) {
  std::uint64_t at = EntryAt(model, model.metadata.size());
  for (std::size_t i = 0; i < tensor; ++i) {
    const Model::Tensor& before = model.tensors.at(i);
    at += 8 + before.name.size() + 4 + 8 * before.dims.size() + 4 + 8;
  }
  return at;
}

std::uint64_t NameAt(const Model& model, std::size_t tensor) { return TensorAt(model, tensor) + 8; }

std::uint64_t DimensionCountAt(const Model& model, std::size_t tensor) {
  return NameAt(model, tensor) + model.tensors.at(tensor).name.size();
}

std::uint64_t DimensionsAt(const Model& model, std::size_t tensor) {
  return DimensionCountAt(model, tensor) + 4;
}

std::uint64_t TensorTypeAt(const Model& model, std::size_t tensor) {
  return DimensionsAt(model, tensor) + 8 * model.tensors.at(tensor).dims.size();
}

std::uint64_t OffsetAt(const Model& model, std::size_t tensor) {
  return TensorTypeAt(model, tensor) + 4;
}

std::uint64_t DirectoryEnd(const Model& model) { return TensorAt(model, model.tensors.size()); }

std::uint64_t DataAt(const Model& model) {
  const std::uint64_t alignment = model.alignment;
  return (DirectoryEnd(model) + alignment - 1) / alignment * alignment;
}

std::string Describe(const Subject& subject) {
  const std::string record = std::to_string(subject.index) + " \"" + subject.name + "\"";
  const std::string element =
      subject.element == Place::kNoElement ? "" : " element " + std::to_string(subject.element);
  switch (subject.section) {
    case Place::Section::kFile:
      return "file";
    case Place::Section::kHeader:
      return "header";
    case Place::Section::kMetadata:
      return "metadata " + record + element;
    case Place::Section::kTensor:
      return "tensor " + record + element;
  }
  return "";
}

std::string Severities(const std::vector<std::uint8_t>& file, RuleId rule) {
  std::string words;
  for (const Profile profile : {Profile::kGate, Profile::kLlamaCpp, Profile::kSpec}) {
    const std::vector<Finding> findings = FindingsOf(Judge(file, PolicyFor(profile)), rule);
    if (!words.empty()) words += ' ';
    words += WordFor(findings.empty() ? Severity::kOff : findings.front().severity);
  }
  return words;
}

std::string Severities(const Model& model, RuleId rule) { return Severities(Write(model), rule); }

std::vector<Finding> FindingsOf(const Judged& judged, RuleId rule) {
  std::vector<Finding> findings;
  for (const Finding& finding : judged.checked.findings.list) {
    if (finding.rule == rule) findings.push_back(finding);
  }
  return findings;
}

std::uint64_t TotalOf(const Judged& judged, RuleId rule) {
  return judged.checked.findings.totals.at(static_cast<std::size_t>(rule));
}

::testing::Matcher<const Finding&> Tells(const ByteRange& where,
                                         const ::testing::Matcher<Fact>& observed,
                                         const ::testing::Matcher<Fact>& allowed,
                                         const ::testing::Matcher<Fact>& other) {
  using ::testing::Field;
  return ::testing::AllOf(
      Field("where", &Finding::where, where), Field("observed", &Finding::observed, observed),
      Field("allowed", &Finding::allowed, allowed), Field("other", &Finding::other, other));
}

void ExpectFault(const Judged& judged, Wording wording, ByteRange where, const Fact& observed,
                 const Fact& allowed) {
  SCOPED_TRACE(RuleOf(wording.rule).slug);
  const Finding finding = judged.Only(wording.rule);
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(finding.where, where);
  EXPECT_EQ(finding.observed, observed);
  EXPECT_EQ(finding.allowed, allowed);
  EXPECT_EQ(WordingOf(finding), wording);
  EXPECT_EQ(TotalOf(judged, finding.rule), 1U);
}

Cause FirstCause(const Judged& judged) {
  const std::vector<Finding>& list = judged.checked.findings.list;
  const auto first = std::ranges::find(list, Severity::kError, &Finding::severity);
  return first != list.end() ? first->cause : Cause{};
}

Model WithKeys(const std::vector<std::string>& keys) {
  Model model;
  for (const std::string& key : keys) {
    model.metadata.push_back({.key = key, .type = 0, .payload = {1}});
  }
  return model;
}

Model WithNames(const std::vector<std::string>& names) {
  Model model;
  for (const std::string& name : names) model.Add(name, TensorType::kF32, {8});
  return model;
}

Model WithArray(ValueType element_type, std::uint64_t count, std::vector<std::uint8_t> elements) {
  Model model;
  Encoder payload(model.byte_order);
  payload.Put(static_cast<std::uint32_t>(element_type)).Put(count).PutBytes(elements);
  return model.SetRaw(kKey, ValueType::kArray, payload.Take());
}

Model WithNestedArray(std::size_t depth) {
  Model model;
  Encoder payload(model.byte_order);
  for (std::size_t level = 1; level < depth; ++level) {
    payload.Put(static_cast<std::uint32_t>(ValueType::kArray)).Put(std::uint64_t{1});
  }
  payload.Put(static_cast<std::uint32_t>(ValueType::kU8)).Put(std::uint64_t{0});
  return model.SetRaw(kKey, ValueType::kArray, payload.Take());
}

Model BeginAt(Model model, std::uint64_t past) {
  for (std::string padding; padding.size() < 64; padding += '.') {
    model.Set("general.padding", padding);
    if (DataAt(model) % 32 == past) break;
  }
  return model;
}

Model WithAlignment(std::uint32_t alignment) {
  Model model;
  model.Set(kAlignmentKey, alignment);
  model.alignment = alignment != 0 ? alignment : kDefaultAlignment;
  model.Add("weight", TensorType::kI8, {5});
  return model;
}

Model WithTensors(const std::vector<std::uint64_t>& sizes) {
  Model model;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    model.Add("t." + std::to_string(i), TensorType::kI8, {sizes.at(i)});
  }
  return model;
}

Model BigEndianMinimal() {
  Model model;
  model.byte_order = ByteOrder::kBig;
  model.Set(kArchitectureKey, "test");
  model.Add("weight", TensorType::kF32, {8});
  return model;
}

}  // namespace ggufgate::testing
