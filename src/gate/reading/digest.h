#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "bytes/byte_source.h"
#include "bytes/bytes.h"

namespace ggufgate {

// Sha256 computes the digest of bytes that arrive in pieces.
class Sha256 {
 public:
  // Begin returns an error if the library lacks SHA-256.
  [[nodiscard]] static absl::StatusOr<Sha256> Begin();

  [[nodiscard]] absl::Status Add(Bytes bytes);

  // Finish returns the digest in lower-case hexadecimal. No bytes may be added after it.
  [[nodiscard]] absl::StatusOr<std::string> Finish();

 private:
  struct Free {
    void operator()(void* context) const;
  };
  explicit Sha256(void* context) : context_(context) {}

  std::unique_ptr<void, Free> context_;  // a SHA256_CTX
};

// Number of bytes that a digest reads at a time.
inline constexpr std::uint64_t kDigestChunkBytes = std::uint64_t{1} << 20;

// Sha256Of returns the SHA-256 of all bytes of a source, in lower-case hexadecimal.
[[nodiscard]] absl::StatusOr<std::string> Sha256Of(const ByteSource& source);

}  // namespace ggufgate
