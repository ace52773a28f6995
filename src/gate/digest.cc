#include "gate/digest.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "gate/read_document.h"

namespace ggufgate {

absl::StatusOr<std::string> Sha256Of(const ByteSource& source) {
  // The library's configuration file has no say here, and a confined process could not read it.
  OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr);
  const auto failed = [] { return absl::InternalError("SHA-256 is not available"); };
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  if (context == nullptr || EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) != 1) {
    return failed();
  }
  constexpr std::uint64_t kChunk = std::uint64_t{1} << 20;
  std::vector<std::uint8_t> chunk(std::min(kChunk, source.size()));
  for (std::uint64_t offset = 0; offset < source.size(); offset += chunk.size()) {
    const MutableBytes bytes =
        MutableBytes(chunk).first(std::min<std::uint64_t>(chunk.size(), source.size() - offset));
    const ReadOutcome outcome = source.ReadAt(offset, bytes);
    if (!outcome.complete()) return StatusOf(outcome);
    if (EVP_DigestUpdate(context.get(), bytes.data(), bytes.size()) != 1) return failed();
  }
  std::array<std::uint8_t, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_DigestFinal_ex(context.get(), digest.data(), &size) != 1) return failed();
  const std::string_view raw = AsText(Bytes(digest).first(size));
  return absl::BytesToHexString(absl::string_view(raw.data(), raw.size()));
}

}  // namespace ggufgate
