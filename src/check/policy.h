#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/severity.h"
#include "format/limits.h"
#include "format/tensors/tensor_type.h"

namespace ggufgate {

class ContractTable;
enum class RuleId : std::uint16_t;  // check/finding.h

// Profile selects a column of severities in rules.def.
enum class Profile : std::uint8_t {
  kGate,       // rejects malformed, dangerous and unloadable files
  kLlamaCpp,   // accepts everything that llama.cpp v0.5.0 loads safely
  kSpec,       // exactly the published specification
  kDiffusion,  // for loaders of image and video models: stable-diffusion.cpp
};
inline constexpr std::size_t kProfileCount = 4;
inline constexpr std::array<std::string_view, kProfileCount> kProfileWords = {"gate", "llama.cpp",
                                                                              "spec", "diffusion"};

// JudgesLoaders tells whether a profile has the rules that depend on a loader.
[[nodiscard]] constexpr bool JudgesLoaders(Profile profile) {
  return profile == Profile::kGate || profile == Profile::kLlamaCpp;
}

// TargetOrder is the byte order of the machines that will load the file.
enum class TargetOrder : std::uint8_t { kLittle, kBig, kAny };
inline constexpr std::array<std::string_view, 3> kTargetOrderWords = {"little", "big", "any"};

// DataScan selects how much of the tensor data is read and checked.
enum class DataScan : std::uint8_t {
  kNone,    // no data: header, metadata and directory only
  kScales,  // scales and minimums of quantised blocks, and float tensors of one dimension
  kFull,    // every value, reserved encodings, and tensors of zeros
};
inline constexpr std::array<std::string_view, 3> kDataScanWords = {"none", "scales", "full"};

// RehearsalNeed tells whether a file is accepted without a rehearsal (`check --rehearse`).
enum class RehearsalNeed : std::uint8_t { kOptional, kRequired };
inline constexpr std::array<std::string_view, 2> kRehearsalNeedWords = {"optional", "required"};

// A finding takes at most 3 KiB: four texts of Subject::kLongestText bytes, and a reason. So the
// findings of one rule and severity take at most 3 MiB.
inline constexpr std::size_t kMostFindingsPerRule = 1'000;

// SeverityChoice overrides the profile's severity of one rule.
struct SeverityChoice {
  RuleId rule{};
  Severity severity = Severity::kError;

  friend bool operator==(const SeverityChoice&, const SeverityChoice&) = default;
};

// Suppression selects findings that the policy accepts as exceptions.
struct Suppression {
  RuleId rule{};
  std::string reason;       // shown in every report of such a finding; never empty
  std::string sha256 = {};  // lower-case hex; if not empty: only in the file with this digest
  std::string path = {};    // if not empty: PathMatches() selects records, see suppression.h

  friend bool operator==(const Suppression&, const Suppression&) = default;
};

// Policy contains the decisions of a platform: profile, limits, and severities that reject.
struct Policy {
  Profile profile = Profile::kGate;
  TargetOrder target = TargetOrder::kLittle;
  Severity fail_on = Severity::kError;  // findings at or above it reject
  DataScan data = DataScan::kNone;
  RehearsalNeed rehearsal = RehearsalNeed::kOptional;
  std::size_t findings_per_rule = 20;  // listed for each severity, at least 1; all are counted
  Limits limits;
  std::vector<SeverityChoice> severities = {};  // each rule at most once
  std::vector<std::string> architectures = {};  // the only allowed ones; empty: all
  std::vector<TensorType> tensor_types = {};    // the only allowed ones; empty: all
  // The file is in a store of Ollama, so Ollama loads it. No policy file can set this.
  bool for_ollama = false;
  // The caller rehearses the file after this check. No policy file can set this.
  bool rehearsal_follows = false;
  // The contracts of the loaders that must run a file: none null, with different releases.
  // Empty: only the newest release that is compiled in. Only for profiles gate and llama.cpp.
  std::vector<std::shared_ptr<const ContractTable>> loaders = {};
  // Check() skips suppressions with a digest. A caller that knows the digest of the file must
  // resolve them first, with ForDigest().
  std::vector<Suppression> suppressions = {};
  std::string source = {};  // path of the policy file, for reports; hostile text; may be empty

  friend bool operator==(const Policy&, const Policy&) = default;
};

// PolicyFor returns the default policy of a profile. Profiles `llama.cpp` and `spec` lift our
// limits on work that neither the loader nor the specification has. Then only the size of the file
// limits the work. Profile `llama.cpp` keeps the limit on keys, because llama.cpp takes minutes for
// more. Limits on cheap checks stay; the profile's column gives their severity. Profile `diffusion`
// has the limits of `gate`.
[[nodiscard]] Policy PolicyFor(Profile profile);

}  // namespace ggufgate
