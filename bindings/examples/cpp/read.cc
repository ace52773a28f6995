// read FILE: checks a model and reads the checked bytes: its architecture, its tokens, its first
// tensor.
//
//   c++ -std=c++17 read.cc $(pkg-config --cflags --libs ggufgate) -o read

#include <ggufgate/ggufgate.h>

#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace {

struct Free {
  void operator()(ggufgate_report* report) const { ggufgate_report_free(report); }
  void operator()(ggufgate_file* file) const { ggufgate_file_free(file); }
  void operator()(ggufgate_array* array) const { ggufgate_array_free(array); }
  void operator()(ggufgate_text* text) const { ggufgate_text_free(text); }
};
template <typename T>
using Owned = std::unique_ptr<T, Free>;

// Text from a file is hostile, so it is escaped before it is printed.
std::string Shown(std::string_view bytes) {
  ggufgate_text* text = nullptr;
  if (ggufgate_escape(bytes.data(), bytes.size(), &text) != GGUFGATE_STATUS_OK) return {};
  const Owned<ggufgate_text> owned(text);
  return ggufgate_text_chars(text);
}

void PrintArchitecture(const ggufgate_file* file) {
  constexpr std::string_view kKey = "general.architecture";
  std::uint64_t key = 0;
  const char* bytes = nullptr;
  std::size_t size = 0;
  if (ggufgate_file_find_key(file, kKey.data(), kKey.size(), &key) == GGUFGATE_STATUS_OK &&
      ggufgate_file_string(file, key, &bytes, &size) == GGUFGATE_STATUS_OK) {
    std::cout << "architecture: " << Shown({bytes, size}) << '\n';
  }
}

void PrintTokens(const ggufgate_file* file) {
  constexpr std::string_view kKey = "tokenizer.ggml.tokens";
  std::uint64_t key = 0;
  ggufgate_array* array = nullptr;
  if (ggufgate_file_find_key(file, kKey.data(), kKey.size(), &key) != GGUFGATE_STATUS_OK ||
      ggufgate_file_array(file, key, &array) != GGUFGATE_STATUS_OK) {
    return;
  }
  const Owned<ggufgate_array> owned(array);
  const std::uint64_t count = ggufgate_array_count(array);
  std::cout << "tokens: " << count;
  for (std::uint64_t i = 0; i < count && i < 5; ++i) {
    const char* bytes = nullptr;
    std::size_t size = 0;
    if (ggufgate_array_string(array, i, &bytes, &size) == GGUFGATE_STATUS_OK) {
      std::cout << ' ' << Shown({bytes, size});
    }
  }
  std::cout << '\n';
}

bool PrintFirstTensor(const ggufgate_file* file) {
  ggufgate_tensor tensor{};
  tensor.size = sizeof(tensor);
  if (ggufgate_file_tensor(file, 0, &tensor) != GGUFGATE_STATUS_OK) return true;  // none
  std::vector<float> floats(tensor.elements < 4 ? tensor.elements : 4);
  if (ggufgate_tensor_floats(file, 0, 0, floats.data(), floats.size()) != GGUFGATE_STATUS_OK) {
    return false;
  }
  std::cout << Shown({tensor.name, tensor.name_size}) << ": " << tensor.type_name << ", "
            << tensor.elements << " elements:";
  for (const float value : floats) std::cout << ' ' << value;
  std::cout << '\n';
  return true;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  ggufgate_report* report = nullptr;
  ggufgate_file* file = nullptr;
  const ggufgate_status status = ggufgate_open_path(arguments[1], nullptr, &report, &file);
  const Owned<ggufgate_report> owned_report(report);
  const Owned<ggufgate_file> owned_file(file);
  if (status != GGUFGATE_STATUS_OK) {
    std::cerr << Shown(arguments[1]) << ": " << ggufgate_status_text(status) << '\n';
    return 1;
  }
  PrintArchitecture(file);
  PrintTokens(file);
  return PrintFirstTensor(file) ? 0 : 1;
}
