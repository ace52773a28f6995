#include "tests/oracles/differential.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "check/rule.h"
#include "parse/extent.h"
#include "tests/oracles/require.h"

namespace ggufgate::fuzz {
namespace {

// Knows returns whether the witness implements a rule.
bool Knows(std::string_view slug) {
  static const std::vector<std::string> known = witness::Rules();
  return std::ranges::find(known, slug) != known.end();
}

// Tell prints the findings of both before a violation.
void Tell(const Findings& findings, const witness::Verdict& verdict) {
  for (const Finding& finding : findings.list) {
    const Rule& rule = RuleOf(finding.rule);
    std::fprintf(stderr, " gate: %.*s, record %llu\n", static_cast<int>(rule.slug.size()),
                 rule.slug.data(), static_cast<unsigned long long>(finding.subject.index));
  }
  for (const witness::Complaint& complaint : verdict.complaints) {
    std::fprintf(stderr, " witness: %s%s, record %llu\n", complaint.fatal ? "" : "(not fatal) ",
                 complaint.rule, static_cast<unsigned long long>(complaint.record));
  }
}

// Differential is one comparison.
class Differential {
 public:
  Differential(const Judgement& judged, const witness::Verdict& verdict)
      : document_(judged.document),
        findings_(judged.checked.findings),
        rejected_(judged.Rejected()),
        verdict_(verdict) {}

  void Compare() const {
    Hold(rejected_ || verdict_.Sound(), "what is accepted is sound to the witness");
    for (const Finding& finding : findings_.list) Confirm(finding);
    // If the gate stopped at one of its limits, it has read less.
    if (ByLimit()) return CompareRead();
    Hold(document_.metadata.size() == verdict_.file.entries.size() &&
             document_.tensors.size() == verdict_.file.tensors.size(),
         "the witness reads as many records");
    if (!document_.fault) {
      for (const witness::Complaint& complaint : verdict_.complaints) Find(complaint);
    }
    CompareRead();
  }

 private:
  void Hold(bool holds, const char* sentence) const {
    if (!holds) Tell(findings_, verdict_);
    Require(holds, sentence);
  }

  [[nodiscard]] bool ByLimit() const { return document_.fault && document_.fault->by_limit; }

  void Confirm(const Finding& finding) const {
    const Rule& rule = RuleOf(finding.rule);
    const std::string slug(rule.slug);
    if (!Knows(rule.slug)) return;
    if (ByLimit() && finding.where == document_.fault->where) return;
    if (!verdict_.Says(slug)) {
      std::fprintf(
          stderr,
          "If the gate is right, src/witness/names.cc, layout.cc or read.cc must report it. "
          "Add this line, with your condition:\n    if (condition) Say(\"%s\", i);\n",
          slug.c_str());
    }
    Hold(verdict_.SaysOf(slug, finding.subject.index),
         "a breach of the structure is one to the witness, of the same record");
    Hold(finding.severity < Severity::kError || verdict_.Says(slug, /*fatal=*/true),
         "a rejected structure is unsound to the witness");
  }

  void Find(const witness::Complaint& complaint) const {
    const bool found = std::ranges::any_of(findings_.list, [&](const Finding& finding) {
      return RuleOf(finding.rule).slug == complaint.rule &&
             (finding.severity >= Severity::kError) == complaint.fatal;
    });
    Hold(found, "what the witness complains of is found, and counts the same");
  }

  // CompareRead compares everything that the gate read with the first part of what the witness
  // read.
  void CompareRead() const {
    const witness::File& file = verdict_.file;
    Hold(document_.metadata.size() <= file.entries.size() &&
             document_.tensors.size() <= file.tensors.size(),
         "what the gate reads the witness reads");
    for (std::size_t i = 0; i < document_.metadata.size(); ++i) {
      CompareEntry(document_.metadata.at(i), file.entries.at(i));
    }
    const std::vector<Extent> extents = ExtentsOf(document_);
    for (std::size_t i = 0; i < document_.tensors.size(); ++i) {
      CompareTensor(document_.tensors.at(i), extents.at(i), file.tensors.at(i));
    }
    if (document_.version != 0) CompareHeader();
    if (document_.fault) return;
    Hold(document_.directory_end == file.end && document_.alignment.has_value() == file.aligned &&
             document_.alignment.value_or(0) == file.alignment,
         "the directory ends at the same byte, with the same alignment");
    Hold(!document_.data_begin || *document_.data_begin == file.data,
         "the data section begins at the same byte");
  }

  void CompareHeader() const {
    const witness::File& file = verdict_.file;
    Hold(document_.version == file.version &&
             (document_.byte_order == ByteOrder::kBig) == file.big_endian &&
             document_.tensor_count == file.tensor_count &&
             document_.metadata_count == file.metadata_count,
         "the header says the same");
  }

  void CompareEntry(const MetadataEntry& entry, const witness::Entry& other) const {
    Hold(entry.key == other.key && entry.range.begin == other.begin &&
             entry.range.End() == other.end && entry.ElementsRange().begin == other.contents,
         "a metadata record has the same key and place");
    Hold(static_cast<std::uint32_t>(entry.type) == other.type &&
             static_cast<std::uint32_t>(entry.element_type) == other.element_type &&
             entry.count == other.count && entry.depth == other.depth,
         "a metadata value has the same type and count");
    const auto natural = document_.UnsignedOf(entry);
    Hold(natural.has_value() == other.has_natural && natural.value_or(0) == other.natural,
         "a number has the same value");
    const auto text = document_.StringOf(entry);
    Hold(!text || (other.texts.size() == 1 && *text == other.texts.front()),
         "a string has the same characters");
  }

  void CompareTensor(const TensorInfo& tensor, const Extent& extent,
                     const witness::Tensor& other) const {
    Hold(tensor.name == other.name && tensor.begin == other.begin &&
             tensor.Range().End() == other.end,
         "a tensor record has the same name and place");
    Hold(std::ranges::equal(tensor.Dimensions(), other.dims) && tensor.type_id == other.type &&
             tensor.offset == other.offset,
         "a tensor has the same dimensions, type and offset");
    Hold(extent.bytes.has_value() == other.sized && extent.bytes.value_or(0) == other.bytes,
         "a tensor has the same size");
  }

  const Document& document_;
  const Findings& findings_;
  bool rejected_;
  const witness::Verdict& verdict_;
};

}  // namespace

void RequireAgreement(const Judgement& judged, const witness::Verdict& verdict) {
  Differential(judged, verdict).Compare();
}

}  // namespace ggufgate::fuzz
