// An attack on the reference loader.

#include "fuzz/external/llama_cpp.h"

#include "fuzz/external/attack.h"

int main(int argc, char** argv) {
  return ggufgate::external::Attack(ggufgate::external::LlamaCppLoaders(), argc, argv);
}
