#include "tests/support/dequantized.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>

#include "bytes/byte_order.h"

namespace ggufgate::testing {
namespace {

std::uint32_t Canonical(float value) {
  return std::isnan(value) ? 0x7FC0'0000U : std::bit_cast<std::uint32_t>(value);
}

// Reader reads little-endian numbers from the front of a file.
class Reader {
 public:
  explicit Reader(Bytes rest) : rest_(rest) {}

  Bytes Take(std::size_t bytes) {
    const Bytes taken = rest_.first(bytes);
    rest_ = rest_.subspan(bytes);
    return taken;
  }
  template <typename T>
  T Number() {
    return Load<T>(Take(sizeof(T)), ByteOrder::kLittle);
  }
  [[nodiscard]] bool done() const { return rest_.empty(); }

 private:
  Bytes rest_;
};

Golden ReadGolden(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  Reader reader(AsBytes(text));
  if (AsText(reader.Take(4)) != "GGDQ") throw std::runtime_error("not golden: " + path.string());

  Golden golden;
  golden.type = FindTensorType(reader.Number<std::uint32_t>());
  const auto elements = reader.Number<std::uint32_t>();
  const auto bytes = reader.Number<std::uint32_t>();
  if (golden.type == nullptr || golden.type->block_elements != elements ||
      golden.type->block_bytes != bytes) {
    throw std::runtime_error("another block: " + path.string());
  }
  const std::size_t count = reader.Number<std::uint32_t>();
  golden.chunk_elements = std::size_t{reader.Number<std::uint32_t>()} * elements;
  golden.digests.resize(reader.Number<std::uint32_t>());
  golden.kept.resize(reader.Number<std::uint32_t>());
  const Bytes blocks = reader.Take(count * bytes);
  golden.blocks.assign(blocks.begin(), blocks.end());
  for (std::uint64_t& digest : golden.digests) digest = reader.Number<std::uint64_t>();
  for (Golden::Kept& kept : golden.kept) {
    kept.chunk = reader.Number<std::uint32_t>();
    const std::size_t begin = kept.chunk * golden.chunk_elements;
    kept.floats.resize(std::min(golden.chunk_elements, count * elements - begin));
    for (float& value : kept.floats) value = reader.Number<float>();
  }
  if (!reader.done()) throw std::runtime_error("more than golden: " + path.string());
  return golden;
}

}  // namespace

::testing::AssertionResult SameFloats(std::span<const float> actual,
                                      std::span<const float> expected) {
  if (actual.size() != expected.size()) {
    return ::testing::AssertionFailure() << actual.size() << " floats, not " << expected.size();
  }
  for (std::size_t i = 0; i < actual.size(); ++i) {
    if (Canonical(actual[i]) == Canonical(expected[i])) continue;
    return ::testing::AssertionFailure()
           << "element " << i << " is " << actual[i] << " (0x" << std::hex
           << std::bit_cast<std::uint32_t>(actual[i]) << "), not " << expected[i] << " (0x"
           << std::bit_cast<std::uint32_t>(expected[i]) << ")";
  }
  return ::testing::AssertionSuccess();
}

std::vector<std::uint8_t> RandomBlocks(const TensorTypeInfo& info, std::size_t count,
                                       std::uint64_t seed) {
  constexpr std::array<std::uint8_t, 6> kTelling = {0x00, 0x7C, 0x7F, 0x80, 0xFC, 0xFF};
  std::mt19937_64 random(seed);
  std::vector<std::uint8_t> blocks(count * info.block_bytes);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const std::uint64_t number = random();
    const bool telling = i / info.block_bytes % 4 == 3 && number % 8 != 0;
    blocks[i] = telling ? kTelling.at(number / 8 % kTelling.size())
                        : static_cast<std::uint8_t>(number >> 32);
  }
  return blocks;
}

std::vector<std::uint8_t> EdgeBlocks(const TensorTypeInfo& info) {
  std::vector<std::uint8_t> blocks;
  for (const unsigned fill : {0x00U, 0x5AU}) {
    std::vector<std::uint8_t> block(info.block_bytes, static_cast<std::uint8_t>(fill));
    for (std::size_t at = 0; at < info.block_bytes; ++at) {
      if (at >= 4 && at + 8 < info.block_bytes) continue;
      // Every third value, and 0x7C, the upper byte of infinite halves.
      for (unsigned value = 0; value < 256; value += value == 0x7B ? 1 : value == 0x7C ? 2 : 3) {
        block[at] = static_cast<std::uint8_t>(value);
        blocks.insert(blocks.end(), block.begin(), block.end());
      }
      block[at] = static_cast<std::uint8_t>(fill);
    }
  }
  return blocks;
}

std::vector<Golden> AllGolden() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry :
       std::filesystem::directory_iterator(GGUFGATE_SOURCE_DIR "/tests/dequantize/golden")) {
    if (entry.path().extension() == ".golden") paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  std::vector<Golden> all;
  for (const auto& path : paths) all.push_back(ReadGolden(path));
  return all;
}

std::uint64_t DigestOf(std::span<const float> floats) {
  std::uint64_t digest = 0xCBF2'9CE4'8422'2325;
  for (const float value : floats) digest = (digest ^ Canonical(value)) * 0x100'0000'01B3;
  return digest;
}

::testing::AssertionResult SameAsGolden(std::span<const float> actual, const Golden& golden) {
  for (const Golden::Kept& kept : golden.kept) {
    const auto same = SameFloats(
        actual.subspan(kept.chunk * golden.chunk_elements, kept.floats.size()), kept.floats);
    if (!same)
      return ::testing::AssertionFailure() << "chunk " << kept.chunk << ": " << same.message();
  }
  for (std::size_t chunk = 0; chunk < golden.digests.size(); ++chunk) {
    const std::size_t begin = chunk * golden.chunk_elements;
    const std::size_t size = std::min(golden.chunk_elements, actual.size() - begin);
    if (DigestOf(actual.subspan(begin, size)) == golden.digests[chunk]) continue;
    return ::testing::AssertionFailure() << "chunk " << chunk << " has another digest";
  }
  return ::testing::AssertionSuccess();
}

}  // namespace ggufgate::testing
