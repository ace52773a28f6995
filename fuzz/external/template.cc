// A template for attacks on a loader. Copy it, call your loader in LoadFile instead of the naive
// one, and build it as docs/attach.md shows.

#include "fuzz/external/attack.h"

extern "C" {
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);  // of naive_loader.c
extern int naive_loader_loaded;
}

namespace {

// Loads the file as your users do, and gives back all that it took. True: it loads; false: it
// refuses, in whatever way it says so. Whether it dies, never ends or takes all memory is seen from
// outside: catch nothing here. A loader that takes a path is given `path`.
bool LoadFile(const char* path) {
  const ggufgate::external::File bytes = ggufgate::external::BytesOf(path);
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  return naive_loader_loaded != 0;
}

// A loader that can be called in several ways has several lines; --loader chooses one.
constexpr ggufgate::external::Loader kLoaders[] = {
    {.name = "naive", .what = "fuzz/external/naive_loader.c", .load = LoadFile}};

}  // namespace

int main(int argc, char** argv) { return ggufgate::external::Attack(kLoaders, argc, argv); }
