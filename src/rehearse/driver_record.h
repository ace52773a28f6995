#pragma once

// Records of the driver, its descriptors and its command line.

#include <array>
#include <cstddef>
#include <cstdint>

namespace ggufgate {

// DriverRecord is one message of the driver. Only the driver and the process that started it know
// its nonce. A loader can forge a record only if it searches the driver's memory for the nonce.
struct DriverRecord {
  enum class Kind : std::uint8_t {
    kEnters,    // a stage
    kVersion,   // text: the version of the loader
    kNote,      // text: a note for people
    kRefused,   // by the loader, in this stage
    kCannot,    // text: why the rehearsal is impossible
    kFinished,  // all stages are done
  };
  std::array<std::uint8_t, 16> nonce{};
  std::uint8_t kind = 0;
  std::uint8_t stage = 0;
  std::array<char, 238> text{};  // padded with NUL
};
static_assert(sizeof(DriverRecord) == 256);  // written to a pipe in one piece

// Descriptors of the driver at its start, besides 1 and 2 for its output.
inline constexpr int kDriverNonce = 0;    // 16 bytes, read before a library is opened
inline constexpr int kDriverStandIn = 3;  // the model, or its first shard
inline constexpr int kDriverReport = 4;   // takes records
inline constexpr int kDriverZeros = 5;    // a file of kZeroBytes zeros, in memory
inline constexpr int kDriverOthers = 6;   // the second shard; the others and the adapters follow

// The largest published models have about 200 shards.
inline constexpr std::size_t kMostShardsRehearsed = 512;
inline constexpr std::size_t kMostAdaptersRehearsed = 16;
inline constexpr std::size_t kMostStandIns = kMostShardsRehearsed + kMostAdaptersRehearsed;

// A trillion parameters take some thousand mappings of this length. The system allows 65,530. The
// pages take memory only once.
inline constexpr std::uint64_t kZeroBytes = std::uint64_t{32} << 20;

// Lengths of prompts, in tokens. A long one fills a batch. Its time is proportional to its length,
// which is too long for large models.
inline constexpr unsigned kLongPrompt = 32;
inline constexpr unsigned kShortPrompt = 2;

// Exit codes of the driver.
inline constexpr int kDriverDone = 0;
inline constexpr int kDriverRefused = 3;
inline constexpr int kDriverCannot = 4;

// Arguments of its command line, after the name of the program.
inline constexpr std::size_t kDriverLoader = 1;     // path of libllama
inline constexpr std::size_t kDriverLastStage = 2;  // a word of stages.def
// Bytes before the weights: of each shard, then of each adapter, separated by commas.
inline constexpr std::size_t kDriverFrontBytes = 3;
inline constexpr std::size_t kDriverTokens = 4;      // length of the prompt
inline constexpr std::size_t kDriverRepacks = 5;     // 1: weights may be copied into another order
inline constexpr std::size_t kDriverCpuSeconds = 6;  // for all threads together
inline constexpr std::size_t kDriverAdapters = 7;    // number of adapters
inline constexpr std::size_t kDriverArguments = 8;
// The words behind these are a command and its arguments. Then kDriverLoader is the program's path,
// and the stages, the prompt and its tokens are the command's.

// The library that a command is started with: it replaces functions as the driver does. Its file is
// in the driver's folder. The variable has the bytes of the front and, behind a blank, 1 where
// weights may be repacked.
inline constexpr const char* kPreloadedFile = "ggufgate-rehearse.so";
inline constexpr const char* kPreloadedVariable = "GGUFGATE_REHEARSE";

}  // namespace ggufgate
