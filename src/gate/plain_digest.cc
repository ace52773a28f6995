// Sha256Of without OpenSSL; digest.cc is the one with it. A build has one of them.

#include <algorithm>
#include <array>
#include <vector>

#include "absl/strings/escaping.h"
#include "gate/digest.h"
#include "gate/read_document.h"
#include "gate/sha256.h"

namespace ggufgate {

absl::StatusOr<std::string> Sha256Of(const ByteSource& source) {
  PlainSha256 digest;
  constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;
  std::vector<std::uint8_t> chunk(std::min(kChunk, source.size()));
  for (std::uint64_t offset = 0; offset < source.size(); offset += chunk.size()) {
    const MutableBytes bytes =
        MutableBytes(chunk).first(std::min<std::uint64_t>(chunk.size(), source.size() - offset));
    const ReadOutcome outcome = source.ReadAt(offset, bytes);
    if (!outcome.complete()) return StatusOf(outcome);
    digest.Update(bytes);
  }
  const std::array<std::uint8_t, 32> bytes = digest.Finish();
  const std::string_view raw = AsText(bytes);
  return absl::BytesToHexString(absl::string_view(raw.data(), raw.size()));
}

}  // namespace ggufgate
