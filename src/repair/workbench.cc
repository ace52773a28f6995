#include "repair/workbench.h"

#include <algorithm>
#include <string>

#include "bytes/checked.h"
#include "parse/model.h"

namespace ggufgate {
namespace {

std::optional<std::uint64_t> EndOf(const Document& document, const std::vector<Extent>& extents) {
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < document.tensors.size(); ++i) {
    const std::optional<std::uint64_t> bytes = extents.at(i).bytes;
    const auto tensor_end =
        bytes ? CheckedAdd(document.tensors.at(i).offset, *bytes) : std::nullopt;
    if (!tensor_end) return std::nullopt;
    end = std::max(end, *tensor_end);
  }
  return end;
}

}  // namespace

Workbench::Workbench(const Document& document_in, const Findings& findings_in, bool record_follows)
    : document(document_in),
      findings(findings_in),
      extents(ExtentsOf(document_in)),
      data_begin(document_in.data_begin),
      old_alignment(document_in.alignment.value_or(kDefaultAlignment)),
      new_alignment(old_alignment),
      data_end(EndOf(document_in, extents)),
      record_follows_(record_follows),
      edits_(document_in.metadata.size()) {}

bool Workbench::Has(RuleId rule) const {
  return findings.totals.at(static_cast<std::size_t>(rule)) > 0;
}

bool Workbench::Has(Wording wording) const {
  return std::ranges::any_of(findings.list,
                             [&](const Finding& finding) { return WordingOf(finding) == wording; });
}

std::optional<DoubtId> Workbench::DoubtOfPlace() const {
  if (record_follows_) return DoubtId::kRecordFollows;
  if (Has(RuleId::kPaddingNotZero)) return DoubtId::kPaddingUsed;
  return std::nullopt;
}

std::size_t Workbench::IndexOf(const MetadataEntry& entry) const {
  return static_cast<std::size_t>(&entry - document.metadata.data());
}

void Workbench::Remove(const MetadataEntry& entry) {
  edits_.at(IndexOf(entry)) = Edit{.removed = true, .type = {}, .payload = {}};
  changes_metadata_ = true;
}

void Workbench::Replace(const MetadataEntry& entry, ValueType type,
                        std::vector<std::uint8_t> payload) {
  edits_.at(IndexOf(entry)) = Edit{.type = type, .payload = std::move(payload)};
  changes_metadata_ = true;
}

bool Workbench::IsRemoved(const MetadataEntry& entry) const {
  const std::optional<Edit>& edit = edits_.at(IndexOf(entry));
  return edit && edit->removed;
}

std::vector<std::uint8_t> Workbench::Front() const {
  Encoder front(document.byte_order);
  const auto removed = static_cast<std::uint64_t>(std::ranges::count_if(
      edits_, [](const std::optional<Edit>& edit) { return edit && edit->removed; }));
  front.PutBytes(AsBytes(kMagic)).Put(document.version);
  front.Put(std::uint64_t{document.tensors.size()});
  front.Put(std::uint64_t{document.metadata.size()} - removed);
  std::uint64_t end = kHeaderBytes;
  for (const MetadataEntry& entry : document.metadata) {
    end = entry.range.End();
    const std::optional<Edit>& edit = edits_.at(IndexOf(entry));
    if (!edit) {
      front.PutBytes(document.BytesAt(entry.range));
    } else if (!edit->removed) {
      front.PutString(entry.key).Put(IdOf(*edit->type)).PutBytes(edit->payload);
    }
  }
  front.PutBytes(document.BytesAt(ByteRange::Between(end, document.directory_end)));
  return front.Take();
}

void Workbench::Leave(DoubtId doubt, std::string_view subject) {
  doubts.push_back({.id = doubt, .subject = SubjectOf(subject)});
}

std::string SubjectOf(std::string_view key) {
  return std::string(key.substr(0, Subject::kLongestText));
}

bool LiesAs(const Workbench& bench, std::uint64_t alignment) {
  std::optional<std::uint64_t> sum = 0;
  for (std::size_t i = 0; i < bench.document.tensors.size(); ++i) {
    if (!sum || bench.document.tensors.at(i).offset != *sum) return false;
    const std::optional<std::uint64_t> bytes = bench.extents.at(i).bytes;
    const auto padded = bytes ? CheckedAlignUp(*bytes, alignment) : std::nullopt;
    sum = padded ? CheckedAdd(*sum, *padded) : std::nullopt;
  }
  return true;
}

}  // namespace ggufgate
