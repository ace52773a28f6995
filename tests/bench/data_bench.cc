// The speed of scanning tensor data, compared with reading them and with the reference's
// ggml_validate_row_data. See docs/benchmarks.md.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bytes/aligned_bytes.h"
#include "bytes/file_source.h"
#include "check/check.h"
#include "check/data_scan.h"
#include "parse/extent.h"
#include "parse/model.h"
#include "parse/parse.h"
#include "scan/scan.h"
#include "tests/bench/bench_support.h"

namespace ggufgate::bench {
namespace {

constexpr std::uint64_t kDataBytes = std::uint64_t{64} << 20;

// Clean fills blocks with random bytes and removes faults: it clears an upper bit of every
// exponent, and all reserved encodings.
void Clean(const TensorTypeInfo& type, MutableBytes bytes) {
  std::mt19937_64 random(type.block_bytes);
  for (std::size_t i = 0; i + 8 <= bytes.size(); i += 8) {
    Store(random(), ByteOrder::kLittle, bytes.subspan(i));
  }
  for (std::size_t block = 0; block < bytes.size(); block += type.block_bytes) {
    for (const BlockField& field : FieldsOf(type.type)) {
      for (std::size_t i = 0; i < field.count; ++i) {
        const std::size_t size = FieldBytes(field.kind);
        const MutableBytes at = bytes.subspan(block + field.offset + i * size, size);
        if (field.kind == FieldKind::kQ8Code) {
          if (at.front() == 0x80) at.front() = 0x81;
        } else if (field.kind == FieldKind::kTernaryCodes) {
          at.front() &= static_cast<std::uint8_t>(~(at.front() >> 1 & 0x55));
        } else if (field.kind == FieldKind::kUE4M3 || field.kind == FieldKind::kE8M0) {
          at.front() &= 0x7E;
        } else {
          at.back() &= 0xBF;
        }
      }
    }
  }
}

// SpoilBlock puts a fault into each field, or a value that looks like one until the codes are read.
void SpoilBlock(const TensorTypeInfo& type, MutableBytes block) {
  for (const BlockField& field : FieldsOf(type.type)) {
    const std::size_t size = FieldBytes(field.kind);
    for (std::size_t i = 0; i < field.count; ++i) {
      const MutableBytes at = block.subspan(field.offset + i * size, size);
      if (field.kind == FieldKind::kQ8Code) {
        at.front() = 0x80;
      } else if (field.kind == FieldKind::kE8M0) {
        at.front() = 0xFD;
      } else if (field.kind == FieldKind::kQ8KScale) {
        at.back() = 0x79;
      } else {
        std::ranges::fill(at, std::uint8_t{0xFF});
      }
    }
  }
}

// Spoilt tells how much of a file is faulty: nothing, a block in each stretch of the scan, each
// block.
enum class Spoilt { kClean, kSparse, kDense };

void Spoil(const TensorTypeInfo& type, Spoilt spoilt, MutableBytes bytes) {
  constexpr std::size_t kApart = 16 * 1024;
  if (spoilt == Spoilt::kClean) return;
  const std::size_t step =
      spoilt == Spoilt::kDense ? type.block_bytes : kApart / type.block_bytes * type.block_bytes;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    SpoilBlock(type, bytes.subspan(at, type.block_bytes));
  }
}

// OneTensor returns a file with one tensor of about kDataBytes.
std::vector<std::uint8_t> OneTensor(const TensorTypeInfo& type, Spoilt spoilt) {
  const std::uint64_t row = 4096;
  const std::uint64_t row_bytes = row / type.block_elements * type.block_bytes;
  Model model;
  model.Set("general.architecture", "test");
  model.Set("general.quantization_version", std::uint32_t{2});
  model.Add("weight", type.type, {row, kDataBytes / row_bytes});
  Clean(type, model.tensors.front().data);
  Spoil(type, spoilt, model.tensors.front().data);
  return Write(model);
}

// Subject is the file of one type, opened and parsed.
struct Subject {
  Subject(const TensorTypeInfo& type_in, Spoilt spoilt_in)
      : type(type_in),
        spoilt(spoilt_in),
        bytes(OneTensor(type, spoilt)),
        file(bytes, bytes.size()) {
    descriptor = ::open(file.path().c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) Die("open");
    source = std::make_unique<FileSource>(descriptor, bytes.size());
    bytes.resize(1024);  // the document has views of these
    document = Parse(bytes, source->size(), {}).document;
    data = *DataRange(document, document.tensors.front(), ExtentsOf(document).front());
  }
  ~Subject() { ::close(descriptor); }

  const TensorTypeInfo& type;
  Spoilt spoilt;
  std::vector<std::uint8_t> bytes;
  TemporaryFile file;
  int descriptor = -1;
  std::unique_ptr<FileSource> source;
  Document document;
  ByteRange data;
};

using ValidateRow = bool(int, const void*, std::size_t);

ValidateRow* ReferenceValidator() {
  void* library =
      ::dlopen(GGUFGATE_SOURCE_DIR "/build/reference/package/bins/linux-x64/libggml-base.so",
               RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  return reinterpret_cast<ValidateRow*>(::dlsym(library, "ggml_validate_row_data"));
}

// ReadAll reads the data in the same chunks as the scan, and passes each to `look`.
template <typename Look>
bool ReadAll(const Subject& subject, Look look) {
  const BlockScanner scanner(subject.type, ByteOrder::kLittle, Depth::kFull);
  const std::uint64_t chunk = kScanChunkBytes / scanner.granule() * scanner.granule();
  static AlignedBytes buffer(kScanChunkBytes);
  for (std::uint64_t at = 0; at < subject.data.size; at += chunk) {
    const MutableBytes bytes = buffer.bytes().first(std::min(chunk, subject.data.size - at));
    if (!subject.source->ReadAt(subject.data.begin + at, bytes).complete()) return false;
    if (!look(Bytes(bytes))) return false;
  }
  return true;
}

void RunRead(benchmark::State& state, const Subject* subject) {
  for (auto iteration : state) {
    const bool read = ReadAll(*subject, [](Bytes bytes) {
      benchmark::DoNotOptimize(bytes.data());
      return true;
    });
    if (!read) state.SkipWithError("cannot read");
  }
}

void RunScan(benchmark::State& state, const Subject* subject, DataScan scan) {
  Policy policy;
  policy.data = scan;
  // This rule is about the type, not about the data: it always reports Q8_1.
  policy.severities = {{.rule = RuleId::kTensorTypeDisputed, .severity = Severity::kOff}};
  for (auto iteration : state) {
    const CheckResult result = Check(subject->document, *subject->source, policy);
    const bool clean = result.Worst() == Severity::kOff;
    if ((!clean && subject->spoilt == Spoilt::kClean) || !result.io.complete()) {
      state.SkipWithError("the file is not clean");
    }
  }
}

void RunValidator(benchmark::State& state, const Subject* subject, ValidateRow* validate) {
  const int type = static_cast<int>(subject->type.type);
  for (auto iteration : state) {
    const bool valid =
        ReadAll(*subject, [&](Bytes bytes) { return validate(type, bytes.data(), bytes.size()); });
    if (!valid) state.SkipWithError("the reference finds a fault");
  }
}

// Rates keeps the median of each benchmark and prints a line of ratios.
class Rates : public Medians {
 public:
  void PrintLine(const std::string& type) const {
    std::printf("%-8s %7.1f", type.c_str(),
                static_cast<double>(kDataBytes) / NanosecondsOf("read/" + type));
    for (const char* other : {"full/", "scales/", "reference/"}) {
      PrintColumn(NanosecondsOf("read/" + type), NanosecondsOf(other + type));
    }
    for (const char* spoilt : {"sparse/", "dense/"}) {
      PrintColumn(NanosecondsOf(spoilt + type), NanosecondsOf("full/" + type));
    }
    std::printf("\n");
  }

 private:
  // PrintColumn prints a ratio, or a dash if one of the two was not measured.
  static void PrintColumn(double time, double other) {
    if (time > 0 && other > 0) {
      std::printf(" %9.2f", time / other);
    } else {
      std::printf(" %9s", "-");
    }
  }
};

void RunType(const TensorTypeInfo& type, ValidateRow* validate, Rates& rates) {
  const Subject subject(type, Spoilt::kClean);
  const Subject sparse(type, Spoilt::kSparse);
  const Subject dense(type, Spoilt::kDense);
  const std::string name(type.name);
  const auto add = [&](const char* kind, auto... arguments) {
    benchmark::RegisterBenchmark((kind + name).c_str(), arguments...)->MinTime(0.05);
  };
  benchmark::ClearRegisteredBenchmarks();
  add("read/", RunRead, &subject);
  add("full/", RunScan, &subject, DataScan::kFull);
  add("sparse/", RunScan, &sparse, DataScan::kFull);
  add("dense/", RunScan, &dense, DataScan::kFull);
  if (type.quantised && type.type != TensorType::kNVFP4) {
    add("scales/", RunScan, &subject, DataScan::kScales);
  }
  if (validate != nullptr && type.type != TensorType::kQ8_1) {
    add("reference/", RunValidator, &subject, validate);
  }
  benchmark::RunSpecifiedBenchmarks(&rates);
}

int Main(int argc, char** argv) {
  TakeVectorsOption(argc, argv);
  Use(Memory::kUsedAgain);
  Rates rates;
  InitializeAll(argc, argv, "9");
  ValidateRow* const validate = ReferenceValidator();
  std::vector<const TensorTypeInfo*> types;
  for (const TensorTypeInfo& type : AllTensorTypes()) {
    if (FieldsOf(type.type).empty()) continue;
    RunType(type, validate, rates);
    types.push_back(&type);
  }
  std::printf(
      "\nread in GB/s; full, scales and reference as a share of it; the time of files with "
      "faults as a\nmultiple of full; medians\n%-8s %7s %9s %9s %9s %9s %9s\n",
      "type", "read", "full", "scales", "reference", "sparse", "dense");
  for (const TensorTypeInfo* type : types) rates.PrintLine(std::string(type->name));
  return 0;
}

}  // namespace
}  // namespace ggufgate::bench

int main(int argc, char** argv) { return ggufgate::bench::Main(argc, argv); }
