#include "gate/sha256.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bytes/memory_source.h"
#include "gate/digest.h"

namespace ggufgate {
namespace {

std::string Hex(Bytes bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += kDigits.at(byte >> 4);
    text += kDigits.at(byte & 15);
  }
  return text;
}

std::string PlainDigestOf(Bytes bytes, std::size_t step) {
  PlainSha256 digest;
  while (bytes.size() > step) {
    digest.Update(bytes.first(step));
    bytes = bytes.subspan(step);
  }
  digest.Update(bytes);
  return Hex(digest.Finish());
}

// Source: FIPS 180-4 examples, and the NIST long test of one million letters.
TEST(PlainSha256, GivesThePublishedDigests) {
  EXPECT_EQ(PlainDigestOf(AsBytes(""), 1),
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(PlainDigestOf(AsBytes("abc"), 64),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  const std::string letters(1'000'000, 'a');
  EXPECT_EQ(PlainDigestOf(AsBytes(letters), 1000),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Every length of the last block, so both ways of padding; however the bytes come.
TEST(PlainSha256, AgreesWithTheOther) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t size = 0; size < 300; ++size) {
    const MemorySource source(bytes);
    const auto expected = Sha256Of(source);
    ASSERT_TRUE(expected.ok());
    for (const std::size_t step : {1U, 7U, 63U, 64U, 65U, 300U}) {
      EXPECT_EQ(PlainDigestOf(bytes, step), *expected) << size << " by " << step;
    }
    bytes.push_back(static_cast<std::uint8_t>(size * 151 + 7));
  }
}

}  // namespace
}  // namespace ggufgate
