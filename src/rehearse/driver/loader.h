#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ggufgate::driver {

// Blob has room for any structure of llama.cpp that is passed or returned by value. Such structures
// of more than 16 bytes are passed in memory (System V x86-64, AAPCS64). The callee reads only its
// own part at the beginning, so this program needs no layouts of releases.
struct Blob {
  std::array<unsigned char, 4096> bytes;
};

struct Model;
struct Vocab;
struct Context;
struct Adapter;
struct ChatMessage {
  const char* role;
  const char* content;
};
using LogCallback = void (*)(int level, const char* text, void* data);

// Loader holds the functions of a libllama of any release, by name. A function that the release
// lacks is null.
struct Loader {
#define FUNCTION(result, name, old_name, parameters) result(*name) parameters = nullptr;
#include "rehearse/driver/functions.def"
#undef FUNCTION

  std::string folder = {};
  void* handle = nullptr;
};

// OpenLoader opens the library and finds its functions. It returns the reason if that fails, else
// an empty text.
[[nodiscard]] std::string OpenLoader(const std::string& path, Loader& loader);

// StartBackends prepares the library. Errors that it logs go to standard error.
void StartBackends(const Loader& loader);

// OpenLibrary opens a library. If the library needs others that the system does not find, it opens
// these from `folder`. It returns null after an error and sets `problem`.
[[nodiscard]] void* OpenLibrary(const std::string& path, const std::string& folder,
                                std::string& problem);

// Look uses a value, so that compilers do not remove the read.
template <typename Value>
void Look(const Value& value) {
  asm volatile("" : : "m"(value) : "memory");
}

}  // namespace ggufgate::driver
