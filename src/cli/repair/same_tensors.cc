#include "cli/repair/same_tensors.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "bytes/checked.h"
#include "manifest/model_manifest.h"
#include "parse/extent.h"

namespace ggufgate {
namespace {

bool IsSameRecord(const TensorInfo& a, const TensorInfo& b) {
  return a.name == b.name && a.type_id == b.type_id && a.dimension_count == b.dimension_count &&
         a.dims == b.dims;
}

absl::Status Differs(std::string_view tensor) {
  return absl::DataLossError(
      absl::StrCat("tensor ", std::string(tensor), " is not the same in the result"));
}

}  // namespace

absl::StatusOr<std::uint64_t> SameTensors(const Document& old, const ByteSource& from,
                                          const Document& repaired, const ByteSource& to) {
  if (old.tensors.size() != repaired.tensors.size()) {
    return absl::DataLossError("the result has another number of tensors");
  }
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < old.tensors.size(); ++i) {
    const TensorInfo& tensor = old.tensors.at(i);
    const TensorInfo& copy = repaired.tensors.at(i);
    if (!IsSameRecord(tensor, copy)) return Differs(tensor.name);
    const absl::StatusOr<std::string> before = DataSha256(old, from, tensor);
    if (!before.ok()) return before.status();
    const absl::StatusOr<std::string> after = DataSha256(repaired, to, copy);
    if (!after.ok()) return after.status();
    if (*before != *after) return Differs(tensor.name);
    const auto sum = CheckedAdd(bytes, ExtentOf(tensor, 1).bytes.value_or(0));
    if (!sum) return absl::DataLossError("the tensors have no size together");
    bytes = *sum;
  }
  return bytes;
}

}  // namespace ggufgate
