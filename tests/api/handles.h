#pragma once

// Owners of the objects of the C interface, for tests.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ggufgate/ggufgate.h"

namespace ggufgate::testing {

template <auto free>
struct FreeBy {
  void operator()(auto* object) const { free(object); }
};
using Text = std::unique_ptr<ggufgate_text, FreeBy<&ggufgate_text_free>>;
using PolicyHandle = std::unique_ptr<ggufgate_policy, FreeBy<&ggufgate_policy_free>>;
using Report = std::unique_ptr<ggufgate_report, FreeBy<&ggufgate_report_free>>;
using File = std::unique_ptr<ggufgate_file, FreeBy<&ggufgate_file_free>>;
using Array = std::unique_ptr<ggufgate_array, FreeBy<&ggufgate_array_free>>;

inline ggufgate_options Options() { return GGUFGATE_OPTIONS_INIT; }

inline Report CheckedPath(const std::string& path, const ggufgate_options& options = Options()) {
  ggufgate_report* report = nullptr;
  if (ggufgate_check_path(path.c_str(), &options, &report) != GGUFGATE_STATUS_OK) return nullptr;
  return Report(report);
}

inline Report CheckedMemory(const std::vector<std::uint8_t>& file,
                            const ggufgate_options& options = Options()) {
  ggufgate_report* report = nullptr;
  const auto status = ggufgate_check_memory(file.data(), file.size(), &options, &report);
  return Report(status == GGUFGATE_STATUS_OK ? report : nullptr);
}

inline File OpenedMemory(const std::vector<std::uint8_t>& file,
                         const ggufgate_options& options = Options()) {
  ggufgate_file* opened = nullptr;
  if (ggufgate_open_memory(file.data(), file.size(), &options, nullptr, &opened) !=
      GGUFGATE_STATUS_OK) {
    return nullptr;
  }
  return File(opened);
}

inline std::string JsonOf(const Report& report) {
  ggufgate_text* json = nullptr;
  if (ggufgate_report_json(report.get(), &json) != GGUFGATE_STATUS_OK) return {};
  const Text owned(json);
  return ggufgate_text_chars(json);
}

inline PolicyHandle Parsed(const std::string& toml, const char* profile = nullptr) {
  ggufgate_policy* policy = nullptr;
  if (ggufgate_policy_parse(toml.data(), toml.size(), profile, nullptr, nullptr, &policy) !=
      GGUFGATE_STATUS_OK) {
    return nullptr;
  }
  return PolicyHandle(policy);
}

}  // namespace ggufgate::testing
