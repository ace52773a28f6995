#include "check/sink.h"

#include <algorithm>
#include <utility>

namespace ggufgate {

Context::Context(const Document& document_in, const ByteSource& source_in, const Policy& policy_in)
    : document(document_in),
      source(source_in),
      policy(policy_in),
      extents(ExtentsOf(document_in)),
      regions(Regions(document_in, extents)) {}

Bytes Context::View(ByteRange range, MutableBytes scratch) const {
  if (range.FitsIn(document.prefix.size())) return document.BytesAt(range);
  if (!io.complete()) return {};
  const MutableBytes out = scratch.first(range.size);
  io = source.ReadAt(range.begin, out);
  return io.complete() ? Bytes(out) : Bytes();
}

namespace {

std::string CutText(std::string_view text) {
  return std::string(text.substr(0, Subject::kLongestText));
}

}  // namespace

Fact TextFact(std::string_view text) { return CutText(text); }

Subject SubjectOf(const Place& place) {
  return {.section = place.section,
          .index = place.index,
          .name = CutText(place.name),
          .element = place.element};
}

Subject FileSubject() { return {}; }

Subject MetadataSubject(const Document& document, const MetadataEntry& entry,
                        std::uint64_t element) {
  const auto index = static_cast<std::uint64_t>(&entry - document.metadata.data());
  return {.section = Place::Section::kMetadata,
          .index = index,
          .name = CutText(entry.key),
          .element = element};
}

Subject TensorSubject(const Document& document, const TensorInfo& tensor) {
  const auto index = static_cast<std::uint64_t>(&tensor - document.tensors.data());
  return {.section = Place::Section::kTensor, .index = index, .name = CutText(tensor.name)};
}

void Sink::Add(Report report) {
  const Severity severity = std::min(rule_.SeverityIn(policy_.profile), report.at_most);
  if (severity == Severity::kOff) return;
  ++findings_.totals.at(static_cast<std::size_t>(rule_.id));
  std::size_t& kept = kept_.at(static_cast<std::size_t>(severity));
  if (kept >= std::max<std::size_t>(policy_.findings_per_rule, 1)) return;
  ++kept;
  findings_.list.push_back({.rule = rule_.id,
                            .severity = severity,
                            .wording = report.wording,
                            .where = report.where,
                            .subject = std::move(report.subject),
                            .observed = std::move(report.observed),
                            .allowed = std::move(report.allowed),
                            .other = std::move(report.other),
                            .cause = report.cause});
}

void Sink::CountMore(std::uint64_t breaches) {
  if (rule_.SeverityIn(policy_.profile) == Severity::kOff) return;
  findings_.totals.at(static_cast<std::size_t>(rule_.id)) += breaches;
}

}  // namespace ggufgate
