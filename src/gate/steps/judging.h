#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/byte_range.h"
#include "check/data_scan.h"
#include "check/policy.h"
#include "gate/file_verdict.h"
#include "gate/steps/held_source.h"
#include "parse/document.h"
#include "parse/extent.h"
#include "parse/front/front_steps.h"

namespace ggufgate {

// Judging judges one file and never reads. A Step() works until it needs bytes, and names their
// range. The caller fills room() with them before the next Step(). No range is empty or ends behind
// the file. Some bytes may be wanted twice; the caller finds out whether they were the same.
//
// Memory is the front of the file, at most twice its metadata or 8 MiB; for tensor data a piece of
// kScanPieceBytes; and the pages that the rules read behind the metadata, 64 MiB at most.
class Judging {
 public:
  enum class State : std::uint8_t { kDone, kWants, kUndecided };

  Judging(std::uint64_t size, Policy policy);
  Judging(const Judging&) = delete;
  Judging& operator=(const Judging&) = delete;

  [[nodiscard]] State Step();
  // The range that the last Step() wants.
  [[nodiscard]] ByteRange wanted() const { return wanted_; }
  [[nodiscard]] MutableBytes room();

  [[nodiscard]] const Policy& policy() const { return policy_; }
  // FellShort takes the place of Step() where fewer bytes came than it wanted: the file is
  // undecided.
  State FellShort() { return Undecided(kBecameShorter); }

  // Why, when it is undecided.
  [[nodiscard]] std::string_view problem() const { return problem_; }
  // TakeBack makes the file undecided.
  void TakeBack(std::string_view why);
  // Both are whole when Step() was done.
  [[nodiscard]] const Document& document() const { return document_; }
  [[nodiscard]] FileVerdict& verdict() { return verdict_; }
  [[nodiscard]] const FileVerdict& verdict() const { return verdict_; }

 private:
  static constexpr std::string_view kBecameShorter = "the file became shorter while it was read";
  enum class Phase : std::uint8_t { kFront, kData, kRules, kDone };

  State Want(ByteRange range);
  State Undecided(std::string_view why);
  State ReadFront();
  State ReadData();
  State RunRules();
  // The last two pages of the file, where they lie behind its front.
  [[nodiscard]] std::optional<ByteRange> EndOfFile() const;

  const Policy policy_;
  Phase phase_ = Phase::kFront;
  ByteRange wanted_;
  FrontSteps steps_;
  bool has_end_ = false;
  std::vector<std::uint8_t> front_;
  std::vector<std::uint8_t> piece_;
  Document document_;  // views front_
  std::unique_ptr<DataScanSteps> scan_;
  DataScanResult scanned_;
  HeldSource source_;
  std::vector<ByteRange> missing_;  // the last comes first
  FileVerdict verdict_;
  std::string problem_;
};

}  // namespace ggufgate
