#include "cli/repair/copy_to.h"

#include <algorithm>
#include <vector>

#include "bytes/bytes.h"
#include "gate/reading/read_document.h"

namespace ggufgate {

absl::Status CopyTo(const ByteSource& source, std::ostream& out) {
  constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;
  std::vector<std::uint8_t> chunk(std::min(kChunk, source.size()));
  for (std::uint64_t at = 0; at < source.size() && out;) {
    const MutableBytes bytes =
        MutableBytes(chunk).first(std::min<std::uint64_t>(chunk.size(), source.size() - at));
    const ReadOutcome outcome = source.ReadAt(at, bytes);
    if (!outcome.complete()) return StatusOf(outcome);
    const std::string_view text = AsText(bytes);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    at += bytes.size();
  }
  return absl::OkStatus();
}

}  // namespace ggufgate
