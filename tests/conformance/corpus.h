#pragma once

// The corpus according to its manifest, for the tests of this folder.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/judge.h"

namespace ggufgate::testing {

using FileBytes = std::vector<std::uint8_t>;

// CorpusFile is one entry of MANIFEST.json.
struct CorpusFile {
  std::string path;    // in the corpus folder
  std::string recipe;  // source file and description: "recipes/magic.cc: the bytes of a page"
  // By the word of a profile: "accept" or "reject".
  std::map<std::string, std::string> verdict;
  std::vector<std::string> rules;  // errors and warnings under profile gate
  // Slug of the reported cause; empty: not specified.
  std::string cause;
  // Of the policy, if they differ from the defaults.
  std::map<std::string, std::uint64_t> limits;
  std::string data = "none";  // a word of kDataScanWords
  // Allow-lists, as in a policy file.
  std::map<std::string, std::vector<std::string>> policy;

  [[nodiscard]] Policy PolicyIn(Profile profile) const {
    Policy in_force = PolicyFor(profile);
    for (const LimitInfo& limit : AllLimits()) {
      const auto set = limits.find(std::string(limit.name));
      if (set != limits.end()) in_force.limits.*limit.value = set->second;
    }
    const auto scan = std::ranges::find(kDataScanWords, data);
    EXPECT_NE(scan, kDataScanWords.end()) << path << ": " << data;
    in_force.data = static_cast<DataScan>(scan - kDataScanWords.begin());
    Allow(in_force);
    return in_force;
  }
  [[nodiscard]] bool AcceptedBy(const std::string& profile) const {
    return verdict.at(profile) == "accept";
  }

 private:
  void Allow(Policy& in_force) const {
    for (const auto& [list, names] : policy) {
      EXPECT_TRUE(list == "architectures" || list == "tensor_types") << path << ": " << list;
      if (list == "architectures") in_force.architectures = names;
      if (list != "tensor_types") continue;
      for (const std::string& name : names) {
        const TensorTypeInfo* type = FindTensorTypeNamed(name);
        EXPECT_NE(type, nullptr) << path << ": " << name;
        if (type != nullptr) in_force.tensor_types.push_back(type->type);
      }
    }
  }
};

inline std::filesystem::path CorpusFolder() {
  return std::filesystem::path(GGUFGATE_SOURCE_DIR) / "corpus";
}

inline FileBytes ReadBytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  FileBytes bytes(std::filesystem::file_size(path));
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

inline const std::vector<CorpusFile>& Corpus() {
  static const auto* const corpus = [] {
    auto* files = new std::vector<CorpusFile>;
    std::ifstream in(CorpusFolder() / "MANIFEST.json");
    const nlohmann::json manifest = nlohmann::json::parse(in);
    for (const nlohmann::json& entry : manifest.at("files")) {
      CorpusFile& file = files->emplace_back();
      entry.at("file").get_to(file.path);
      entry.at("recipe").get_to(file.recipe);
      entry.at("verdict").get_to(file.verdict);
      entry.at("rules").get_to(file.rules);
      file.cause = entry.value("cause", "");
      file.limits = entry.value("limits", file.limits);
      file.data = entry.value("data", file.data);
      file.policy = entry.value("policy", file.policy);
    }
    return files;
  }();
  return *corpus;
}

// CorpusSet is one entry of "sets": shards that are checked together.
struct CorpusSet {
  std::string folder;              // in the corpus folder
  std::vector<std::string> files;  // names in it
  std::map<std::string, std::string> verdict;
  std::vector<std::string> rules;  // errors and warnings of all files under profile gate
};

inline const std::vector<CorpusSet>& CorpusSets() {
  static const auto* const sets = [] {
    auto* list = new std::vector<CorpusSet>;
    std::ifstream in(CorpusFolder() / "MANIFEST.json");
    const nlohmann::json manifest = nlohmann::json::parse(in);
    for (const nlohmann::json& entry : manifest.at("sets")) {
      CorpusSet& set = list->emplace_back();
      entry.at("set").get_to(set.folder);
      entry.at("files").get_to(set.files);
      entry.at("verdict").get_to(set.verdict);
      entry.at("rules").get_to(set.rules);
    }
    return list;
  }();
  return *sets;
}

// TestNameOf converts a path to a test's name: "valid/tensor-q4_0.gguf" becomes valid_tensor_q4_0.
inline std::string TestNameOf(const ::testing::TestParamInfo<CorpusFile>& info) {
  std::string name = info.param.path.substr(0, info.param.path.rfind(".gguf"));
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

inline void PrintTo(const CorpusFile& file, std::ostream* out) { *out << file.path; }

}  // namespace ggufgate::testing
