// Maps structural faults, which the parser finds, to rules and wordings.

#include "check/faults.h"

#include "check/rules/context.h"
#include "check/rules/subject.h"
#include "check/wording.h"

namespace ggufgate {

namespace {

// ByLimit chooses the wording: the count exceeds one of our limits, or the bytes that are left.
template <typename Name>
Wording ByLimit(const Fault& fault) {
  return fault.by_limit ? Name::kLimit : Name::kBytesLeft;
}

Wording WordingFor(const Fault& fault) {
  switch (fault.kind) {
    case FaultKind::kFileTooShort:
      return FileTooShortWording::kOnly;
    case FaultKind::kMagic:
      return MagicWording::kOnly;
    case FaultKind::kVersion:
      return fault.observed == 1 ? VersionWording::kFirst : VersionWording::kUnknown;
    case FaultKind::kByteOrder:
      return ByteOrderWording::kSwappedVersion;
    case FaultKind::kTensorCount:
      return ByLimit<TensorCountWording>(fault);
    case FaultKind::kMetadataCount:
      return ByLimit<MetadataCountWording>(fault);
    case FaultKind::kStringLength:
      return ByLimit<StringLengthWording>(fault);
    case FaultKind::kTruncatedMetadata:
      return TruncatedMetadataWording::kOnly;
    case FaultKind::kTruncatedTensorInfo:
      return TruncatedTensorInfoWording::kOnly;
    case FaultKind::kValueType:
      return ValueTypeWording::kOnly;
    case FaultKind::kArrayElementType:
      return ArrayElementTypeWording::kOnly;
    case FaultKind::kArrayCount:
      return ByLimit<ArrayCountWording>(fault);
    case FaultKind::kArrayDepth:
      return ArrayNestedWording::kTooDeep;
    case FaultKind::kDimensionCount:
      return TensorDimensionsWording::kTooMany;
    case FaultKind::kMetadataBytes:
      return LimitExceededWording::kMetadataBytes;
    case FaultKind::kArrayStrings:
      return LimitExceededWording::kArrayStrings;
  }
  return MagicWording::kOnly;
}

}  // namespace

RuleId RuleFor(FaultKind kind) { return WordingFor({.kind = kind}).rule; }

void ReportFault(const Context& context, Findings& findings) {
  if (!context.document.fault) return;
  const Fault& fault = *context.document.fault;
  // Always an error, whatever severity the profile gives the rule: nothing after the fault was
  // checked.
  const Wording wording = WordingFor(fault);
  Finding finding{.rule = wording.rule,
                  .severity = Severity::kError,
                  .wording = wording.number,
                  .where = fault.where,
                  .subject = SubjectOf(fault.place),
                  .observed = fault.observed,
                  .allowed = fault.allowed,
                  .other = {},
                  .cause = {}};
  if (fault.kind == FaultKind::kMagic) {
    finding.observed = TextFact(AsText(context.document.BytesAt(fault.where)));
    finding.allowed = TextFact(kMagic);
  }
  ++findings.totals.at(static_cast<std::size_t>(finding.rule));
  findings.list.push_back(std::move(finding));
}

}  // namespace ggufgate
