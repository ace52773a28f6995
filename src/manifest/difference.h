#pragma once

// Differences between two models, or between a model and a manifest.

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

// Difference is one difference. All text is escaped.
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

// DifferencesFrom compares a model with an expected one. If the model is the same but its parts
// have other offsets in the file, that is a difference, unless `content_only` is set.
[[nodiscard]] std::vector<Difference> DifferencesFrom(const ExpectedModel& expected,
                                                      const ModelManifest& found,
                                                      bool content_only);

// ModelFile is an accepted file.
struct ModelFile {
  const Document& document;
  const ByteSource& source;
};

// DifferencesBetween compares two models. With `data`, it also compares the hashes of the tensors
// that both have, a chunk at a time.
[[nodiscard]] absl::StatusOr<std::vector<Difference>> DifferencesBetween(const ModelFile& from,
                                                                         const ModelFile& to,
                                                                         bool data);

// Comparison holds the input of a report on a comparison.
struct Comparison {
  std::string_view command;  // "diff", "verify"
  std::string from;          // paths, as given
  std::string to;
  bool data = true;  // tensor data were compared
  std::vector<Difference> differences;
};

// WriteDifferencesText writes one line per difference. WriteDifferencesJson writes one object with
// schema ggufgate.differences/1.
void WriteDifferencesText(const Comparison& comparison, std::ostream& out);
void WriteDifferencesJson(const Comparison& comparison, std::ostream& out);

}  // namespace ggufgate
