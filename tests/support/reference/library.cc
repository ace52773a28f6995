#include "tests/support/reference/library.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "tests/oracles/forked_child.h"

namespace ggufgate::testing {
namespace {

using oracles::Fail;

// Question is a file without a name that is rewritten for each load.
class Question {
 public:
  [[nodiscard]] const char* path() const { return path_.c_str(); }
  void Hold(Bytes bytes) { oracles::Rewrite(file_.descriptor(), bytes); }

 private:
  oracles::MemoryFile file_{"gguf"};
  std::string path_ = "/proc/self/fd/" + std::to_string(file_.descriptor());
};

void BeSilentAndSmall() {
  oracles::ConfineStreams(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  ::setenv("GGML_NO_BACKTRACE", "1", 1);  // otherwise an assertion would start a debugger
  oracles::ConfineMemory(std::uint64_t{4} << 30);
}

// Child is a forked process that writes one byte per task, from `first` on.
class Child {
 public:
  Child(std::size_t first, std::size_t count, const std::function<std::uint8_t(std::size_t)>& task)
      : ends_(MakePipe()), process_([&] { Work(ends_[1], first, count, task); }) {
    ::close(ends_[1]);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { ::close(ends_[0]); }

  // Next waits for one answer: that of the task, or the reason why there is none.
  [[nodiscard]] Answer Next() const {
    pollfd ready{.fd = ends_[0], .events = POLLIN, .revents = 0};
    const std::chrono::milliseconds patience = Reference::kPatience;
    if (::poll(&ready, 1, static_cast<int>(patience.count())) == 0) return Answer::kHangs;
    std::uint8_t byte = 0;
    return ::read(ends_[0], &byte, 1) == 1 ? Answer{byte} : Answer::kDies;
  }

 private:
  static std::array<int, 2> MakePipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) Fail("pipe2");
    return ends;
  }

  static void Work(int out, std::size_t first, std::size_t count,
                   const std::function<std::uint8_t(std::size_t)>& task) {
    BeSilentAndSmall();
    for (std::size_t i = first; i < count; ++i) {
      const std::uint8_t byte = task(i);
      if (::write(out, &byte, 1) != 1) break;
    }
  }

  std::array<int, 2> ends_;
  oracles::ForkedChild process_;
};

// Shared is memory that a child writes and its parent reads.
template <typename T>
class Shared {
 public:
  explicit Shared(std::size_t count) : bytes_(count * sizeof(T)) {
    void* memory =
        ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) Fail("mmap");
    values_ = {static_cast<T*>(memory), count};
  }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() { ::munmap(values_.data(), bytes_); }

  [[nodiscard]] std::span<T> values() const { return values_; }

 private:
  std::size_t bytes_;
  std::span<T> values_;
};

}  // namespace

std::string_view WordFor(Answer answer) {
  switch (answer) {
    case Answer::kLoads:
      return "loads";
    case Answer::kRefuses:
      return "refuses";
    case Answer::kLeaves:
      return "refuses and leaves a context";
    case Answer::kDies:
      return "dies";
    case Answer::kHangs:
      return "hangs";
  }
  return "";
}

std::string_view WordFor(Mode mode) {
  switch (mode) {
    case Mode::kMetadata:
      return "metadata";
    case Mode::kContext:
      return "context";
    case Mode::kData:
      return "data";
  }
  return "";
}

std::ostream& operator<<(std::ostream& out, Answer answer) { return out << WordFor(answer); }
std::ostream& operator<<(std::ostream& out, Mode mode) { return out << WordFor(mode); }

const Reference* Reference::Get() {
  static const Reference* const reference = []() -> const Reference* {
    const char* path = GGUFGATE_REFERENCE_DIR "/package/bins/linux-x64/libggml-base.so";
    void* library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return library != nullptr ? new Reference(library) : nullptr;  // never freed
  }();
  return reference;
}

template <typename Function>
Function* Reference::Symbol(const char* name) const {
  void* symbol = ::dlsym(library_, name);
  if (symbol == nullptr) throw std::runtime_error(std::string("no ") + name + " in the library");
  return reinterpret_cast<Function*>(symbol);
}

Reference::Reference(void* library)
    : library_(library),
      init_(Symbol<File*(const char*, InitParams)>("gguf_init_from_file")),
      free_file_(Symbol<void(File*)>("gguf_free")),
      free_context_(Symbol<void(Context*)>("ggml_free")) {}

Answer Reference::Load(const char* path, Mode mode) const {
  Context* context = nullptr;
  File* file = init_(path, {.no_alloc = mode != Mode::kData,
                            .context = mode == Mode::kMetadata ? nullptr : &context});
  if (file == nullptr) return context == nullptr ? Answer::kRefuses : Answer::kLeaves;
  free_file_(file);
  if (context != nullptr) free_context_(context);
  return Answer::kLoads;
}

std::vector<Answer> Reference::Answers(std::size_t count, const Task& task) {
  std::vector<Answer> answers;
  answers.reserve(count);
  while (answers.size() < count) {
    const Child child(answers.size(), count, task);
    do {
      answers.push_back(child.Next());
    } while (answers.size() < count && answers.back() < Answer::kDies);
  }
  return answers;
}

Answer Reference::Ask(const std::filesystem::path& path, Mode mode) const {
  return Answers(1,
                 [&](std::size_t) { return static_cast<std::uint8_t>(Load(path.c_str(), mode)); })
      .front();
}

Answer Reference::Ask(Bytes file, Mode mode) const {
  return Answers(1,
                 [&](std::size_t) {
                   Question memory;
                   memory.Hold(file);
                   return static_cast<std::uint8_t>(Load(memory.path(), mode));
                 })
      .front();
}

std::vector<Answer> Reference::AskAll(std::span<const std::vector<std::uint8_t>> files,
                                      Mode mode) const {
  Question memory;
  return Answers(files.size(), [&](std::size_t i) {
    memory.Hold(files[i]);
    return static_cast<std::uint8_t>(Load(memory.path(), mode));
  });
}

std::optional<Reference::TypeFacts> Reference::FactsOf(std::uint32_t type_id) const {
  struct Raw {
    std::uint64_t block_elements, block_bytes;
    bool quantised;
    char name[32];
  };
  const Shared<Raw> raw(1);
  const auto answers = Answers(1, [&](std::size_t) {
    Raw& out = raw.values().front();
    out.block_bytes = Symbol<std::size_t(std::uint32_t)>("ggml_type_size")(type_id);
    out.block_elements =
        static_cast<std::uint64_t>(Symbol<std::int64_t(std::uint32_t)>("ggml_blck_size")(type_id));
    out.quantised = Symbol<bool(std::uint32_t)>("ggml_is_quantized")(type_id);
    const char* name = Symbol<const char*(std::uint32_t)>("ggml_type_name")(type_id);
    if (name != nullptr) std::strncpy(out.name, name, sizeof(out.name) - 1);
    return static_cast<std::uint8_t>(Answer::kLoads);
  });
  if (answers.front() != Answer::kLoads) return std::nullopt;
  const Raw& out = raw.values().front();
  return TypeFacts{.block_elements = out.block_elements,
                   .block_bytes = out.block_bytes,
                   .quantised = out.quantised,
                   .name = out.name};
}

bool Reference::Decode(const TensorTypeInfo& type, Bytes blocks, std::span<float> out) const {
  std::string name = "dequantize_row_";  // followed by q4_0, q4_K, iq4_nl
  for (const char c : type.name)
    name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (name.ends_with("_k")) name.back() = 'K';
  if (type.type == TensorType::kF16) name = "ggml_fp16_to_fp32_row";
  if (type.type == TensorType::kBF16) name = "ggml_bf16_to_fp32_row";
  using Decoder = void(const void*, float*, std::int64_t);
  auto* decode = reinterpret_cast<Decoder*>(::dlsym(library_, name.c_str()));
  if (decode == nullptr) return false;
  decode(blocks.data(), out.data(), static_cast<std::int64_t>(out.size()));
  return true;
}

std::optional<std::vector<std::uint64_t>> Reference::TensorSizes(Bytes file) const {
  constexpr std::size_t kMost = 4096;
  const Shared<std::uint64_t> sizes(kMost);
  const Shared<std::size_t> count(1);
  const auto answers = Answers(1, [&](std::size_t) {
    Question memory;
    memory.Hold(file);
    File* loaded = init_(memory.path(), {.no_alloc = true, .context = nullptr});
    if (loaded == nullptr) return static_cast<std::uint8_t>(Answer::kRefuses);
    const std::int64_t tensors = Symbol<std::int64_t(const File*)>("gguf_get_n_tensors")(loaded);
    const auto size_of = Symbol<std::size_t(const File*, std::int64_t)>("gguf_get_tensor_size");
    for (std::int64_t i = 0; i < tensors; ++i) {
      sizes.values()[static_cast<std::size_t>(i)] = size_of(loaded, i);
    }
    count.values().front() = static_cast<std::size_t>(tensors);
    return static_cast<std::uint8_t>(Answer::kLoads);
  });
  if (answers.front() != Answer::kLoads) return std::nullopt;
  const std::span<std::uint64_t> found = sizes.values().first(count.values().front());
  return std::vector<std::uint64_t>(found.begin(), found.end());
}

}  // namespace ggufgate::testing
