#pragma once

// Rehearsals with the reference library, if there is one.

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <system_error>
#include <vector>

#include "parse/model.h"
#include "tests/support/command.h"
#include "tests/support/temp_folder.h"

namespace ggufgate::testing {

inline const std::string kSample =
    std::string(GGUFGATE_SOURCE_DIR) + "/corpus/valid/sample-llama.gguf";

// The name of the library contains its release.
inline std::string LibraryPath() {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path folder = fs::path(GGUFGATE_REFERENCE_DIR) / "package/bins/linux-x64";
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("libllama.") && name.ends_with(".so")) return entry.path().string();
  }
  return "";
}

class RehearsedTest : public ::testing::Test {
 protected:
  void SetUp() override {
    library_ = LibraryPath();
    if (library_.empty()) {
      GTEST_SKIP() << "no reference library: scripts/fetch-reference fetches it";
    }
  }

  nlohmann::json Report(const std::string& path, const std::vector<std::string>& options = {}) {
    std::vector<std::string> arguments = {"rehearse", "--format",           "json", "--loader",
                                          library_,   "--despite-findings", path};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const CommandResult result = RunCommand(arguments);
    const nlohmann::json report = nlohmann::json::parse(result.out, nullptr, false);
    EXPECT_FALSE(report.is_discarded()) << result.out << result.error;
    code_ = result.exit_code;
    errors_ = result.error;
    return report;
  }

  nlohmann::json Rehearse(const Model& model, const std::vector<std::string>& options = {}) {
    return Report(folder_.Write("model.gguf", Write(model)), options).at("files").at(0);
  }

  TempFolder folder_;
  std::string library_;
  std::string errors_;
  int code_ = -1;
};

}  // namespace ggufgate::testing
