#pragma once

// The second opinion. `src/witness`, which shares no code with the parser and the rules, parses the
// beginning of each file again in a separate process. A file is accepted only if the witness finds
// its structure valid, too. So a file that exploits the first parser must exploit the second one as
// well, with the same bytes.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "bytes/byte_source.h"
#include "bytes/bytes.h"
#include "check/policy.h"
#include "check/rule.h"
#include "gate/file_report.h"

namespace ggufgate {

// SecondOpinion tells which files get a second opinion.
enum class SecondOpinion : std::uint8_t {
  kNever,
  kSmall,   // files whose metadata end within kSmallFront bytes: costs less than 5 ms
  kAlways,  // all files whose metadata end within the policy's metadata_bytes
};
inline constexpr std::array<std::string_view, 3> kSecondOpinionWords = {"never", "small", "always"};
inline constexpr std::uint64_t kSmallFront = std::uint64_t{512} << 10;

// Opinion is the result of the witness for one file.
struct Opinion {
  enum class Kind : std::uint8_t {
    kNone,    // no opinion: not requested, or the metadata are too long
    kGiven,   // the witness parsed the file
    kFailed,  // the file could not be read
  };
  Kind kind = Kind::kNone;
  // For kGiven only.
  std::uint32_t version = 0;
  std::uint64_t metadata_keys = 0;
  std::uint64_t tensors = 0;
  std::vector<RuleId> broken;  // rules that are errors in the policy's profile, each once
};

// AskWitness has the witness parse a file. It returns no opinion about "-", because standard input
// can be read only once.
[[nodiscard]] Opinion AskWitness(const std::string& path, SecondOpinion wanted,
                                 const Policy& policy);

// AskWitness for another source of bytes.
[[nodiscard]] Opinion AskWitness(const ByteSource& source, SecondOpinion wanted,
                                 const Policy& policy);

// Contradiction describes how the two results differ for a file that the first parser accepts. It
// returns OK if they agree or if there is no second opinion. Rules that the policy demotes,
// suppresses or allows by another limit do not count as a difference.
[[nodiscard]] absl::Status Contradiction(const FileReport& report, const Opinion& opinion,
                                         const Policy& policy);

// WriteOpinion encodes an opinion for a pipe. ReadOpinion trusts nothing: it returns nullopt for an
// invalid encoding.
[[nodiscard]] std::vector<std::uint8_t> WriteOpinion(const Opinion& opinion);
[[nodiscard]] std::optional<Opinion> ReadOpinion(Bytes bytes);

}  // namespace ggufgate
