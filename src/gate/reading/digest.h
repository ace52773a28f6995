#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "bytes/byte_source.h"
#include "bytes/bytes.h"

namespace ggufgate {

// Sha256 makes the digest of bytes that come piece by piece.
class Sha256 {
 public:
  // An error when the library has no SHA-256.
  [[nodiscard]] static absl::StatusOr<Sha256> Begin();

  [[nodiscard]] absl::Status Add(Bytes bytes);

  // Finish is the digest in lower-case hexadecimal. Nothing may be added after it.
  [[nodiscard]] absl::StatusOr<std::string> Finish();

 private:
  struct Free {
    void operator()(void* context) const;
  };
  explicit Sha256(void* context) : context_(context) {}

  std::unique_ptr<void, Free> context_;  // a SHA256_CTX
};

// What a digest reads at once.
inline constexpr std::uint64_t kDigestChunkBytes = std::uint64_t{1} << 20;

// Sha256Of is the SHA-256 of all bytes of a source, in lower-case hexadecimal.
[[nodiscard]] absl::StatusOr<std::string> Sha256Of(const ByteSource& source);

}  // namespace ggufgate
