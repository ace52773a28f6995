// Which rows are finite: compares ScanScalar and the fast scan with ggml_validate_row_data, on
// random rows.
//
// Differences by design:
//   F64   a double above the range of a float is finite; the library converts it to a float first
//   Q8_1  the library refuses the type for all bytes, so the test skips it
// NVFP4 has no scale that is not finite, and the library checks nothing: they agree. Reserved
// encodings are a rule that only the gate has. Removed types are skipped, because the library
// crashes on them.

#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <random>

#include "tests/scan/scan_cases.h"
#include "tests/support/reference/library.h"

namespace ggufgate::testing {
namespace {

using Data = ReferenceTest;
using ValidateRow = bool(int, const void*, std::size_t);

constexpr int kRows = 10'000;  // per type

ValidateRow* Validator() {
  void* library =
      ::dlopen(GGUFGATE_REFERENCE_DIR "/package/bins/linux-x64/libggml-base.so", RTLD_NOW);
  if (library == nullptr) return nullptr;
  return reinterpret_cast<ValidateRow*>(::dlsym(library, "ggml_validate_row_data"));
}

// Silence discards standard error while it lives, because the library reports every fault there.
class Silence {
 public:
  Silence() : kept_(::dup(STDERR_FILENO)) {
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    ::dup2(nowhere, STDERR_FILENO);
    ::close(nowhere);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
  ~Silence() {
    ::dup2(kept_, STDERR_FILENO);
    ::close(kept_);
  }

 private:
  int kept_;
};

// Mutate makes some bytes of some fields likely to be an exponent of all ones, or nearly so.
void Mutate(const TensorTypeInfo& type, BlockBytes& row, std::mt19937_64& random) {
  constexpr std::array<std::uint8_t, 8> kLoud = {0x7C, 0xFC, 0x7F, 0xFF, 0x80, 0x7B, 0xF0, 0xC0};
  for (std::uint64_t times = random() % 3; times > 0; --times) {
    const std::size_t block = random() % (row.size() / type.block_bytes) * type.block_bytes;
    for (const BlockField& field : FieldsOf(type.type)) {
      if (field.role == FieldRole::kCode) continue;
      const std::size_t size = FieldBytes(field.kind);
      for (std::size_t i = 0; i < size; ++i) {
        row.at(block + field.offset + i) = kLoud.at(random() % kLoud.size());
      }
    }
  }
}

// AboveFloats tells whether a row has doubles that only the library treats as infinite.
bool AboveFloats(const TensorTypeInfo& type, const BlockBytes& row) {
  if (type.type != TensorType::kF64) return false;
  for (std::size_t at = 0; at < row.size(); at += 8) {
    if (std::abs(Load<double>(Bytes(row).subspan(at), ByteOrder::kLittle)) >= 0x1.ffffffp127) {
      return true;
    }
  }
  return false;
}

TEST_F(Data, RandomRowsAreFiniteToBoth) {
  ValidateRow* const validate = Validator();
  ASSERT_NE(validate, nullptr);
  const Silence silence;
  std::mt19937_64 random(35);
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    if (type.type == TensorType::kQ8_1) continue;
    int valid_rows = 0;
    for (int i = 0; i < kRows; ++i) {
      BlockBytes row = Quiet(type.type, 1 + random() % 5, random);
      Mutate(type, row, random);
      DataTally scalar;
      ScanScalar({.type = &type, .depth = Depth::kScales}, row, scalar);
      DataTally fast;
      BlockScanner(type, ByteOrder::kLittle, Depth::kScales).Scan(row, 0, fast);
      ASSERT_EQ(scalar.counts, fast.counts) << type.name;
      const bool valid = validate(static_cast<int>(type.type), row.data(), row.size());
      valid_rows += valid ? 1 : 0;
      if (AboveFloats(type, row)) {
        ASSERT_FALSE(valid) << type.name;
      } else {
        ASSERT_EQ(scalar.Clean(), valid) << type.name << ", row " << i;
      }
    }
    EXPECT_GT(valid_rows, kRows / 20) << type.name;
  }
}

}  // namespace
}  // namespace ggufgate::testing
