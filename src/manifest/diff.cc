// Compares two models.

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "manifest/compare.h"
#include "manifest/shown_value.h"
#include "parse/extent.h"
#include "report/values.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

using Kind = Difference::Kind;
using Json = nlohmann::ordered_json;

class Diff {
 public:
  Diff(const ModelFile& from, const ModelFile& to)
      : from_(from), to_(to), same_order_(from.document.byte_order == to.document.byte_order) {}

  void Files() {
    const auto word = [](const ModelFile& file) {
      return file.document.byte_order == ByteOrder::kBig ? "big" : "little";
    };
    if (!same_order_) {
      differences_.push_back(TextDifference(Kind::kByteOrder, "", word(from_), word(to_)));
    }
  }

  void Metadata() {
    for (const auto& [from, to] :
         Matched(from_.document.metadata, to_.document.metadata, &MetadataEntry::key)) {
      if (from != nullptr && to != nullptr && IsSame(*from, *to)) continue;
      const Kind kind = to == nullptr     ? Kind::kKeyRemoved
                        : from == nullptr ? Kind::kKeyAdded
                                          : Kind::kKeyChanged;
      const auto [before, after] = ShownValues(from_.document, from, to_.document, to);
      differences_.push_back({.kind = kind,
                              .subject = EscapeText(from != nullptr ? from->key : to->key),
                              .from = before.words,
                              .to = after.words,
                              .from_json = before.json,
                              .to_json = after.json});
    }
  }

  absl::Status Tensors(bool data) {
    for (const auto& [from, to] :
         Matched(from_.document.tensors, to_.document.tensors, &TensorInfo::name)) {
      if (to == nullptr) {
        differences_.push_back(
            TextDifference(Kind::kTensorRemoved, EscapeText(from->name), Words(*from), ""));
      } else if (from == nullptr) {
        differences_.push_back(
            TextDifference(Kind::kTensorAdded, EscapeText(to->name), "", Words(*to)));
      } else if (!HasOtherShape(*from, *to) && data && same_order_) {
        if (absl::Status status = Data(*from, *to); !status.ok()) return status;
      }
    }
    return absl::OkStatus();
  }

  [[nodiscard]] std::vector<Difference> Take() { return std::move(differences_); }

 private:
  static std::string TypeName(const TensorInfo& tensor) {
    const TensorTypeInfo* const type = ExtentOf(tensor, 1).type;
    return type != nullptr ? std::string(type->name) : absl::StrCat("type ", tensor.type_id);
  }
  static std::string Words(const TensorInfo& tensor) {
    return absl::StrCat(TypeName(tensor), " ", ShapeWords(tensor.Dimensions()));
  }

  // If the files have different byte orders, this compares the values and not the bytes.
  [[nodiscard]] bool IsSame(const MetadataEntry& from, const MetadataEntry& to) const {
    if (from.type != to.type) return false;
    if (same_order_) {
      return std::ranges::equal(from_.document.BytesAt(from.ValueRange()),
                                to_.document.BytesAt(to.ValueRange()));
    }
    return from.element_type == to.element_type && from.count == to.count &&
           JsonOfValue(from_.document, from, UINT64_MAX) ==
               JsonOfValue(to_.document, to, UINT64_MAX);
  }

  bool HasOtherShape(const TensorInfo& from, const TensorInfo& to) {
    const bool type = from.type_id != to.type_id;
    const bool shape = !std::ranges::equal(from.Dimensions(), to.Dimensions());
    const std::string name = EscapeText(from.name);
    if (type) {
      differences_.push_back(TextDifference(Kind::kTensorType, name, TypeName(from), TypeName(to)));
    }
    if (shape) {
      differences_.push_back(ShapeDifference(name, from.Dimensions(), to.Dimensions()));
    }
    return type || shape;
  }

  absl::Status Data(const TensorInfo& from, const TensorInfo& to) {
    const absl::StatusOr<std::string> before = DataSha256(from_.document, from_.source, from);
    if (!before.ok()) return before.status();
    const absl::StatusOr<std::string> after = DataSha256(to_.document, to_.source, to);
    if (!after.ok()) return after.status();
    if (*before != *after) {
      differences_.push_back(
          TextDifference(Kind::kTensorData, EscapeText(from.name), *before, *after));
    }
    return absl::OkStatus();
  }

  const ModelFile& from_;
  const ModelFile& to_;
  bool same_order_;
  std::vector<Difference> differences_;
};

}  // namespace

absl::StatusOr<std::vector<Difference>> DifferencesBetween(const ModelFile& from,
                                                           const ModelFile& to, bool data) {
  Diff diff(from, to);
  diff.Files();
  diff.Metadata();
  if (absl::Status status = diff.Tensors(data); !status.ok()) return status;
  return diff.Take();
}

}  // namespace ggufgate
