// Manifest files are untrusted, too.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "format/limits.h"
#include "json/bounded.h"
#include "manifest/manifest_text.h"
#include "parse/document.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

using Json = nlohmann::json;

constexpr JsonBounds kBounds{
    .bytes = kLongestManifestFile, .depth = 4, .values = kLongestManifestFile / 4};

bool IsSha256Hex(std::string_view hex) {
  constexpr std::size_t kDigits = 64;
  return hex.size() == kDigits &&
         hex.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

absl::Status Bad(std::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("this is not a manifest: ", std::string(what)));
}

// IsEscaped tells whether text can be shown without escaping. Manifests contain only such text.
bool IsEscaped(std::string_view text) {
  std::string bare(text);
  std::erase(bare, '\\');
  return EscapeText(bare) == bare;
}

// Fields reads members of an object, and keeps the first error.
class Fields {
 public:
  explicit Fields(const Json& object) : object_(object) {
    if (!object.is_object()) Fail("an object");
  }

  void Text(const char* key, std::string& out) {
    const Json* const value = Find(key);
    if (value == nullptr) return;
    if (!value->is_string()) return Fail(key);
    out = value->get<std::string>();
    if (!IsEscaped(out)) Fail(key);
  }
  void Hash(const char* key, std::string& out) {
    Text(key, out);
    if (fault_.empty() && !IsSha256Hex(out)) Fail(key);
  }
  void Number(const char* key, std::uint64_t& out) {
    const Json* const value = Find(key);
    if (value == nullptr) return;
    if (!value->is_number_unsigned()) return Fail(key);
    out = value->get<std::uint64_t>();
  }
  void Numbers(const char* key, std::vector<std::uint64_t>& out, std::size_t most) {
    const Json* const value = Find(key);
    if (value == nullptr) return;
    if (!value->is_array() || value->size() > most) return Fail(key);
    for (const Json& number : *value) {
      if (!number.is_number_unsigned()) return Fail(key);
      out.push_back(number.get<std::uint64_t>());
    }
  }
  [[nodiscard]] const Json* Find(const char* key) {
    if (!fault_.empty()) return nullptr;
    const auto found = object_.find(key);
    if (found != object_.end()) return &*found;
    Fail(key);
    return nullptr;
  }
  void Fail(std::string_view key) {
    if (fault_.empty()) fault_ = key;
  }
  [[nodiscard]] absl::Status status(std::string_view where) const {
    if (fault_.empty()) return absl::OkStatus();
    return Bad(absl::StrCat(std::string(where), ": ", fault_, " is missing or invalid"));
  }

 private:
  const Json& object_;
  std::string fault_;
};

absl::Status ReadTensors(const Json& list, ModelManifest& manifest) {
  if (!list.is_array()) return Bad("tensors is not a list");
  if (list.size() > Limits{}.tensors) return Bad("it has too many tensors");
  for (const Json& each : list) {
    ManifestTensor tensor;
    Fields fields(each);
    fields.Text("name", tensor.name);
    fields.Text("type", tensor.type);
    fields.Numbers("dimensions", tensor.dimensions, kReadDimensions);
    fields.Number("bytes", tensor.bytes);
    fields.Hash("sha256", tensor.sha256);
    const std::string where = absl::StrCat("tensor ", manifest.tensors.size());
    if (absl::Status status = fields.status(where); !status.ok()) return status;
    manifest.tensors.push_back(std::move(tensor));
  }
  return absl::OkStatus();
}

// NamesDiffer tells whether all tensors have different names. Otherwise a comparison could not tell
// which is meant.
bool NamesDiffer(const ModelManifest& manifest) {
  std::vector<std::string_view> names;
  for (const ManifestTensor& tensor : manifest.tensors) names.push_back(tensor.name);
  std::ranges::sort(names);
  return std::ranges::adjacent_find(names) == names.end();
}

absl::StatusOr<ExpectedModel> ReadJson(std::string_view text) {
  const BoundedJson parsed = ParseBounded(text, kBounds);
  switch (parsed.fault) {
    case JsonFault::kNone:
      break;
    case JsonFault::kLarge:
      return Bad("it is too large");
    case JsonFault::kKeys:
      return Bad("a key occurs twice");
    case JsonFault::kDeep:
    case JsonFault::kNotJson:
      return Bad("not its JSON");
  }
  ExpectedModel expected;
  ModelManifest& manifest = expected.manifest;
  std::string schema;
  std::string byte_order;
  Fields fields(parsed.value);
  fields.Text("schema", schema);
  if (schema != "ggufgate.manifest/1") fields.Fail("schema");
  fields.Text("byte_order", byte_order);
  if (byte_order != "little" && byte_order != "big") fields.Fail("byte_order");
  manifest.big_endian = byte_order == "big";
  fields.Hash("data_sha256", manifest.data_sha256);
  fields.Hash("root_sha256", manifest.root_sha256);
  const Json* const file = fields.Find("file");
  const Json* const metadata = fields.Find("metadata");
  const Json* const tensors = fields.Find("tensors");
  if (absl::Status status = fields.status("it"); !status.ok()) return status;

  Fields file_fields(*file);
  file_fields.Number("bytes", manifest.file_bytes);
  file_fields.Hash("sha256", manifest.file_sha256);
  if (absl::Status status = file_fields.status("file"); !status.ok()) return status;
  Fields metadata_fields(*metadata);
  metadata_fields.Number("keys", manifest.metadata_keys);
  metadata_fields.Hash("sha256", manifest.metadata_sha256);
  if (absl::Status status = metadata_fields.status("metadata"); !status.ok()) return status;
  if (absl::Status status = ReadTensors(*tensors, manifest); !status.ok()) return status;
  if (!NamesDiffer(manifest)) return Bad("two tensors have the same name");
  const absl::StatusOr<std::string> root = RootOf(manifest);
  if (!root.ok()) return root.status();
  if (*root != manifest.root_sha256) return Bad("its root hash does not match its entries");
  return expected;
}

struct HashLine {
  std::string sha256;
  std::string name;
};

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// LineOf parses "sha256    HASH  NAME". It returns nullopt for lines of other hashes.
std::optional<HashLine> LineOf(std::string_view line) {
  constexpr std::string_view kKind = "sha256 ";
  if (!line.starts_with(kKind)) return std::nullopt;
  line = Trimmed(line.substr(kKind.size()));
  const std::size_t end = line.find(' ');
  if (end == std::string_view::npos) return std::nullopt;
  return HashLine{std::string(line.substr(0, end)), std::string(Trimmed(line.substr(end)))};
}

// ReadHashes takes the last line for the hash of the whole file: the names of all tensors begin
// with its name.
absl::StatusOr<ExpectedModel> ReadHashes(std::string_view text) {
  std::vector<HashLine> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (std::optional<HashLine> line = LineOf(text.substr(0, end))) {
      if (!IsSha256Hex(line->sha256)) return Bad("a line begins with sha256 but has no such hash");
      lines.push_back(*std::move(line));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (lines.empty()) return Bad("it is not JSON of ggufgate and not from llama-gguf-hash --sha256");
  ExpectedModel expected{.hashes_only = true};
  expected.manifest.data_sha256 = std::move(lines.back().sha256);
  const std::string file = lines.back().name + ":";
  lines.pop_back();
  if (lines.size() > Limits{}.tensors) return Bad("it has too many tensors");
  for (HashLine& line : lines) {
    if (!line.name.starts_with(file))
      return Bad("the last line names another file than the others");
    std::string name = line.name.substr(file.size());
    if (!IsEscaped(name)) name = EscapeText(name);  // llama-gguf-hash does not escape it
    expected.manifest.tensors.push_back(
        {.name = std::move(name), .sha256 = std::move(line.sha256)});
  }
  if (!NamesDiffer(expected.manifest)) return Bad("two tensors have the same name");
  return expected;
}

}  // namespace

absl::StatusOr<ExpectedModel> ReadManifest(std::string_view text) {
  if (text.size() > kLongestManifestFile) return Bad("it is too large");
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_json = first != std::string_view::npos && text.at(first) == '{';
  return is_json ? ReadJson(text) : ReadHashes(text);
}

}  // namespace ggufgate
