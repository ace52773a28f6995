// replay_golden FOLDER: decodes every golden block, in both byte orders and element by element,
// with the checks of golden_test. Then the scalar code and the kernels of every instruction set
// decode these, and blocks of the types without golden blocks; all results must be equal.
//
// It does not use GoogleTest, and uses only the core of the library, so that the same program runs
// under MemorySanitizer, which would detect a digest of uninitialized floats. The exit code is 1 if
// a digest differs, or if there is no file. tests/dequantize/golden/README.md describes the format.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/byte_order.h"
#include "dequantize/blocks/scalar.h"
#include "dequantize/dequantize.h"
#include "dequantize/swap_numbers.h"
#if GGUFGATE_WITH_HIGHWAY
#include "dequantize/blocks/simd.h"
#endif

namespace ggufgate {
namespace {

std::vector<std::uint8_t> Content(const std::string& path) {
  std::vector<std::uint8_t> content;
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return content;
  std::uint8_t some[4096];
  for (std::size_t got = 1; got > 0;) {
    got = std::fread(some, 1, sizeof(some), file);
    content.insert(content.end(), some, some + got);
  }
  std::fclose(file);
  return content;
}

std::uint64_t DigestOf(std::span<const float> floats) {
  std::uint64_t digest = 0xCBF2'9CE4'8422'2325;
  for (const float value : floats) {
    const std::uint32_t bits = value != value ? 0x7FC0'0000U : std::bit_cast<std::uint32_t>(value);
    digest = (digest ^ bits) * 0x100'0000'01B3;
  }
  return digest;
}

// Decoder is the scalar code of a type and its kernel.
struct Decoder {
  const TensorTypeInfo& info;
  void (*scalar)(Bytes, std::span<float>);
#if GGUFGATE_WITH_HIGHWAY
  void (*simd)(Bytes, std::span<float>);
#endif

  [[nodiscard]] std::vector<float> Decode(void (*decode)(Bytes, std::span<float>),
                                          Bytes blocks) const {
    std::vector<float> out(blocks.size() / info.block_bytes * info.block_elements);
    decode(blocks, out);
    return out;
  }

  // Agrees tells whether every instruction set gives the results of the scalar code.
  [[nodiscard]] bool Agrees(Bytes blocks) const {
    const std::uint64_t expected = DigestOf(Decode(scalar, blocks));
    std::vector<float> out(blocks.size() / info.block_bytes * info.block_elements);
    if (Dequantize(info.type, blocks, out) != Dequantized::kDone) return false;
    bool agree = DigestOf(out) == expected;
#if GGUFGATE_WITH_HIGHWAY
    for (const std::int64_t target : simd::Targets()) {
      simd::UseTarget(target);
      agree = agree && DigestOf(Decode(simd, blocks)) == expected;
    }
    simd::UseTarget(0);
#endif
    return agree;
  }
};

std::vector<Decoder> AllDecoders() {
  std::vector<Decoder> all;
  for (const TensorTypeInfo& info : AllTensorTypes()) {
    switch (info.type) {
#if GGUFGATE_WITH_HIGHWAY
#define GGUFGATE_TENSOR_TYPE(name, id, elements, bytes, quantised)     \
  case TensorType::k##name:                                            \
    all.push_back({info, &scalar::Decode##name, &simd::Decode##name}); \
    break;
#else
#define GGUFGATE_TENSOR_TYPE(name, id, elements, bytes, quantised) \
  case TensorType::k##name:                                        \
    all.push_back({info, &scalar::Decode##name});                  \
    break;
#endif
#include "format/tensors/tensor_types.def"
#undef GGUFGATE_TENSOR_TYPE
    }
  }
  return all;
}

// ScatteredBlocks have bytes of every value, the same each time. 61 blocks do not fill the
// registers evenly.
std::vector<std::uint8_t> ScatteredBlocks(const TensorTypeInfo& info) {
  std::vector<std::uint8_t> blocks(std::size_t{61} * info.block_bytes);
  std::uint64_t state = info.block_bytes;
  for (std::uint8_t& byte : blocks) {
    state = state * 0x5851'F42D'4C95'7F2D + 1;
    byte = static_cast<std::uint8_t>(state >> 56);
  }
  return blocks;
}

// Replay is the replay of one type.
struct Replay {
  const TensorTypeInfo& info;
  Bytes blocks;
  Bytes digests;
  std::size_t chunk_elements;

  [[nodiscard]] bool Matches(std::span<const float> out) const {
    for (std::size_t chunk = 0; 8 * chunk < digests.size(); ++chunk) {
      const std::size_t begin = chunk * chunk_elements;
      const std::size_t size = std::min(chunk_elements, out.size() - begin);
      const auto expected = Load<std::uint64_t>(digests.subspan(8 * chunk), ByteOrder::kLittle);
      if (DigestOf(out.subspan(begin, size)) != expected) return false;
    }
    return true;
  }

  [[nodiscard]] bool Holds() const {
    std::vector<float> out(blocks.size() / info.block_bytes * info.block_elements);
    if (Dequantize(info.type, blocks, out) != Dequantized::kDone || !Matches(out)) return false;

    std::vector<std::uint8_t> turned(blocks.begin(), blocks.end());
    SwapNumbers(info, turned);
    std::vector<float> again(out.size());
    if (Dequantize(info.type, turned, again, ByteOrder::kBig) != Dequantized::kDone) return false;
    if (!Matches(again)) return false;

    for (std::size_t i = 0; i < out.size(); ++i) {
      const auto one = DequantizeElement(info.type, blocks, i);
      if (!one || DigestOf(std::span(&*one, 1)) != DigestOf(std::span(out).subspan(i, 1))) {
        return false;
      }
    }
    return true;
  }
};

bool ReplayFile(const Decoder& decoder, Bytes file) {
  constexpr std::size_t kHead = 32;
  const TensorTypeInfo& info = decoder.info;
  const auto field = [&](std::size_t i) -> std::size_t {
    return Load<std::uint32_t>(file.subspan(4 * i), ByteOrder::kLittle);
  };
  const Bytes blocks = file.subspan(kHead, field(4) * info.block_bytes);
  const Replay replay{.info = info,
                      .blocks = blocks,
                      .digests = file.subspan(kHead + blocks.size(), 8 * field(6)),
                      .chunk_elements = field(5) * info.block_elements};
  return replay.Holds() && decoder.Agrees(blocks);
}

int ReplayFolder(const std::string& folder) {
  int files = 0;
  int violations = 0;
  for (const Decoder& decoder : AllDecoders()) {
    std::string name(decoder.info.name);
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    bool holds = decoder.Agrees(ScatteredBlocks(decoder.info));
    const std::vector<std::uint8_t> file = Content(folder + "/" + name + ".golden");
    if (!file.empty()) {
      ++files;
      holds = ReplayFile(decoder, file) && holds;
    }
    if (holds) continue;
    ++violations;
    std::printf("VIOLATED %s\n", name.c_str());
  }
  std::printf("%d types, %d violations; the scalar code", files, violations);
#if GGUFGATE_WITH_HIGHWAY
  for (const std::int64_t target : simd::Targets()) {
    const std::string_view name = simd::TargetName(target);
    std::printf(", %.*s", static_cast<int>(name.size()), name.data());
  }
#endif
  std::printf("\n");
  return files > 0 && violations == 0 ? 0 : 1;
}

}  // namespace
}  // namespace ggufgate

int main(int argc, char** argv) {
  if (argc == 2) return ggufgate::ReplayFolder(argv[1]);
  std::fputs("usage: replay_golden FOLDER\n", stderr);
  return 2;
}
