#include "gate/reading/digest.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>

#include "bytes/memory_source.h"

namespace ggufgate {
namespace {

std::string DigestOf(std::string_view text) {
  const MemorySource source(AsBytes(text));
  const auto digest = Sha256Of(source);
  return digest.ok() ? *digest : std::string(digest.status().message());
}

// FailingSource has a size, but fails to read bytes from some offset on.
class FailingSource final : public ByteSource {
 public:
  FailingSource(std::uint64_t size, std::uint64_t good, ReadOutcome outcome)
      : size_(size), good_(good), outcome_(outcome) {}
  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override {
    return offset + out.size() <= good_ ? ReadOutcome{} : outcome_;
  }

 private:
  std::uint64_t size_, good_;
  ReadOutcome outcome_;
};

// Source: FIPS 180-4 examples, and the NIST long test of one million letters.
TEST(Sha256Of, GivesThePublishedDigests) {
  EXPECT_EQ(DigestOf(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(DigestOf("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(DigestOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(DigestOf(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Of, JoinsTheChunksItReads) {
  // Computed with sha256sum: zeros, around the chunk size of 1 MiB.
  EXPECT_EQ(DigestOf(std::string((1 << 20) - 1, '\0')),
            "ca7ed0c4a8e67cbdc461c4cb0d286d2fabbd9f0c41a7f42b665f72ebaa8aec56");
  EXPECT_EQ(DigestOf(std::string(1 << 20, '\0')),
            "30e14955ebf1352266dc2ff8067e68104607e750abb9d3b36582b8af909fcb58");
  EXPECT_EQ(DigestOf(std::string((1 << 20) + 1, '\0')),
            "2cb74edba754a81d121c9db6833704a8e7d417e5b13d1a19f4a52f007d644264");
}

TEST(Sha256Of, FailsWhenTheSourceDoes) {
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  const FailingSource shrunk(3 * kMiB, kMiB, {.kind = ReadOutcome::Kind::kShrunk});
  EXPECT_EQ(Sha256Of(shrunk).status().message(), "the file became shorter while it was read");
  const FailingSource failed(1, 0, {.kind = ReadOutcome::Kind::kFailed, .error_number = EIO});
  EXPECT_EQ(Sha256Of(failed).status().message(), "cannot read: Input/output error");
}

}  // namespace
}  // namespace ggufgate
