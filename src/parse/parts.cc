#include "parse/parts.h"

#include <algorithm>
#include <array>
#include <optional>

#include "bytes/byte_order.h"
#include "format/limits.h"
#include "format/tensors/layout.h"
#include "format/tensors/tensor_type.h"

namespace ggufgate {
namespace {

using Kind = Part::Kind;

// Walk iterates over the fields of one region, and keeps those of the page. It parses the bytes
// again, with separate bounds for each number. So it also works for a record that Parse did not
// finish.
class Walk {
 public:
  Walk(const Document& document, ByteRange region, std::uint64_t from, std::size_t most)
      : document_(document),
        end_(region.End()),
        limit_(end_),
        from_(from),
        most_(most),
        at_(region.begin) {}

  void Header();
  void Entry();
  void TensorInfo();
  void Blocks(const ggufgate::TensorInfo& tensor);
  // The record with the fault: its fields up to the wrong one.
  void Unread(const std::optional<Fault>& fault);
  void Rest(Kind kind) {
    limit_ = end_;
    (void)Put({.kind = kind}, end_ - at_);
  }

  [[nodiscard]] PartPage Take() {
    return {.parts = std::move(parts_), .next = full_ ? next_ : end_};
  }

 private:
  // Level is an array whose elements are being skipped.
  struct Level {
    ValueType type = ValueType::kU8;
    std::uint64_t count = 0;
    std::uint64_t left = 0;
  };

  // Each returns false if the walk must stop: at its limit, or if the page is full.
  bool Put(Part part, std::uint64_t size);
  bool Run(Part part, std::uint64_t size, std::uint64_t count);
  template <Scalar T>
  bool Number(Part part, T& number);
  bool Text(Part length, Kind characters);
  bool Value(ValueType type);
  bool Array();
  bool Head(Part at, Level& level);
  bool Elements(const Level& level, Part at);

  const Document& document_;
  std::uint64_t end_;    // of the region
  std::uint64_t limit_;  // bytes before it have a meaning
  std::uint64_t from_;
  std::size_t most_;
  std::uint64_t at_;
  std::vector<Part> parts_;
  std::uint64_t next_ = 0;
  bool full_ = false;
};

bool Walk::Put(Part part, std::uint64_t size) {
  if (full_) return false;
  size = std::min(size, limit_ - at_);
  part.range = {at_, size};
  if (size > 0 && part.range.End() > from_) {
    if (parts_.size() == most_) {
      full_ = true;
      next_ = at_;
      return false;
    }
    parts_.push_back(part);
  }
  at_ += size;
  return true;
}

// Run adds `count` parts of one size. It skips those before the page in one step.
bool Walk::Run(Part part, std::uint64_t size, std::uint64_t count) {
  const std::uint64_t skipped = from_ > at_ ? std::min((from_ - at_) / size, count) : 0;
  // skipped * size is at most from_ - at_, but the region may end before that.
  at_ = std::min(at_ + skipped * size, limit_);
  for (part.index = skipped; part.index < count && at_ < limit_; ++part.index) {
    if (!Put(part, size)) return false;
  }
  return !full_;
}

template <Scalar T>
bool Walk::Number(Part part, T& number) {
  const ByteRange where{at_, sizeof(T)};
  const bool whole = where.FitsIn(limit_) && where.FitsIn(document_.prefix.size());
  if (whole) number = Load<T>(document_.BytesAt(where), document_.byte_order);
  return Put(part, sizeof(T)) && whole;
}

bool Walk::Text(Part length, Kind characters) {
  std::uint64_t size = 0;
  if (!Number(length, size)) return false;
  length.kind = characters;
  return Put(length, size);
}

void Walk::Header() {
  const bool known = !document_.fault || (document_.fault->kind != FaultKind::kMagic &&
                                          document_.fault->kind != FaultKind::kFileTooShort);
  const bool counted = known && document_.version != 0;
  if (!Put({.kind = Kind::kMagic}, kMagic.size())) return;
  if (known && !Put({.kind = Kind::kVersion}, sizeof(std::uint32_t))) return;
  if (counted && (!Put({.kind = Kind::kTensorCount}, sizeof(std::uint64_t)) ||
                  !Put({.kind = Kind::kKeyCount}, sizeof(std::uint64_t)))) {
    return;
  }
  Rest(Kind::kUnread);
}

void Walk::Entry() {
  std::uint32_t type = 0;
  if (!Text({.kind = Kind::kKeyLength}, Kind::kKey) || !Number({.kind = Kind::kValueType}, type)) {
    return;
  }
  if (const ValueTypeInfo* const info = FindValueType(type)) (void)Value(info->type);
}

bool Walk::Value(ValueType type) {
  if (type == ValueType::kArray) return Array();
  if (type == ValueType::kString) return Text({.kind = Kind::kStringLength}, Kind::kString);
  return Put({.kind = Kind::kScalar, .type = type}, InfoOf(type).scalar_bytes);
}

bool Walk::Head(Part at, Level& level) {
  std::uint32_t type = 0;
  at.kind = Kind::kElementType;
  if (!Number(at, type)) return false;
  at.kind = Kind::kElementCount;
  if (!Number(at, level.count)) return false;
  const ValueTypeInfo* const info = FindValueType(type);
  if (info == nullptr) return false;
  level.type = info->type;
  level.left = level.count;
  return true;
}

// Like Parse, with a stack of fixed size.
bool Walk::Array() {
  std::array<Level, kDeepestArray> levels;
  std::size_t depth = 0;
  Part at;
  if (!Head(at, levels.at(depth++))) return false;
  while (depth > 0) {
    Level& level = levels.at(depth - 1);
    at.depth = static_cast<std::uint32_t>(depth);
    const Level& outermost = levels.front();  // was decremented when its element was entered
    at.outermost_index = depth > 1 ? outermost.count - outermost.left - 1 : 0;
    if (level.type != ValueType::kArray) {
      if (!Elements(level, at)) return false;
      --depth;
    } else if (level.left == 0) {
      --depth;
    } else {
      if (depth == levels.size()) return false;
      at.index = level.count - level.left;
      --level.left;
      if (!Head(at, levels.at(depth++))) return false;
    }
  }
  return true;
}

bool Walk::Elements(const Level& level, Part at) {
  at.type = level.type;
  if (level.type != ValueType::kString) {
    at.kind = Kind::kScalar;
    return Run(at, InfoOf(level.type).scalar_bytes, level.count);
  }
  at.kind = Kind::kStringLength;
  for (at.index = 0; at.index < level.count; ++at.index) {
    if (!Text(at, Kind::kString)) return false;
  }
  return true;
}

void Walk::TensorInfo() {
  std::uint32_t dimensions = 0;
  if (!Text({.kind = Kind::kNameLength}, Kind::kName) ||
      !Number({.kind = Kind::kDimensionCount}, dimensions) || dimensions > kReadDimensions ||
      !Run({.kind = Kind::kDimension}, sizeof(std::uint64_t), dimensions) ||
      !Put({.kind = Kind::kTensorType}, sizeof(std::uint32_t))) {
    return;
  }
  (void)Put({.kind = Kind::kTensorOffset}, sizeof(std::uint64_t));
}

void Walk::Blocks(const ggufgate::TensorInfo& tensor) {
  const TensorTypeInfo* const type = FindTensorType(tensor.type_id);
  if (type != nullptr) (void)Run({.kind = Kind::kBlock}, type->block_bytes, UINT64_MAX);
}

void Walk::Unread(const std::optional<Fault>& fault) {
  if (!fault || fault->where.begin < at_) return;
  const std::uint64_t left = end_ - std::min(fault->where.begin, end_);
  limit_ = end_ - left + std::min(fault->where.size, left);
  if (fault->place.section == Place::Section::kMetadata) Entry();
  if (fault->place.section == Place::Section::kTensor) TensorInfo();
}

}  // namespace

PartPage PartsOf(const Document& document, const Region& region, std::uint64_t from,
                 std::size_t most) {
  Walk walk(document, region.range, from, most);
  Kind rest = Kind::kUnread;
  switch (region.kind) {
    case Region::Kind::kHeader:
      walk.Header();
      break;
    case Region::Kind::kMetadata:
      walk.Entry();
      break;
    case Region::Kind::kTensorInfo:
      walk.TensorInfo();
      break;
    case Region::Kind::kTensorData:
      walk.Blocks(document.tensors.at(region.index));
      break;
    case Region::Kind::kPadding:
      rest = Kind::kPadding;
      break;
    case Region::Kind::kGap:
      rest = Kind::kGap;
      break;
    case Region::Kind::kTrailing:
      rest = Kind::kTrailing;
      break;
    case Region::Kind::kUnread:
      walk.Unread(document.fault);
      break;
  }
  walk.Rest(rest);
  return walk.Take();
}

}  // namespace ggufgate
