#pragma once

// The file that is repaired, with the changes so far. Only for the files of this folder.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "check/finding.h"
#include "check/wording.h"
#include "parse/document.h"
#include "parse/extent.h"
#include "repair/change.h"

namespace ggufgate {

class Workbench {
 public:
  Workbench(const Document& document_in, const Findings& findings_in, bool record_follows);

  const Document& document;
  const Findings& findings;
  const std::vector<Extent> extents;  // by tensor

  // The place of the data in the old file, and the alignments of the old and the new file.
  std::optional<std::uint64_t> data_begin;
  std::uint64_t old_alignment;
  std::uint64_t new_alignment;
  // The end of the last tensor, relative to the begin of the data; nullopt if it is not known.
  std::optional<std::uint64_t> data_end;

  // The end of the new file: bytes of the old one that are kept from the begin of the data on.
  std::uint64_t kept_bytes = 0;
  std::uint64_t zeros_after = 0;

  [[nodiscard]] bool Has(RuleId rule) const;
  [[nodiscard]] bool Has(Wording wording) const;
  // DoubtOfPlace returns the reason why the data may begin elsewhere, because a count is too low.
  [[nodiscard]] std::optional<DoubtId> DoubtOfPlace() const;

  // Remove and Replace change one record of the metadata. `payload` is everything after the type.
  void Remove(const MetadataEntry& entry);
  void Replace(const MetadataEntry& entry, ValueType type, std::vector<std::uint8_t> payload);
  [[nodiscard]] bool ChangesMetadata() const { return changes_metadata_; }
  [[nodiscard]] bool IsRemoved(const MetadataEntry& entry) const;
  // Front encodes header, metadata and directory of the new file.
  [[nodiscard]] std::vector<std::uint8_t> Front() const;

  void Say(Change change) { changes.push_back(std::move(change)); }
  void Leave(DoubtId doubt, std::string_view subject = {});
  std::vector<Change> changes;
  std::vector<Doubt> doubts;

 private:
  struct Edit {
    bool removed = false;
    std::optional<ValueType> type;  // of the new value
    std::vector<std::uint8_t> payload;
  };
  [[nodiscard]] std::size_t IndexOf(const MetadataEntry& entry) const;

  bool record_follows_;
  std::vector<std::optional<Edit>> edits_;  // by entry
  bool changes_metadata_ = false;
};

// SubjectOf returns the name of a key for a message, cut.
[[nodiscard]] std::string SubjectOf(std::string_view key);

// LiesAs tells whether each tensor lies at the sum of the sizes before it, each rounded up to
// `alignment`.
[[nodiscard]] bool LiesAs(const Workbench& bench, std::uint64_t alignment);

// The repairs of repairs.def. Each changes the workbench, or leaves a doubt.
#define GGUFGATE_REPAIR(name, slug, rules, sentence, reason) void Repair##name(Workbench& bench);
#include "repair/repairs.def"
#undef GGUFGATE_REPAIR

}  // namespace ggufgate
