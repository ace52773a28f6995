// Compares a model with a manifest.

#include "manifest/compare.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "bytes/grouped.h"

namespace ggufgate {

using Kind = Difference::Kind;
using Json = nlohmann::ordered_json;

Difference TextDifference(Kind kind, std::string subject, const std::string& from,
                          const std::string& to) {
  return {.kind = kind,
          .subject = std::move(subject),
          .from = from,
          .to = to,
          .from_json = from.empty() ? Json(nullptr) : Json(from),
          .to_json = to.empty() ? Json(nullptr) : Json(to)};
}

std::string ShapeWords(std::span<const std::uint64_t> dimensions) {
  return absl::StrCat("[", absl::StrJoin(dimensions, ", "), "]");
}

Difference ShapeDifference(std::string subject, std::span<const std::uint64_t> from,
                           std::span<const std::uint64_t> to) {
  return {.kind = Kind::kTensorShape,
          .subject = std::move(subject),
          .from = ShapeWords(from),
          .to = ShapeWords(to),
          .from_json = from,
          .to_json = to};
}

namespace {

// TensorWords returns the known facts about a tensor. From the lines of llama-gguf-hash, only the
// hash is known.
std::string TensorWords(const ManifestTensor& tensor) {
  if (tensor.type.empty()) return "";
  return absl::StrCat(tensor.type, " ", ShapeWords(tensor.dimensions));
}

class Comparing {
 public:
  Comparing(const ExpectedModel& expected, const ModelManifest& found)
      : expected_(expected.manifest), hashes_only_(expected.hashes_only), found_(found) {}

  void Files() {
    if (hashes_only_) return;
    Texts(Kind::kByteOrder, "", expected_.big_endian ? "big" : "little",
          found_.big_endian ? "big" : "little");
    Numbers(Kind::kKeyCount, "", expected_.metadata_keys, found_.metadata_keys);
    Texts(Kind::kMetadata, "", expected_.metadata_sha256, found_.metadata_sha256);
  }

  void Tensors(bool content_only) {
    // `llama-gguf-hash --no-layer` has only a hash for all tensors together.
    if (!hashes_only_ || !expected_.tensors.empty()) {
      for (const auto& [from, to] :
           Matched(expected_.tensors, found_.tensors, &ManifestTensor::name)) {
        Tensor(from, to);
      }
    }
    // This hash depends on the order of the directory: the same tensors in another order have
    // another hash.
    if (hashes_only_ || !content_only || HaveSameOrder()) {
      Texts(Kind::kAllData, "", expected_.data_sha256, found_.data_sha256);
    }
  }

  void Layout() {
    if (hashes_only_) return;
    Order();
    Numbers(Kind::kFileBytes, "", expected_.file_bytes, found_.file_bytes);
    Texts(Kind::kFile, "", expected_.file_sha256, found_.file_sha256);
  }

  [[nodiscard]] std::vector<Difference> Take() { return std::move(differences_); }

 private:
  void Texts(Kind kind, const std::string& subject, const std::string& from,
             const std::string& to) {
    if (from != to) differences_.push_back(TextDifference(kind, subject, from, to));
  }

  void Numbers(Kind kind, const std::string& subject, std::uint64_t from, std::uint64_t to) {
    if (from == to) return;
    differences_.push_back({.kind = kind,
                            .subject = subject,
                            .from = Grouped(from),
                            .to = Grouped(to),
                            .from_json = from,
                            .to_json = to});
  }

  [[nodiscard]] bool HaveSameOrder() const {
    return std::ranges::equal(expected_.tensors, found_.tensors, {}, &ManifestTensor::name,
                              &ManifestTensor::name);
  }

  // Order reports the first position that has another tensor. If tensors were added or removed, all
  // later positions change, so this is not a separate difference.
  void Order() {
    if (names_differ_) return;
    const auto [from, to] = std::ranges::mismatch(expected_.tensors, found_.tensors, {},
                                                  &ManifestTensor::name, &ManifestTensor::name);
    if (from == expected_.tensors.end() || to == found_.tensors.end()) return;
    Texts(Kind::kTensorOrder, "", from->name, to->name);
  }

  void Tensor(const ManifestTensor* from, const ManifestTensor* to) {
    names_differ_ = names_differ_ || from == nullptr || to == nullptr;
    if (to == nullptr) {
      differences_.push_back(
          TextDifference(Kind::kTensorRemoved, from->name, TensorWords(*from), ""));
    } else if (from == nullptr) {
      differences_.push_back(TextDifference(Kind::kTensorAdded, to->name, "", TensorWords(*to)));
    } else {
      if (!hashes_only_) {
        Texts(Kind::kTensorType, to->name, from->type, to->type);
        if (from->dimensions != to->dimensions) {
          differences_.push_back(ShapeDifference(to->name, from->dimensions, to->dimensions));
        }
        Numbers(Kind::kTensorBytes, to->name, from->bytes, to->bytes);
      }
      Texts(Kind::kTensorData, to->name, from->sha256, to->sha256);
    }
  }

  const ModelManifest& expected_;
  bool hashes_only_;
  const ModelManifest& found_;
  bool names_differ_ = false;  // one model has a tensor that the other lacks
  std::vector<Difference> differences_;
};

}  // namespace

std::vector<Difference> DifferencesFrom(const ExpectedModel& expected, const ModelManifest& found,
                                        bool content_only) {
  Comparing comparing(expected, found);
  comparing.Files();
  comparing.Tensors(content_only);
  if (!content_only) comparing.Layout();
  return comparing.Take();
}

}  // namespace ggufgate
