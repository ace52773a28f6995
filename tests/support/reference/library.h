#pragma once

// The reference loader, gguf_init_from_file of llama.cpp's libggml-base.so, called in children
// because a file may crash it. scripts/fetch-reference puts the library where Get() looks for it.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/bytes.h"
#include "format/tensors/tensor_type.h"

namespace ggufgate::testing {

// Answer is the result for a file, and for the process that loaded it.
enum class Answer : std::uint8_t {
  kLoads,
  kRefuses,
  kLeaves,  // refuses, but leaks a context
  kDies,    // crashes with a signal
  kHangs,   // did not answer in time
};

[[nodiscard]] std::string_view WordFor(Answer answer);
std::ostream& operator<<(std::ostream& out, Answer answer);

// Mode selects the arguments of gguf_init_from_file.
enum class Mode : std::uint8_t {
  kMetadata,  // no_alloc, without a context for tensors
  kContext,   // no_alloc, with one: like llama.cpp before it maps the data
  kData,      // allocates, and reads all data as one block
};
inline constexpr Mode kModes[] = {Mode::kMetadata, Mode::kContext, Mode::kData};

[[nodiscard]] std::string_view WordFor(Mode mode);
std::ostream& operator<<(std::ostream& out, Mode mode);

// Reference is the library. Its functions run in forked children with limited memory and no output.
// A child that takes too long is killed.
class Reference {
 public:
  // Get loads the library once. It returns nullptr if the library is missing or not for this
  // machine.
  [[nodiscard]] static const Reference* Get();

  static constexpr std::string_view kMissing =
      "no reference library: scripts/fetch-reference fetches it into build/reference";
  static constexpr std::chrono::seconds kPatience{20};  // per file

  [[nodiscard]] Answer Ask(const std::filesystem::path& path, Mode mode) const;
  [[nodiscard]] Answer Ask(Bytes file, Mode mode) const;

  // AskAll loads many files, all in one child as long as that child lives: about 20,000 small files
  // per second.
  [[nodiscard]] std::vector<Answer> AskAll(std::span<const std::vector<std::uint8_t>> files,
                                           Mode mode) const;

  // TypeFacts are the library's facts about a tensor type.
  struct TypeFacts {
    std::uint64_t block_elements = 0;
    std::uint64_t block_bytes = 0;
    bool quantised = false;
    std::string name;
  };
  // FactsOf returns them, or nullopt if the library crashes on the number.
  [[nodiscard]] std::optional<TypeFacts> FactsOf(std::uint32_t type_id) const;

  // Decode decodes whole blocks with the library's decoder, in this process. It returns false if
  // there is none.
  [[nodiscard]] bool Decode(const TensorTypeInfo& type, Bytes blocks, std::span<float> out) const;

  // TensorSizes returns the bytes of each tensor of a file, or nullopt if the file does not load.
  [[nodiscard]] std::optional<std::vector<std::uint64_t>> TensorSizes(Bytes file) const;

 private:
  struct Context;
  struct File;
  struct InitParams {  // gguf_init_params of gguf.h
    bool no_alloc;
    Context** context;
  };
  // Tasks run in a child, and are numbered. Each returns one byte.
  using Task = std::function<std::uint8_t(std::size_t)>;

  explicit Reference(void* library);

  template <typename Function>
  Function* Symbol(const char* name) const;
  [[nodiscard]] Answer Load(const char* path, Mode mode) const;
  // Answers runs `count` tasks, and restarts the child after each task that crashes it.
  [[nodiscard]] static std::vector<Answer> Answers(std::size_t count, const Task& task);

  void* library_;
  File* (*init_)(const char*, InitParams);
  void (*free_file_)(File*);
  void (*free_context_)(Context*);
};

// ReferenceTest is a fixture for tests with the library. It skips them if the library is missing.
class ReferenceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (Reference::Get() == nullptr) GTEST_SKIP() << Reference::kMissing;
  }
  [[nodiscard]] static const Reference& Library() { return *Reference::Get(); }
};

}  // namespace ggufgate::testing
