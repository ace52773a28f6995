// learn-llama: records which metadata libllama reads from a file, and which tensors it creates. Its
// functions replace those of libggml that libllama calls, because the dynamic linker searches the
// program first. One line of JSON for each file.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <utility>

#include "tests/oracles/llama_cpp/asker.h"
#include "tests/oracles/llama_cpp/command_line.h"

namespace ggufgate::oracles::llama_cpp {
namespace {

using Json = nlohmann::ordered_json;

Library library;
int events = -1;  // descriptor for the child's events; -1: none

// An event is a head, a name and, for tensors, a type. If a child crashes, its earlier events
// remain.
enum class Kind : std::uint8_t { kKey, kTyped, kTensorSought, kTensor };
struct Event {
  Kind kind = Kind::kKey;
  bool found = false;
  std::uint32_t name_bytes = 0;
  std::uint32_t type_bytes = 0;
  std::array<std::int64_t, GGML_MAX_DIMS> dims{};
};

void Tell(Event event, std::string_view name, std::string_view type = "") {
  if (events < 0) return;
  event.name_bytes = static_cast<std::uint32_t>(name.size());
  event.type_bytes = static_cast<std::uint32_t>(type.size());
  std::string text(reinterpret_cast<const char*>(&event), sizeof(event));
  text.append(name).append(type);
  if (::write(events, text.data(), text.size()) < 0) events = -1;
}

void TellType(const gguf_context* file, std::int64_t key, std::string_view type) {
  if (events >= 0) Tell({.kind = Kind::kTyped}, library.gguf_get_key(file, key), type);
}

void TellArray(const gguf_context* file, std::int64_t key) {
  if (events < 0) return;
  const char* const element = library.gguf_type_name(library.gguf_get_arr_type(file, key));
  TellType(file, key, std::string("arr[") + element + "]");
}

void TellTensor(const ggml_tensor& tensor) {
  if (events < 0 || tensor.name[0] == '\0') return;  // libllama uses nameless ones for tests
  Event event{.kind = Kind::kTensor};
  std::ranges::copy(tensor.ne, event.dims.begin());
  Tell(event, &tensor.name[0], library.ggml_type_name(tensor.type));
}

// The values do not matter, because nothing is computed.
void LeaveValues(ggml_tensor* /*tensor*/, void* /*data*/) {}

}  // namespace
}  // namespace ggufgate::oracles::llama_cpp

namespace oracle = ggufgate::oracles::llama_cpp;

extern "C" {

std::int64_t gguf_find_key(const gguf_context* file, const char* key) {
  const std::int64_t found = oracle::library.gguf_find_key(file, key);
  oracle::Tell({.kind = oracle::Kind::kKey, .found = found >= 0}, key);
  return found;
}

std::int64_t gguf_find_tensor(const gguf_context* file, const char* name) {
  const std::int64_t found = oracle::library.gguf_find_tensor(file, name);
  oracle::Tell({.kind = oracle::Kind::kTensorSought, .found = found >= 0}, name);
  return found;
}

#define GETTER(result, type)                                               \
  result gguf_get_val_##type(const gguf_context* file, std::int64_t key) { \
    oracle::TellType(file, key, #type);                                    \
    return oracle::library.gguf_get_val_##type(file, key);                 \
  }
GETTER(std::uint8_t, u8)
GETTER(std::int8_t, i8)
GETTER(std::uint16_t, u16)
GETTER(std::int16_t, i16)
GETTER(std::uint32_t, u32)
GETTER(std::int32_t, i32)
GETTER(float, f32)
GETTER(std::uint64_t, u64)
GETTER(std::int64_t, i64)
GETTER(double, f64)
GETTER(bool, bool)
GETTER(const char*, str)
#undef GETTER

// Records every tensor of a model, even if libllama then finds a wrong number of tensors.
ggml_tensor* ggml_dup_tensor(ggml_context* context, const ggml_tensor* like) {
  oracle::TellTensor(*like);
  return oracle::library.ggml_dup_tensor(context, like);
}

std::size_t gguf_get_arr_n(const gguf_context* file, std::int64_t key) {
  oracle::TellArray(file, key);
  return oracle::library.gguf_get_arr_n(file, key);
}

}  // extern "C"

namespace ggufgate::oracles::llama_cpp {
namespace {

// Progress of a learner, shared with its parent.
struct Learned {
  std::atomic<bool> read = false;   // the file could be parsed
  std::atomic<bool> built = false;  // a model was created
};

void Build(const std::string& path, int listener, Learned& learned) {
  gguf_context* const metadata =
      library.gguf_init_from_file(path.c_str(), {.no_alloc = true, .ctx = nullptr});
  if (metadata == nullptr) return;
  learned.read = true;
  const llama_model_params params = library.llama_model_default_params();
  events = listener;
  llama_model* const model =
      library.llama_model_init_from_user(metadata, LeaveValues, nullptr, params);
  events = -1;
  learned.built = model != nullptr;
}

std::string Contents(int descriptor) {
  std::string text(static_cast<std::size_t>(::lseek(descriptor, 0, SEEK_END)), '\0');
  std::size_t at = 0;
  while (at < text.size()) {
    const ssize_t count =
        ::pread(descriptor, text.data() + at, text.size() - at, static_cast<off_t>(at));
    if (count <= 0) break;
    at += static_cast<std::size_t>(count);
  }
  text.resize(at);
  return text;
}

// Record has the events of one file, each name once, in the order of their first events.
class Record {
 public:
  void Read(std::string_view text) {
    while (text.size() >= sizeof(Event)) {
      Event event;
      std::memcpy(&event, text.data(), sizeof(event));
      text.remove_prefix(sizeof(event));
      if (text.size() < std::size_t{event.name_bytes} + event.type_bytes) return;
      Note(event, std::string(text.substr(0, event.name_bytes)),
           std::string(text.substr(event.name_bytes, event.type_bytes)));
      text.remove_prefix(std::size_t{event.name_bytes} + event.type_bytes);
    }
  }

  [[nodiscard]] const Json& keys() const { return keys_; }
  [[nodiscard]] const Json& sought() const { return sought_; }
  [[nodiscard]] const Json& tensors() const { return tensors_; }

 private:
  using Places = std::unordered_map<std::string, std::size_t>;

  void Note(const Event& event, const std::string& name, const std::string& type) {
    switch (event.kind) {
      case Kind::kKey:
        if (key_at_.try_emplace(name, keys_.size()).second) {
          keys_.push_back({{"key", name}, {"type", nullptr}, {"found", event.found}});
        }
        return;
      case Kind::kTyped:  // libllama also prints the values of keys that it did not request
        if (const auto at = key_at_.find(name); at != key_at_.end()) {
          Json& known = keys_[at->second]["type"];
          if (known.is_null()) known = type;
        }
        return;
      case Kind::kTensorSought:
        if (sought_at_.try_emplace(name, sought_.size()).second) {
          sought_.push_back({{"name", name}, {"found", event.found}});
        }
        return;
      case Kind::kTensor:
        tensors_.push_back({{"name", name}, {"type", type}, {"dims", event.dims}});
    }
  }

  Json keys_ = Json::array();
  Json sought_ = Json::array();
  Json tensors_ = Json::array();
  Places key_at_;
  Places sought_at_;
};

class Learner {
 public:
  explicit Learner(const Limits& limits)
      : children_(limits), learned_(Shared<Learned>()), heard_(::memfd_create("heard", 0)) {}
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;
  ~Learner() { ::close(heard_); }

  Json Learn(const std::string& path) {
    learned_.read = false;
    learned_.built = false;
    if (heard_ < 0 || ::ftruncate(heard_, 0) != 0) return {{"file", path}, {"error", "no memory"}};
    ::lseek(heard_, 0, SEEK_SET);
    const Ending ending = children_.Try([&] { Build(path, heard_, learned_); });
    Record record;
    record.Read(Contents(heard_));
    std::string message = TellingLine(ending.words, ending.end);
    if (message.empty() && !learned_.read) message = "no GGUF file that can be read";
    return {{"file", path},
            {"outcome", Outcome(ending)},
            {"signal", ending.signal == 0 ? Json(nullptr) : Json(NameOf(ending.signal))},
            {"message", message},
            {"keys", record.keys()},
            {"tensors_sought", record.sought()},
            {"tensors", record.tensors()}};
  }

 private:
  [[nodiscard]] const char* Outcome(const Ending& ending) const {
    switch (ending.end) {
      case End::kDone:
        return learned_.built ? "built" : "refused";
      case End::kDied:
        return "died";
      case End::kHung:
        return "hung";
      case End::kMemory:
        return "memory";
    }
    return "";
  }

  Children children_;
  Learned& learned_;
  int heard_;
};

void PrintUsage(std::FILE* to) {
  std::fputs(
      "usage: learn-llama [--memory MIB] [--seconds N] [FILE...]\n\n"
      "Lets libllama build a model of each file's metadata alone, in a child of its own, and\n"
      "prints a line of JSON: the keys that it asked for and as what type, the tensors that it\n"
      "looked for, and those that it made. Without files it reads lines of standard input.\n",
      to);
}

int Main(int argc, char** argv) {
  const std::optional<CommandLine> line = ReadCommandLine(argc, argv);
  if (!line || line->help) {
    PrintUsage(line ? stdout : stderr);
    return line ? 0 : 2;
  }
  if (const std::string problem = Open(library); !problem.empty()) {
    std::fprintf(stderr, "learn-llama: %s\n", problem.c_str());
    return 3;
  }
  if (!library.llama_model_init_from_user) {
    std::fputs("learn-llama: the library is too old: it has no llama_model_init_from_user\n",
               stderr);
    return 3;
  }
  Learner learner(line->limits);
  ForEachLine(*line, [&](std::string_view path) {
    const Json answer = learner.Learn(std::string(path));
    const std::string text =
        answer.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace) + "\n";
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
  });
  return 0;
}

}  // namespace
}  // namespace ggufgate::oracles::llama_cpp

int main(int argc, char** argv) {
  try {
    return ggufgate::oracles::llama_cpp::Main(argc, argv);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "learn-llama: %s\n", problem.what());
    return 2;
  }
}
