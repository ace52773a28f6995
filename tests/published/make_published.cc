// make-published RECIPE OUTPUT: writes the file that a recipe describes, with its weights as a hole
// of zeros. It takes only the space of its front, for any size.

#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "tests/published/recipe.h"

namespace {

int Make(const std::filesystem::path& from, const std::filesystem::path& to) {
  std::ostringstream text;
  text << std::ifstream(from).rdbuf();
  const ggufgate::published::Recipe recipe = ggufgate::published::ReadRecipe(text.str());
  if (!recipe.problem.empty()) {
    std::cerr << from.string() << ": " << recipe.problem << '\n';
    return 1;
  }
  const std::vector<std::uint8_t> front = ggufgate::Write(recipe.model);
  std::ofstream out(to, std::ios::binary);
  for (const std::uint8_t byte : front) out.put(static_cast<char>(byte));
  out.close();
  std::filesystem::resize_file(to, front.size() + recipe.data_bytes);
  return out ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: make-published RECIPE OUTPUT\n";
    return 2;
  }
  try {
    return Make(argv[1], argv[2]);
  } catch (const std::exception& problem) {
    std::cerr << "make-published: " << problem.what() << '\n';
    return 1;
  }
}
