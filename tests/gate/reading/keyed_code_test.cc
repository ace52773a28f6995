#include "gate/reading/keyed_code.h"

#include <gtest/gtest.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>

#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "bytes/byte_order.h"

namespace ggufgate {
namespace {

std::vector<std::uint8_t> Raw(const std::array<std::uint64_t, 2>& numbers) {
  std::vector<std::uint8_t> raw(2 * sizeof(std::uint64_t));
  Store(numbers[0], ByteOrder::kLittle, raw);
  Store(numbers[1], ByteOrder::kLittle, MutableBytes(raw).subspan(sizeof(std::uint64_t)));
  return raw;
}

KeyedCode::Code CodeOf(const KeyedCode::Key& key, Bytes bytes) {
  KeyedCode code(key);
  code.Add(bytes);
  return code.Finish();
}

// OpenSsl computes the code with the library, which a test may load.
std::vector<std::uint8_t> OpenSsl(const KeyedCode::Key& key, Bytes bytes) {
  const std::unique_ptr<EVP_MAC, decltype(&EVP_MAC_free)> mac(
      EVP_MAC_fetch(nullptr, "SIPHASH", nullptr), &EVP_MAC_free);
  const std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)> context(
      EVP_MAC_CTX_new(mac.get()), &EVP_MAC_CTX_free);
  std::size_t size = sizeof(KeyedCode::Code);
  const OSSL_PARAM options[] = {OSSL_PARAM_construct_size_t(OSSL_MAC_PARAM_SIZE, &size),
                                OSSL_PARAM_construct_end()};
  const std::vector<std::uint8_t> raw_key = Raw(key);
  std::vector<std::uint8_t> code(size);
  EXPECT_EQ(EVP_MAC_init(context.get(), raw_key.data(), raw_key.size(), options), 1);
  EXPECT_EQ(EVP_MAC_update(context.get(), bytes.data(), bytes.size()), 1);
  EXPECT_EQ(EVP_MAC_final(context.get(), code.data(), &size, code.size()), 1);
  return code;
}

// vectors.h of the reference implementation (https://github.com/veorq/SipHash), vectors_sip128: the
// codes of no byte and of 0, 1, … 14 with the key 0, 1, … 15.
TEST(KeyedCode, IsThatOfTheReference) {
  constexpr KeyedCode::Key kKey = {0x0706050403020100U, 0x0F0E0D0C0B0A0908U};
  std::vector<std::uint8_t> text(15);
  std::iota(text.begin(), text.end(), std::uint8_t{0});
  EXPECT_EQ(CodeOf(kKey, {}), (KeyedCode::Code{0xe6a825ba047f81a3U, 0x930255c71472f66dU}));
  EXPECT_EQ(Raw(CodeOf(kKey, text)), OpenSsl(kKey, text));
}

TEST(KeyedCode, IsThatOfOpenSslForEveryLengthAndKey) {
  std::mt19937_64 random(1);
  for (std::size_t size = 0; size < 300; ++size) {
    const KeyedCode::Key key = {random(), random()};
    std::vector<std::uint8_t> text(size);
    for (std::uint8_t& byte : text) byte = static_cast<std::uint8_t>(random());
    ASSERT_EQ(Raw(CodeOf(key, text)), OpenSsl(key, text)) << size;
  }
}

TEST(KeyedCode, KnowsNoSeams) {
  constexpr KeyedCode::Key kKey = {1, 2};
  std::vector<std::uint8_t> text(100);
  std::iota(text.begin(), text.end(), std::uint8_t{0});
  const KeyedCode::Code whole = CodeOf(kKey, text);
  for (std::size_t first = 0; first <= text.size(); ++first) {
    for (std::size_t second = first; second <= text.size(); second += 7) {
      KeyedCode code(kKey);
      code.Add(Bytes(text).first(first));
      code.Add(Bytes(text).subspan(first, second - first));
      code.Add(Bytes(text).subspan(second));
      ASSERT_EQ(code.Finish(), whole) << first << " and " << second;
    }
  }
}

TEST(KeyedCode, ChangesWithEveryBitOfTextAndKey) {
  constexpr KeyedCode::Key kKey = {3, 4};
  std::vector<std::uint8_t> text(24);
  const KeyedCode::Code code = CodeOf(kKey, text);
  for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
    text[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    EXPECT_NE(CodeOf(kKey, text), code) << bit;
    text[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
  }
  for (std::size_t bit = 0; bit < 128; ++bit) {
    KeyedCode::Key other = kKey;
    other[bit / 64] ^= std::uint64_t{1} << bit % 64;
    EXPECT_NE(CodeOf(other, text), code) << bit;
  }
}

}  // namespace
}  // namespace ggufgate
