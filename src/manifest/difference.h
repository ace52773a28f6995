#pragma once

// In what two models differ, or a model from what a manifest says of it.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "bytes/byte_source.h"
#include "manifest/manifest_text.h"
#include "manifest/model_manifest.h"
#include "parse/document.h"

namespace ggufgate {

// Difference is one thing. All text is escaped.
struct Difference {
  enum class Kind : std::uint8_t {
#define GGUFGATE_DIFFERENCE(name, word, sign, record, what) k##name,
#include "manifest/differences.def"
#undef GGUFGATE_DIFFERENCE
  };
  Kind kind;
  std::string subject = {};  // a key or a tensor; empty: the file
  std::string from = {};     // for people
  std::string to = {};
  nlohmann::ordered_json from_json = nullptr;  // for programs
  nlohmann::ordered_json to_json = nullptr;
};

// DifferencesFrom holds a model against what is expected. Where it is the same model and only lies
// otherwise in the file, that is a difference unless `content_only`.
[[nodiscard]] std::vector<Difference> DifferencesFrom(const ExpectedModel& expected,
                                                      const ModelManifest& found,
                                                      bool content_only);

// ModelFile is a file that was accepted.
struct ModelFile {
  const Document& document;
  const ByteSource& source;
};

// DifferencesBetween compares two models, and the data of tensors that both have where `data`: by
// their hashes, a chunk at a time.
[[nodiscard]] absl::StatusOr<std::vector<Difference>> DifferencesBetween(const ModelFile& from,
                                                                         const ModelFile& to,
                                                                         bool data);

// Comparison is how a comparison is told.
struct Comparison {
  std::string_view command;  // "diff", "verify"
  std::string from;          // paths, as given
  std::string to;
  bool data = true;  // tensor data were compared
  std::vector<Difference> differences;
};

// Each writes one comparison: a line a difference, or one object of schema ggufgate.differences/1.
void WriteDifferencesText(const Comparison& comparison, std::ostream& out);
void WriteDifferencesJson(const Comparison& comparison, std::ostream& out);

}  // namespace ggufgate
