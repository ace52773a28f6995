#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/severity.h"
#include "format/limits.h"
#include "format/tensors/tensor_type.h"

namespace ggufgate {

enum class RuleId : std::uint16_t;  // check/finding.h

// Profile chooses a column of severities in rules.def.
enum class Profile : std::uint8_t {
  kGate,       // everything that is malformed, dangerous or would not load
  kLlamaCpp,   // what llama.cpp v0.5.0 loads soundly: nothing stricter
  kSpec,       // the published specification to the letter
  kDiffusion,  // what loaders of image and video models read: stable-diffusion.cpp
};
inline constexpr std::size_t kProfileCount = 4;
inline constexpr std::array<std::string_view, kProfileCount> kProfileWords = {"gate", "llama.cpp",
                                                                              "spec", "diffusion"};

// TargetOrder is the byte order of the machines that will load the file.
enum class TargetOrder : std::uint8_t { kLittle, kBig, kAny };
inline constexpr std::array<std::string_view, 3> kTargetOrderWords = {"little", "big", "any"};

// DataScan is how much of the tensor data is read and judged.
enum class DataScan : std::uint8_t {
  kNone,    // no data: header, metadata and directory only
  kScales,  // scales and minimums of quantised blocks, and float tensors of one dimension
  kFull,    // every value, reserved encodings, and tensors of zeros
};
inline constexpr std::array<std::string_view, 3> kDataScanWords = {"none", "scales", "full"};

// A finding takes 3 KiB at most: it has four texts of Subject::kLongestText bytes, and a reason. So
// those of one rule and severity take 3 MiB at most, however many there are.
inline constexpr std::size_t kMostFindingsPerRule = 1'000;

// SeverityChoice gives one rule another severity than its column of the profile does.
struct SeverityChoice {
  RuleId rule{};
  Severity severity = Severity::kError;

  friend bool operator==(const SeverityChoice&, const SeverityChoice&) = default;
};

// Suppression names findings that are accepted exceptions.
struct Suppression {
  RuleId rule{};
  std::string reason;       // for every report that shows such a finding; never empty
  std::string sha256 = {};  // lower-case hexadecimal; not empty: only in the file of this digest
  std::string path = {};    // not empty: only where PathMatches(), see suppression.h

  friend bool operator==(const Suppression&, const Suppression&) = default;
};

// Policy is what a platform decides: which profile, which bounds, what rejects.
struct Policy {
  Profile profile = Profile::kGate;
  TargetOrder target = TargetOrder::kLittle;
  Severity fail_on = Severity::kError;  // findings at or above it reject
  DataScan data = DataScan::kNone;
  std::size_t findings_per_rule = 20;  // kept of each severity, at least 1; all are counted
  Limits limits;
  std::vector<SeverityChoice> severities = {};  // each rule at most once
  std::vector<std::string> architectures = {};  // the only ones allowed; empty: all are
  std::vector<TensorType> tensor_types = {};    // the only ones allowed; empty: all are
  bool for_ollama = false;  // the file is in a store of Ollama, which loads it: no policy file's
  // Check() passes over those that name a digest: whoever knows the file's resolves them first,
  // with ForDigest().
  std::vector<Suppression> suppressions = {};
  std::string source = {};  // the file it was read from, for reports; hostile text, empty: none

  friend bool operator==(const Policy&, const Policy&) = default;
};

// PolicyFor gives the policy of a profile without further wishes. Profiles `llama.cpp` and `spec`
// lift the limits on work that neither the loader nor the specification knows; what still bounds
// it is the size of the file itself. The number of keys stays limited under `llama.cpp`, which
// takes minutes for more. Limits that cost no work stay: what they mean there is said
// in the column of the profile. Profile `diffusion` has the limits of `gate`.
[[nodiscard]] Policy PolicyFor(Profile profile);

}  // namespace ggufgate
