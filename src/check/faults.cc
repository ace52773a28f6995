// What a structural fault of the parser means: which rule it breaks, and with which words.

#include "check/sink.h"

namespace ggufgate {

RuleId RuleFor(FaultKind kind) {
  switch (kind) {
    case FaultKind::kFileTooShort:
      return RuleId::kFileTooShort;
    case FaultKind::kMagic:
      return RuleId::kMagic;
    case FaultKind::kVersion:
      return RuleId::kVersion;
    case FaultKind::kByteOrder:
      return RuleId::kByteOrder;
    case FaultKind::kTensorCount:
      return RuleId::kTensorCount;
    case FaultKind::kMetadataCount:
      return RuleId::kMetadataCount;
    case FaultKind::kStringLength:
      return RuleId::kStringLength;
    case FaultKind::kTruncatedMetadata:
      return RuleId::kTruncatedMetadata;
    case FaultKind::kTruncatedTensorInfo:
      return RuleId::kTruncatedTensorInfo;
    case FaultKind::kValueType:
      return RuleId::kValueType;
    case FaultKind::kArrayElementType:
      return RuleId::kArrayElementType;
    case FaultKind::kArrayCount:
      return RuleId::kArrayCount;
    case FaultKind::kArrayDepth:
      return RuleId::kArrayNested;
    case FaultKind::kDimensionCount:
      return RuleId::kTensorDimensions;
    case FaultKind::kMetadataBytes:
    case FaultKind::kArrayStrings:
      return RuleId::kLimitExceeded;
  }
  return RuleId::kMagic;
}

namespace {

std::uint8_t WordingFor(const Fault& fault) {
  switch (fault.kind) {
    case FaultKind::kVersion:
      return fault.observed == 1 ? 1 : 0;
    case FaultKind::kMetadataBytes:
      return 1;
    case FaultKind::kArrayStrings:
      return 2;
    default:
      return fault.by_limit ? 1 : 0;
  }
}

}  // namespace

void ReportFault(const Context& context, Findings& findings) {
  if (!context.document.fault) return;
  const Fault& fault = *context.document.fault;
  // Always an error: what lies behind the fault was not looked at, whatever the profile thinks of
  // the rule.
  Finding finding{.rule = RuleFor(fault.kind),
                  .severity = Severity::kError,
                  .wording = WordingFor(fault),
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
