// The speed of decoding blocks to floats, compared with filling as many floats and with the
// reference library. See docs/benchmarks.md.
//
// Each round times the fill, the decoder of the gate and that of the library one after the other,
// and computes the ratios of that round. The table has medians over the rounds. "Streaming" decodes
// into 64 MiB, more than the caches hold. "Tile" decodes into the same 16 KiB repeatedly, like a
// program that reads the floats and drops them.
//
// Types that read at least as many bytes as they write have two more baselines. One is a pass that
// reads their input and writes as much as they do, without computing; the other only reads.

#include <benchmark/benchmark.h>
#include <dlfcn.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <vector>

#include "dequantize/dequantize.h"

namespace ggufgate::bench {
namespace {

constexpr std::size_t kStreamed = std::size_t{16} << 20;  // elements
constexpr std::size_t kTile = 4096;
constexpr int kRounds = 15;

using Decoder = void(const void*, float*, std::int64_t);

// DecoderOf finds the library's decoder; nullptr if there is none.
Decoder* DecoderOf(const TensorTypeInfo& info) {
  static void* const library =
      ::dlopen(GGUFGATE_SOURCE_DIR "/build/reference/package/bins/linux-x64/libggml-base.so",
               RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  std::string name = "dequantize_row_";
  for (const char c : info.name)
    name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (name.ends_with("_k")) name.back() = 'K';
  if (info.type == TensorType::kF16) name = "ggml_fp16_to_fp32_row";
  if (info.type == TensorType::kBF16) name = "ggml_bf16_to_fp32_row";
  return reinterpret_cast<Decoder*>(::dlsym(library, name.c_str()));
}

double ThreadSeconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Timed does the work twice and times the second run. So the caches only have to write back data of
// the same work.
template <typename Work>
double Timed(Work work) {
  work();
  benchmark::ClobberMemory();
  const double begin = ThreadSeconds();
  work();
  benchmark::ClobberMemory();
  return ThreadSeconds() - begin;
}

// BarePass reads all of `in` and writes all of `out`, which is as large or half as large. Both
// consist of whole cache lines.
void BarePass(Bytes in, std::span<float> out) {
#if defined(__SSE2__)
  constexpr std::size_t kAhead = 8192;
  const std::size_t stride = in.size() / out.size_bytes();
  const std::uint8_t* from = in.data();
  for (std::size_t i = 0; i < out.size(); i += 16) {
    for (std::size_t line = 0; line < stride; ++line) __builtin_prefetch(from + kAhead + 64 * line);
    for (std::size_t lane = 0; lane < 16; lane += 4) {
      __m128i bits = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
      if (stride == 2) {
        bits = _mm_or_si128(bits, _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + 16)));
      }
      _mm_stream_si128(reinterpret_cast<__m128i*>(out.data() + i + lane), bits);
      from += 16 * stride;
    }
  }
  _mm_sfence();
#else
  for (std::size_t at = 0; at < in.size(); at += out.size_bytes()) {
    std::memcpy(out.data(), in.data() + at, out.size_bytes());
  }
#endif
}

void BareRead(Bytes in) {
  std::uint64_t bits = 0;
  for (std::size_t at = 0; at < in.size(); at += 8) {
    std::uint64_t number = 0;
    std::memcpy(&number, in.data() + at, 8);
    bits |= number;
  }
  benchmark::DoNotOptimize(bits);
}

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.empty() ? 0 : values[values.size() / 2];
}

// Figures holds the medians of one type.
struct Figures {
  std::string name;
  // The gate's rate, streaming, as a fraction of the fill's.
  double of_fill = 0;
  double of_reference = 0;       // and of the library's; 0 without one
  double tile_of_reference = 0;  // the same with tiles
  double tile_rate = 0;          // GB/s of floats
  double fill_rate = 0;
  double pass_of_fill = 0;  // a bare pass over the same bytes; 0 if it reads less than it writes
  double read_of_fill = 0;
};
std::vector<Figures>& AllFigures() {
  static std::vector<Figures> figures;
  return figures;
}

// RandomBytes returns blocks with random scales, except NaN and infinity, which take longer on some
// processors.
std::vector<std::uint8_t> RandomBytes(std::size_t size) {
  std::mt19937_64 random(size);
  std::vector<std::uint8_t> bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random() >> 33 & 0x3B);
  return bytes;
}

// Tiles decodes all blocks into one tile.
template <typename Decode>
void Tiles(const TensorTypeInfo& info, Bytes blocks, std::span<float> tile, Decode decode) {
  const std::size_t step = kTile / info.block_elements * info.block_bytes;
  for (std::size_t at = 0; at + step <= blocks.size(); at += step) {
    decode(blocks.subspan(at, step), tile);
    benchmark::ClobberMemory();
  }
}

void Run(benchmark::State& state, const TensorTypeInfo& info) {
  static std::vector<float> out(kStreamed);
  const std::span<float> tile = std::span(out).first(kTile);
  const auto blocks = RandomBytes(kStreamed / info.block_elements * info.block_bytes);
  Decoder* const theirs = DecoderOf(info);
  const auto ours = [&](Bytes some, std::span<float> floats) {
    if (Dequantize(info.type, some, floats) != Dequantized::kDone) state.SkipWithError("refused");
  };
  const auto reference = [&](Bytes some, std::span<float> floats) {
    theirs(some.data(), floats.data(), static_cast<std::int64_t>(floats.size()));
  };

  std::vector<double> of_fill, of_reference, tile_of_reference, tile_rate, fill_rate, pass, read;
  constexpr double kGigabytes = static_cast<double>(kStreamed * sizeof(float)) * 1e-9;
  float value = 0;
  for (auto round : state) {
    value += 1;  // so that the compiler does not remove the fill
    const double fill = Timed([&] { std::ranges::fill(out, value); });
    const double mine = Timed([&] { ours(blocks, out); });
    const double mine_tiled = Timed([&] { Tiles(info, blocks, tile, ours); });
    of_fill.push_back(fill / mine);
    fill_rate.push_back(kGigabytes / fill);
    tile_rate.push_back(kGigabytes / mine_tiled);
    if (blocks.size() >= kStreamed * sizeof(float)) {
      pass.push_back(fill / Timed([&] { BarePass(blocks, out); }));
      read.push_back(fill / Timed([&] { BareRead(blocks); }));
    }
    if (theirs != nullptr) {
      of_reference.push_back(Timed([&] { reference(blocks, out); }) / mine);
      const double tiled = Timed([&] { Tiles(info, blocks, tile, reference); });
      tile_of_reference.push_back(tiled / mine_tiled);
    }
    state.SetIterationTime(mine);
  }
  Figures figures{.name = std::string(info.name),
                  .of_fill = Median(of_fill),
                  .of_reference = Median(of_reference),
                  .tile_of_reference = Median(tile_of_reference),
                  .tile_rate = Median(tile_rate),
                  .fill_rate = Median(fill_rate),
                  .pass_of_fill = Median(pass),
                  .read_of_fill = Median(read)};
  state.counters["of_fill"] = figures.of_fill;
  state.counters["of_reference"] = figures.of_reference;
  AllFigures().push_back(std::move(figures));
}

// PrintTable prints the table of docs/benchmarks.md.
void PrintTable() {
  std::printf("\n| type | of a fill | of the reference | tile: of the reference | tile GB/s |\n");
  std::printf("|---|---:|---:|---:|---:|\n");
  std::vector<double> fills;
  for (const Figures& figures : AllFigures()) {
    std::printf("| %s | %.2f | %.1f | %.1f | %.0f |\n", figures.name.c_str(), figures.of_fill,
                figures.of_reference, figures.tile_of_reference, figures.tile_rate);
    fills.push_back(figures.fill_rate);
  }
  std::printf("\nfill: %.1f GB/s\n", Median(fills));
  std::printf(
      "\n| type | of a fill | of a bare pass | bare pass of a fill | reading of a fill |\n");
  std::printf("|---|---:|---:|---:|---:|\n");
  for (const Figures& figures : AllFigures()) {
    if (figures.pass_of_fill == 0) continue;
    std::printf("| %s | %.2f | %.2f | %.2f | %.2f |\n", figures.name.c_str(), figures.of_fill,
                figures.of_fill / figures.pass_of_fill, figures.pass_of_fill, figures.read_of_fill);
  }
}

}  // namespace
}  // namespace ggufgate::bench

int main(int argc, char** argv) {
  for (const ggufgate::TensorTypeInfo& info : ggufgate::AllTensorTypes()) {
    benchmark::RegisterBenchmark(
        std::string(info.name).c_str(),
        [&info](benchmark::State& state) { ggufgate::bench::Run(state, info); })
        ->UseManualTime()
        ->Iterations(ggufgate::bench::kRounds)
        ->Unit(benchmark::kMillisecond);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  ggufgate::bench::PrintTable();
}
