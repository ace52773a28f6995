// make-corpus: writes the files of the corpus and their manifest, the same bytes on every run.

#include <algorithm>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <system_error>

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUsage =
    "usage: make-corpus FOLDER          write the corpus and its manifest into FOLDER\n"
    "       make-corpus --check FOLDER  compare; name what differs, is missing or too much\n";

// The folders that contain only generated files.
constexpr std::string_view kFolders[] = {"invalid", "limits", "regression", "sets", "valid"};

using Files = std::map<std::string, std::string>;  // path in the corpus folder, content

struct Family {
  std::string_view source;
  Recipes (*recipes)();
};

constexpr Family kFamilies[] = {
    {"magic.cc", MagicRecipes},
    {"container.cc", ContainerRecipes},
    {"metadata.cc", MetadataRecipes},
    {"tensor_directory.cc", TensorDirectoryRecipes},
    {"data_layout.cc", DataLayoutRecipes},
    {"tensor_data.cc", TensorDataRecipes},
    {"hyper_parameters.cc", HyperParameterRecipes},
    {"contract.cc", ContractRecipes},
    {"tokenizer.cc", TokenizerRecipes},
    {"tokenizer_text.cc", TokenizerTextRecipes},
    {"chat_template.cc", ChatTemplateRecipes},
    {"sidecars.cc", SidecarRecipes},
    {"readers.cc", OtherReaderRecipes},
    {"policy.cc", PolicyRecipes},
    {"resources.cc", ResourceRecipes},
    {"value_types.cc", ValueTypeRecipes},
    {"tensor_types.cc", TensorTypeRecipes},
    {"shapes.cc", ShapeRecipes},
    {"damage.cc", DamageRecipes},
    {"circulation.cc", CirculationRecipes},
    {"reports.cc", ReportRecipes},
    {"reports_models.cc", ModelReportRecipes},
    {"reports_files.cc", FileReportRecipes},
    {"upstream.cc", UpstreamRecipes},
    {"sample.cc", SampleRecipes},
    {"regression.cc", RegressionRecipes},
    {"examples.cc", ExampleRecipes},
};

const char* WordFor(bool accepted) { return accepted ? "accept" : "reject"; }

nlohmann::json VerdictJson(const Verdict& verdict) {
  return {{"gate", WordFor(verdict.gate)},
          {"llama.cpp", WordFor(verdict.llama_cpp)},
          {"spec", WordFor(verdict.spec)}};
}

nlohmann::json ManifestEntry(const Recipe& recipe, std::string_view source) {
  std::vector<std::string> rules = recipe.rules;
  std::ranges::sort(rules);
  nlohmann::json entry = {
      {"file", recipe.file},
      {"shows", recipe.shows},
      {"origin", recipe.origin},
      {"recipe", "recipes/" + std::string(source) + ": " + recipe.recipe},
      {"verdict", VerdictJson(recipe.verdict)},
      {"rules", rules},
  };
  if (!recipe.cause.empty()) entry["cause"] = recipe.cause;
  if (!recipe.limits.empty()) entry["limits"] = recipe.limits;
  if (!recipe.data.empty()) entry["data"] = recipe.data;
  if (!recipe.policy.empty()) entry["policy"] = recipe.policy;
  return entry;
}

// LinePerEntry writes one line per entry, so that a changed entry is one changed line.
std::string LinePerEntry(const nlohmann::json& list) {
  std::string lines;
  for (const nlohmann::json& entry : list) {
    if (!lines.empty()) lines += ",\n";
    lines += entry.dump();
  }
  return lines + "\n";
}

// CookSets makes the shards; the manifest lists them by folder.
nlohmann::json CookSets(Files& files) {
  nlohmann::json sets = nlohmann::json::array();
  for (const SetRecipe& recipe : ShardSetRecipes()) {
    std::vector<std::string> names;
    for (const auto& [name, model] : recipe.shards) {
      const FileBytes bytes = Write(model);
      files[recipe.folder + "/" + name].assign(bytes.begin(), bytes.end());
      names.push_back(name);
    }
    sets.push_back({{"set", recipe.folder},
                    {"files", names},
                    {"shows", recipe.shows},
                    {"origin", recipe.origin},
                    {"recipe", "recipes/shard_sets.cc: " + recipe.recipe},
                    {"verdict", VerdictJson(recipe.verdict)},
                    {"rules", recipe.rules}});
  }
  return sets;
}

// Cook makes every file. It is an error if two recipes have the same path.
Files Cook() {
  Files files;
  std::map<std::string, nlohmann::json> entries;
  for (const Family& family : kFamilies) {
    for (const Recipe& recipe : family.recipes()) {
      const FileBytes bytes = recipe.make();
      if (!files.try_emplace(recipe.file, bytes.begin(), bytes.end()).second) {
        throw std::runtime_error("two recipes make " + recipe.file);
      }
      entries[recipe.file] = ManifestEntry(recipe, family.source);
    }
  }
  nlohmann::json list = nlohmann::json::array();
  for (auto& [path, entry] : entries) list.push_back(std::move(entry));
  const nlohmann::json sets = CookSets(files);
  files["MANIFEST.json"] = "{\"schema\":\"ggufgate.corpus/1\",\n\"files\":[\n" +
                           LinePerEntry(list) + "],\n\"sets\":[\n" + LinePerEntry(sets) + "]}\n";
  return files;
}

// WriteFile replaces a file atomically.
void WriteFile(const fs::path& path, const std::string& content) {
  fs::create_directories(path.parent_path());
  fs::path temporary = path;
  temporary += ".new";
  {
    std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
    out.close();
    if (!out) throw std::runtime_error("cannot write " + temporary.string());
  }
  fs::rename(temporary, path);
}

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Surplus lists the files in the folders that no recipe makes.
std::vector<std::string> Surplus(const fs::path& root, const Files& files) {
  std::vector<std::string> surplus;
  for (const std::string_view folder : kFolders) {
    if (!fs::is_directory(root / folder)) continue;
    for (const auto& found : fs::recursive_directory_iterator(root / folder)) {
      const std::string path = found.path().lexically_relative(root).generic_string();
      const bool ours = files.contains(path) || found.path().filename() == "README.md";
      if (found.is_regular_file() && !ours) surplus.push_back(path);
    }
  }
  std::ranges::sort(surplus);
  return surplus;
}

int Compare(const fs::path& root, const Files& files) {
  int problems = 0;
  const auto tell = [&](const char* what, const std::string& path) {
    std::cout << what << ": " << path << "\n";
    ++problems;
  };
  for (const auto& [path, content] : files) {
    if (!fs::is_regular_file(root / path)) {
      tell("missing", path);
    } else if (ReadFile(root / path) != content) {
      tell("differs", path);
    }
  }
  for (const std::string& path : Surplus(root, files)) tell("surplus", path);
  return problems == 0 ? 0 : 1;
}

int WriteAll(const fs::path& root, const Files& files) {
  for (const auto& [path, content] : files) WriteFile(root / path, content);
  for (const std::string& path : Surplus(root, files)) {
    std::cout << "surplus, no recipe makes it: " << path << "\n";
  }
  return 0;
}

int Run(const std::vector<std::string>& arguments) {
  const bool check = arguments.size() == 2 && arguments.front() == "--check";
  const bool write = arguments.size() == 1 && !arguments.front().starts_with("-");
  if (!check && !write) {
    std::cerr << kUsage;
    return 2;
  }
  const Files files = Cook();
  const fs::path root = arguments.back();
  return check ? Compare(root, files) : WriteAll(root, files);
}

}  // namespace
}  // namespace ggufgate::corpus

int main(int argc, char** argv) {
  try {
    return ggufgate::corpus::Run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    std::cerr << "make-corpus: " << error.what() << "\n";
    return 2;
  }
}
