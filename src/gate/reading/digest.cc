#include "gate/reading/digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

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

void Sha256::Free::operator()(void* context) const {
  EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context));
}

absl::StatusOr<Sha256> Sha256::Begin() {
  // The library's configuration file has no say here, and a confined process could not read it.
  OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  Sha256 digest(EVP_MD_CTX_new());
  auto* const context = static_cast<EVP_MD_CTX*>(digest.context_.get());
  if (context == nullptr || EVP_DigestInit_ex(context, EVP_sha256(), nullptr) != 1) {
    return NotAvailable();
  }
  return digest;
}

absl::Status Sha256::Add(Bytes bytes) {
  auto* const context = static_cast<EVP_MD_CTX*>(context_.get());
  if (EVP_DigestUpdate(context, bytes.data(), bytes.size()) != 1) return NotAvailable();
  return absl::OkStatus();
}

absl::StatusOr<std::string> Sha256::Finish() {
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  auto* const context = static_cast<EVP_MD_CTX*>(context_.get());
  if (EVP_DigestFinal_ex(context, digest.data(), &size) != 1) return NotAvailable();
  const std::string_view raw = AsText(Bytes(digest).first(size));
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
