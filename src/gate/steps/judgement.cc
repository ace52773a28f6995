#include "gate/steps/judgement.h"

#include <optional>
#include <utility>

#include "check/check.h"
#include "check/verdict.h"
#include "parse/parse.h"

namespace ggufgate {

bool Judgement::GiveFront(Bytes front, std::uint64_t size) {
  std::optional<Document> document = steps_.Give(front, size);
  if (!document) return false;
  document_ = *std::move(document);
  wants_ = Wants::kData;
  return true;
}

void Judgement::GiveData(DataScanResult scanned) {
  scanned_ = std::move(scanned);
  wants_ = Wants::kRules;
}

bool Judgement::End(Bytes front, std::uint64_t size) {
  ParseResult parsed = Parse(front, size, policy_.limits);
  if (parsed.NeedsMore()) return false;
  // A file with fewer tensors has an earlier fault, and is rejected for that.
  if (parsed.document.tensors.size() != document_.tensors.size()) scanned_ = {};
  document_ = std::move(parsed.document);
  return true;
}

ReadOutcome Judgement::RunRules(const ByteSource& source, FileVerdict& verdict) {
  CheckResult checked = CheckScanned(document_, source, policy_, scanned_);
  verdict.summary = Summarise(document_);
  verdict.findings = std::move(checked.findings);
  const bool read = checked.io.complete();
  verdict.verdict = read ? VerdictOf(verdict.findings, policy_) : Verdict::kUndecided;
  wants_ = Wants::kNothing;
  return checked.io;
}

}  // namespace ggufgate
