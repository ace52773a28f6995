// make_dictionary: writes a dictionary for libFuzzer and AFL++, made from the tables of src/format
// and src/check.
//
// usage: make_dictionary gguf|chat_template|http|policy FILE
//
// The exit code is 0 after success, 2 for wrong usage or if the file could not be written.

#include <array>
#include <cstdio>
#include <string_view>

#include "fuzz/dictionary/dictionary.h"

namespace {

using ggufgate::fuzz::Dictionary;

struct Kind {
  std::string_view word;
  void (*add)(Dictionary& dictionary);
};

constexpr std::array kKinds = {
    Kind{"gguf", &ggufgate::fuzz::AddGguf},
    Kind{"chat_template", &ggufgate::fuzz::AddChatTemplate},
    Kind{"http", &ggufgate::fuzz::AddHttp},
    Kind{"policy", &ggufgate::fuzz::AddPolicy},
};

bool WriteWhole(const char* path, const std::string& text) {
  std::FILE* const file = std::fopen(path, "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && written;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view wanted = argc == 3 ? argv[1] : "";
  for (const Kind& kind : kKinds) {
    if (kind.word != wanted) continue;
    Dictionary dictionary;
    kind.add(dictionary);
    if (WriteWhole(argv[2], dictionary.text())) return 0;
    std::perror(argv[2]);
    return 2;
  }
  std::fputs("usage: make_dictionary gguf|chat_template|http|policy FILE\n", stderr);
  return 2;
}
