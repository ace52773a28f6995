#include "gate/sha256.h"

#include <algorithm>
#include <bit>
#include <span>

namespace ggufgate {
namespace {

// Source: FIPS 180-4, 4.2.2.
constexpr std::array<std::uint32_t, 64> kConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// Word is the big-endian number at byte 4 * i.
std::uint32_t Word(std::span<const std::uint8_t, 64> block, std::size_t i) {
  std::uint32_t word = 0;
  for (const std::uint8_t byte : block.subspan(4 * i, 4)) word = word << 8 | byte;
  return word;
}

void PutBigEndian(std::uint64_t number, MutableBytes out) {
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<std::uint8_t>(number >> (8 * (out.size() - 1 - i)) & 0xFF);
  }
}

}  // namespace

// Source: FIPS 180-4, 6.2.2; names as there.
void PlainSha256::Take(std::span<const std::uint8_t, kBlock> block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t t = 0; t < 16; ++t) w.at(t) = Word(block, t);
  for (std::size_t t = 16; t < 64; ++t) {
    const std::uint32_t x = w.at(t - 15);
    const std::uint32_t y = w.at(t - 2);
    const std::uint32_t s0 = std::rotr(x, 7) ^ std::rotr(x, 18) ^ x >> 3;
    const std::uint32_t s1 = std::rotr(y, 17) ^ std::rotr(y, 19) ^ y >> 10;
    w.at(t) = s1 + w.at(t - 7) + s0 + w.at(t - 16);
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t big1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + big1 + ((e & f) ^ (~e & g)) + kConstants.at(t) + w.at(t);
    const std::uint32_t big0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = big0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> more = {a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state_.at(i) += more.at(i);
}

void PlainSha256::Update(Bytes bytes) {
  bytes_ += bytes.size();
  while (!bytes.empty()) {
    const std::size_t size = std::min(bytes.size(), kBlock - rest_bytes_);
    std::ranges::copy(bytes.first(size), MutableBytes(rest_).subspan(rest_bytes_).begin());
    bytes = bytes.subspan(size);
    rest_bytes_ += size;
    if (rest_bytes_ < kBlock) return;
    Take(rest_);
    rest_bytes_ = 0;
  }
}

std::array<std::uint8_t, 32> PlainSha256::Finish() {
  constexpr std::array<std::uint8_t, kBlock> kPadding = {0x80};
  constexpr std::size_t kLengthBytes = 8;
  const std::uint64_t bits = bytes_ * 8;
  const std::size_t filled = rest_bytes_ + kLengthBytes;
  Update(Bytes(kPadding).first(filled < kBlock ? kBlock - filled : 2 * kBlock - filled));
  std::array<std::uint8_t, kLengthBytes> length{};
  PutBigEndian(bits, length);
  Update(length);
  std::array<std::uint8_t, 32> digest{};
  for (std::size_t i = 0; i < state_.size(); ++i) {
    PutBigEndian(state_.at(i), MutableBytes(digest).subspan(4 * i, 4));
  }
  return digest;
}

}  // namespace ggufgate
