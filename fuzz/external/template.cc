// A template for attacks on a loader. Copy it, call your loader in LoadFile instead of the naive
// one, and build it as docs/attach.md shows.

#include "fuzz/external/attack.h"

extern "C" {
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);  // of naive_loader.c
extern int naive_loader_loaded;
}

namespace {

// Loads the file as your users do, and frees everything that it allocated. Return true if it
// loads, false if it refuses the file in any way. Crashes, hangs and excessive memory are detected
// from outside, so catch nothing here. If your loader takes a path, pass `path`.
bool LoadFile(const char* path) {
  const ggufgate::external::File bytes = ggufgate::external::BytesOf(path);
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  return naive_loader_loaded != 0;
}

// If a loader can be called in several ways, add several lines; --loader chooses one.
constexpr ggufgate::external::Loader kLoaders[] = {
    {.name = "naive", .what = "fuzz/external/naive_loader.c", .load = LoadFile}};

}  // namespace

int main(int argc, char** argv) { return ggufgate::external::Attack(kLoaders, argc, argv); }
