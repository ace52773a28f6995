#include "dequantize/blocks/codebooks.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "bytes/memory_source.h"
#include "gate/reading/digest.h"

namespace ggufgate {
namespace {

// Sha256Of returns the SHA-256 of a table, entry after entry, one byte per element.
template <typename Entry, std::size_t kCount>
std::string Sha256Of(const std::array<Entry, kCount>& table) {
  std::vector<std::uint8_t> bytes;
  for (const Entry& entry : table) {
    if constexpr (sizeof(Entry) == 1) {
      bytes.push_back(static_cast<std::uint8_t>(entry));
    } else {
      for (const std::int8_t element : entry) bytes.push_back(static_cast<std::uint8_t>(element));
    }
  }
  return Sha256Of(MemorySource(bytes)).value();
}

// The digests are of the tables of ggml d99724f2, src/ggml-common.h, unpacked to bytes.
TEST(Codebooks, AreThoseOfTheReference) {
  EXPECT_EQ(Sha256Of(kIq2XxsGrid),
            "05826b5d3e472a3a78f196be62ac78acf81df0f909626e12ab9fa2a5d490dd54");
  EXPECT_EQ(Sha256Of(kIq2XsGrid),
            "06e47aaca60b4dc1d9b5a3f34540437058a6b142b4d7a59d5ded769b4d1bf1de");
  EXPECT_EQ(Sha256Of(kIq2SGrid),
            "e1aa1473412b0552c2174c30ef22ab4073f6a181b85a17056e8249bd2932fd88");
  EXPECT_EQ(Sha256Of(kIq3XxsGrid),
            "46e35f5a997efdee6c99ce57854c8a0d4f0ff8ca57e5e8a60c0793ea580acf5d");
  EXPECT_EQ(Sha256Of(kIq3SGrid),
            "bd1af4945a1717c65610b0284e4628b9a1ba3b306fae3a06f6e5f597356e349f");
  EXPECT_EQ(Sha256Of(kIq1SGrid),
            "07540ffc1aeaf6ad4d97e96b0fcc765aae39671d4ae4a27bbd0e796fde167c6a");
  EXPECT_EQ(Sha256Of(kIq4Levels),
            "61aa47540aa024b5d6ddaa839b84ffe59f3d5a349af5c6c7ffcb5e0474b46163");
  EXPECT_EQ(Sha256Of(kFp4Levels),
            "adf76b672d47eb7fc0afd4db132d548d59d3190aa0ad118fdbf569d5fd478f97");
}

TEST(Codebooks, SignsAreThoseOfTheReference) {
  std::array<std::uint8_t, 128> signs{};
  for (unsigned i = 0; i < signs.size(); ++i) signs.at(i) = static_cast<std::uint8_t>(EvenSigns(i));
  EXPECT_EQ(Sha256Of(signs), "a76742a603f8beca5212ecce0f1f02f11a4887fd2f7c8b15aca0ea3eb3380c31");
  for (const unsigned byte : signs) EXPECT_EQ(std::popcount(byte) % 2, 0);
}

TEST(E8M0Half, IsAPowerOfTwoForEveryByte) {
  for (int byte = 0; byte < 256; ++byte) {
    EXPECT_EQ(E8M0Half(static_cast<std::uint8_t>(byte)), std::ldexp(1.0F, byte - 128)) << byte;
  }
}

TEST(UE4M3Halves, FollowTheFormat) {
  for (int byte = 0; byte < 256; ++byte) {
    const int exponent = byte >> 3 & 15;
    const int mantissa = byte & 7;
    const float value = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -10)
                                      : std::ldexp(static_cast<float>(8 + mantissa), exponent - 11);
    const float expected = byte == 0x7F ? 0.0F : value;
    EXPECT_EQ(std::bit_cast<std::uint32_t>(kUe4M3Halves.at(static_cast<std::size_t>(byte))),
              std::bit_cast<std::uint32_t>(expected))
        << byte;
  }
  EXPECT_EQ(kUe4M3Halves.at(0xFF), 240.0F);
}

}  // namespace
}  // namespace ggufgate
