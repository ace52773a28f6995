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

// Judging checks a file whose bytes its caller supplies. Step() works until it needs bytes, and
// names their range. The caller fills room() with them before the next Step(). No range is empty or
// ends after the end of the file. Some bytes may be requested twice; the caller must make sure that
// they are the same.
//
// Its memory holds the front of the file, which is at most twice its metadata or 8 MiB. For tensor
// data it also holds a piece of kScanPieceBytes. The pages that the rules read after the metadata
// take at most 64 MiB.
class Judging {
 public:
  enum class State : std::uint8_t { kDone, kWants, kUndecided };

  Judging(std::uint64_t size, Policy policy);
  Judging(const Judging&) = delete;
  Judging& operator=(const Judging&) = delete;
  ~Judging();

  [[nodiscard]] State Step();
  // The range that the last Step() requested.
  [[nodiscard]] ByteRange wanted() const { return wanted_; }
  [[nodiscard]] MutableBytes room();

  [[nodiscard]] const Policy& policy() const { return policy_; }
  // FellShort replaces Step() if fewer bytes came than requested: the file is undecided.
  State FellShort() { return Undecided(kBecameShorter); }

  // The reason why the file is undecided.
  [[nodiscard]] std::string_view problem() const { return problem_; }
  // TakeBack makes the file undecided, for the given reason.
  void TakeBack(std::string_view why);
  // Both are complete after Step() has returned kDone.
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
  // EndOfFile returns the last two pages of the file, if they are after its front.
  [[nodiscard]] std::optional<ByteRange> EndOfFile() const;

  const Policy policy_;
  std::unique_ptr<Judgement> judgement_;  // uses policy_; its document views front_
  bool ended_ = false;                    // done or undecided
  ByteRange wanted_;
  bool has_end_ = false;
  std::vector<std::uint8_t> front_;
  std::vector<std::uint8_t> piece_;
  std::unique_ptr<DataScanSteps> scan_;
  HeldSource source_;
  std::vector<ByteRange> missing_;  // in reverse order
  FileVerdict verdict_;
  std::string problem_;
};

}  // namespace ggufgate
