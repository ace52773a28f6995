// An attack on the reference loader.

#include "fuzz/external/llama_cpp.h"

#include <vector>

#include "fuzz/external/attack.h"
#include "fuzz/external/llama_cpp_runner.h"
#include "fuzz/external/rehearsing.h"

int main(int argc, char** argv) {
  const auto readers = ggufgate::external::LlamaCppLoaders();
  std::vector<ggufgate::external::Loader> loaders(readers.begin(), readers.end());
  loaders.push_back(ggufgate::external::LlamaCppRunner());
  loaders.push_back(ggufgate::external::RehearsingLoader());
  return ggufgate::external::Attack(loaders, argc, argv);
}
