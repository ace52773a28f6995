#pragma once

// The second opinion: `src/witness`, which shares no line with the parser and the rules, reads the
// front of each file once more, in a process of its own, and nothing is accepted whose structure it
// does not find sound. A file that exploits the first reader must exploit the second as well,
// with the same bytes.

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

// SecondOpinion is which files are read once more.
enum class SecondOpinion : std::uint8_t {
  kNever,
  kSmall,   // those whose metadata end within kSmallFront bytes: that costs less than 5 ms
  kAlways,  // all whose metadata end within the policy's metadata_bytes
};
inline constexpr std::array<std::string_view, 3> kSecondOpinionWords = {"never", "small", "always"};
inline constexpr std::uint64_t kSmallFront = std::uint64_t{512} << 10;

// Opinion is what the witness says of a file.
struct Opinion {
  enum class Kind : std::uint8_t {
    kNone,    // it was not asked, or the metadata are too long for it
    kGiven,   // it has read them
    kFailed,  // the file could not be read
  };
  Kind kind = Kind::kNone;
  // When kGiven.
  std::uint32_t version = 0;
  std::uint64_t metadata_keys = 0;
  std::uint64_t tensors = 0;
  std::vector<RuleId> broken;  // rules that count as errors in the policy's profile, each once
};

// AskWitness has the witness read a file. What comes through standard input is read once only: of
// "-" there is no opinion.
[[nodiscard]] Opinion AskWitness(const std::string& path, SecondOpinion wanted,
                                 const Policy& policy);

// The same of another source of bytes.
[[nodiscard]] Opinion AskWitness(const ByteSource& source, SecondOpinion wanted,
                                 const Policy& policy);

// Contradiction says in what the two disagree about a file that the first accepts; OK when they
// agree or there is no second opinion. What the policy tones down, suppresses or allows by another
// limit is no disagreement.
[[nodiscard]] absl::Status Contradiction(const FileReport& report, const Opinion& opinion,
                                         const Policy& policy);

// An opinion as bytes, to cross a pipe. ReadOpinion believes nothing: nothing comes of bytes that
// are no opinion.
[[nodiscard]] std::vector<std::uint8_t> WriteOpinion(const Opinion& opinion);
[[nodiscard]] std::optional<Opinion> ReadOpinion(Bytes bytes);

}  // namespace ggufgate
