#include "gate/reading/keyed_code.h"

#include <bit>

#include "bytes/byte_order.h"

namespace ggufgate {
namespace {

constexpr std::uint64_t kWordBytes = sizeof(std::uint64_t);
constexpr int kBitsOfAByte = 8;

// One SipRound: figure 2.1 of the paper.
void Round(std::array<std::uint64_t, 4>& v) {
  v[0] += v[1];
  v[2] += v[3];
  v[1] = std::rotl(v[1], 13) ^ v[0];
  v[3] = std::rotl(v[3], 16) ^ v[2];
  v[0] = std::rotl(v[0], 32);
  v[2] += v[1];
  v[0] += v[3];
  v[1] = std::rotl(v[1], 17) ^ v[2];
  v[3] = std::rotl(v[3], 21) ^ v[0];
  v[2] = std::rotl(v[2], 32);
}

std::uint64_t Last(std::array<std::uint64_t, 4>& v) {
  for (int round = 0; round < 4; ++round) Round(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

}  // namespace

// The four numbers spell "somepseudorandomlygeneratedbytes". 0xEE here, and 0xEE and 0xDD below,
// distinguish 128-bit codes from 64-bit codes.
KeyedCode::KeyedCode(const Key& key)
    : state_{key[0] ^ 0x736f6d6570736575U, key[1] ^ 0x646f72616e646f6dU ^ 0xEEU,
             key[0] ^ 0x6c7967656e657261U, key[1] ^ 0x7465646279746573U} {}

void KeyedCode::Take(State& state, std::uint64_t word) {
  state[3] ^= word;
  Round(state);
  Round(state);
  state[0] ^= word;
}

void KeyedCode::Add(Bytes bytes) {
  const auto hold = [&](std::uint8_t byte) {
    held_ |= std::uint64_t{byte} << (kBitsOfAByte * (size_ % kWordBytes));
    ++size_;
    if (size_ % kWordBytes != 0) return;
    Take(state_, held_);
    held_ = 0;
  };
  for (; size_ % kWordBytes != 0 && !bytes.empty(); bytes = bytes.subspan(1)) hold(bytes.front());
  State state = state_;  // in registers
  const std::uint64_t whole = bytes.size() - bytes.size() % kWordBytes;
  for (; bytes.size() >= kWordBytes; bytes = bytes.subspan(kWordBytes)) {
    Take(state, Load<std::uint64_t>(bytes, ByteOrder::kLittle));
  }
  state_ = state;
  size_ += whole;
  for (const std::uint8_t byte : bytes) hold(byte);
}

KeyedCode::Code KeyedCode::Finish() {
  constexpr int kLastByte = 56;
  Take(state_, held_ | size_ << kLastByte);
  state_[2] ^= 0xEEU;
  const std::uint64_t first = Last(state_);
  state_[1] ^= 0xDDU;
  return {first, Last(state_)};
}

}  // namespace ggufgate
