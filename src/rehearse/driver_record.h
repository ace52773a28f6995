#pragma once

// Records of the driver, its descriptors and its command line.

#include <array>
#include <cstddef>
#include <cstdint>

namespace ggufgate {

// DriverRecord is one message of the driver. Its nonce is known to the driver and to the process
// that started it: a loader that writes to the pipe without a look into the driver's memory
// does not know it.
struct DriverRecord {
  enum class Kind : std::uint8_t {
    kEnters,    // a stage
    kVersion,   // text: the loader's version
    kNote,      // text: something that people should know
    kRefused,   // by the loader, in this stage
    kCannot,    // text: why nothing can be rehearsed
    kFinished,  // all is done
  };
  std::array<std::uint8_t, 16> nonce{};
  std::uint8_t kind = 0;
  std::uint8_t stage = 0;
  std::array<char, 238> text{};  // padded with NUL
};
static_assert(sizeof(DriverRecord) == 256);  // a pipe takes each in one piece

// Descriptors that the driver begins with, besides those for words (1, 2).
inline constexpr int kDriverNonce = 0;    // 16 bytes, read before a library is opened
inline constexpr int kDriverStandIn = 3;  // the model
inline constexpr int kDriverReport = 4;   // takes records
inline constexpr int kDriverZeros = 5;    // a file of kZeroBytes zeros, in memory

// A trillion parameters are some thousand mappings of this length. The system allows 65,530. Its
// pages take memory once.
inline constexpr std::uint64_t kZeroBytes = std::uint64_t{32} << 20;

// Exit codes of the driver.
inline constexpr int kDriverDone = 0;
inline constexpr int kDriverRefused = 3;
inline constexpr int kDriverCannot = 4;

// Words of its command line, behind the name of the program.
inline constexpr std::size_t kDriverLoader = 1;      // path of libllama
inline constexpr std::size_t kDriverLastStage = 2;   // a word of stages.def
inline constexpr std::size_t kDriverFrontBytes = 3;  // of the model that are not weights
inline constexpr std::size_t kDriverTokens = 4;      // of the prompt
inline constexpr std::size_t kDriverRepacks = 5;     // 1: weights may be copied into another order
inline constexpr std::size_t kDriverCpuSeconds = 6;  // of all threads together
inline constexpr std::size_t kDriverArguments = 7;
// The words behind these are a command and its arguments. Then kDriverLoader is the program's path,
// and the stages, the prompt and its tokens are the command's.

// The library that a command is started with: it replaces functions as the driver does. Its file is
// in the driver's folder. The variable has the bytes of the front and, behind a blank, 1 where
// weights may be repacked.
inline constexpr const char* kPreloadedFile = "ggufgate-rehearse.so";
inline constexpr const char* kPreloadedVariable = "GGUFGATE_REHEARSE";

}  // namespace ggufgate
