#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/byte_range.h"
#include "check/policy.h"
#include "gate/file_verdict.h"
#include "gate/steps/held_source.h"

namespace ggufgate {

class DataScanSteps;
struct Document;
class Judgement;

// Judging feeds a Judgement with bytes that its caller hands over. A Step() works until it needs
// bytes, and names their range. The caller fills room() with them before the next Step(). No range
// is empty or ends behind the file. Some bytes may be wanted twice; the caller finds out whether
// they were the same.
//
// Memory is the front of the file, at most twice its metadata or 8 MiB; for tensor data a piece of
// kScanPieceBytes; and the pages that the rules read behind the metadata, 64 MiB at most.
class Judging {
 public:
  enum class State : std::uint8_t { kDone, kWants, kUndecided };

  Judging(std::uint64_t size, Policy policy);
  Judging(const Judging&) = delete;
  Judging& operator=(const Judging&) = delete;
  ~Judging();

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
  [[nodiscard]] const Document& document() const;
  [[nodiscard]] FileVerdict& verdict() { return verdict_; }
  [[nodiscard]] const FileVerdict& verdict() const { return verdict_; }

 private:
  static constexpr std::string_view kBecameShorter = "the file became shorter while it was read";
  State Want(ByteRange range);
  State Undecided(std::string_view why);
  State FeedFront();
  State FeedData();
  State FeedRules();
  // The last two pages of the file, where they lie behind its front.
  [[nodiscard]] std::optional<ByteRange> EndOfFile() const;

  const Policy policy_;
  std::unique_ptr<Judgement> judgement_;  // by policy_; its document views front_
  bool ended_ = false;                    // done or undecided
  ByteRange wanted_;
  bool has_end_ = false;
  std::vector<std::uint8_t> front_;
  std::vector<std::uint8_t> piece_;
  std::unique_ptr<DataScanSteps> scan_;
  HeldSource source_;
  std::vector<ByteRange> missing_;  // the last comes first
  FileVerdict verdict_;
  std::string problem_;
};

}  // namespace ggufgate
