#include "gate/reading/digest.h"

// Uses OpenSSL's SHA-256 functions instead of its generic EVP functions. The latter link all
// algorithms into the program; their tables would make every start as slow as a check.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "gate/reading/read_document.h"

namespace ggufgate {
namespace {

absl::Status NotAvailable() { return absl::InternalError("SHA-256 is not available"); }

}  // namespace

void Sha256::Free::operator()(void* context) const { delete static_cast<SHA256_CTX*>(context); }

absl::StatusOr<Sha256> Sha256::Begin() {
  auto* const context = new SHA256_CTX{};
  Sha256 digest(context);
  if (SHA256_Init(context) != 1) return NotAvailable();
  return digest;
}

absl::Status Sha256::Add(Bytes bytes) {
  auto* const context = static_cast<SHA256_CTX*>(context_.get());
  if (SHA256_Update(context, bytes.data(), bytes.size()) != 1) return NotAvailable();
  return absl::OkStatus();
}

absl::StatusOr<std::string> Sha256::Finish() {
  std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest{};
  auto* const context = static_cast<SHA256_CTX*>(context_.get());
  if (SHA256_Final(digest.data(), context) != 1) return NotAvailable();
  const std::string_view raw = AsText(digest);
  return absl::BytesToHexString(absl::string_view(raw.data(), raw.size()));
}

absl::StatusOr<std::string> Sha256Of(const ByteSource& source) {
  absl::StatusOr<Sha256> digest = Sha256::Begin();
  if (!digest.ok()) return digest.status();
  std::vector<std::uint8_t> chunk(std::min(kDigestChunkBytes, source.size()));
  for (std::uint64_t offset = 0; offset < source.size(); offset += chunk.size()) {
    const MutableBytes bytes =
        MutableBytes(chunk).first(std::min<std::uint64_t>(chunk.size(), source.size() - offset));
    const ReadOutcome outcome = source.ReadAt(offset, bytes);
    if (!outcome.complete()) return StatusOf(outcome);
    if (absl::Status added = digest->Add(bytes); !added.ok()) return added;
  }
  return digest->Finish();
}

}  // namespace ggufgate
