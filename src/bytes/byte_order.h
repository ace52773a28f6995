#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>

#include "bytes/bytes.h"

namespace ggufgate {

// ByteOrder is the byte order of the numbers in a file. GGUF does not record it. FORMAT: the
// version of a big-endian file of version 3 is 00 00 00 03.
enum class ByteOrder : std::uint8_t { kLittle, kBig };

template <typename T>
concept Scalar = std::integral<T> || std::floating_point<T>;

namespace internal {

template <std::size_t kSize>
struct UnsignedOfSize;
template <>
struct UnsignedOfSize<1> {
  using Type = std::uint8_t;
};
template <>
struct UnsignedOfSize<2> {
  using Type = std::uint16_t;
};
template <>
struct UnsignedOfSize<4> {
  using Type = std::uint32_t;
};
template <>
struct UnsignedOfSize<8> {
  using Type = std::uint64_t;
};

constexpr std::uint8_t SwapBytes(std::uint8_t value) { return value; }
constexpr std::uint16_t SwapBytes(std::uint16_t value) { return __builtin_bswap16(value); }
constexpr std::uint32_t SwapBytes(std::uint32_t value) { return __builtin_bswap32(value); }
constexpr std::uint64_t SwapBytes(std::uint64_t value) { return __builtin_bswap64(value); }

inline constexpr bool kHostIsLittle = std::endian::native == std::endian::little;

}  // namespace internal

// Load reads one number from the first sizeof(T) bytes of `bytes`, which must be long enough.
template <Scalar T>
[[nodiscard]] T Load(Bytes bytes, ByteOrder order) {
  typename internal::UnsignedOfSize<sizeof(T)>::Type raw{};
  std::memcpy(&raw, bytes.first(sizeof(T)).data(), sizeof(T));
  if ((order == ByteOrder::kLittle) != internal::kHostIsLittle) raw = internal::SwapBytes(raw);
  return std::bit_cast<T>(raw);
}

// Store writes one number to the first sizeof(T) bytes of `out`, which must be long enough.
template <Scalar T>
void Store(T value, ByteOrder order, MutableBytes out) {
  auto raw = std::bit_cast<typename internal::UnsignedOfSize<sizeof(T)>::Type>(value);
  if ((order == ByteOrder::kLittle) != internal::kHostIsLittle) raw = internal::SwapBytes(raw);
  std::memcpy(out.first(sizeof(T)).data(), &raw, sizeof(T));
}

}  // namespace ggufgate
