// Metadata: keys with their values. Arrays may contain arrays. The parser uses a stack of fixed
// size and no recursion, because a level of nesting needs only 12 bytes of the file.

#include <algorithm>
#include <array>

#include "parse/reader.h"

namespace ggufgate::internal {

bool Reader::ReadMetadata() {
  // ReadCounts has checked the count against kMinimumKeyBytes per key, but the keys may still be
  // invalid. So memory grows only with the entries that are read.
  for (std::uint64_t i = 0; i < document_.metadata_count; ++i) {
    place_ = {.section = Place::Section::kMetadata, .index = i};
    if (!ReadEntry()) return false;
  }
  return true;
}

bool Reader::ReadEntry() {
  MetadataEntry entry;
  entry.range.begin = cursor_.offset();
  Bytes key;
  if (!ReadString(key, "key length", "key")) return false;
  entry.key = AsText(key);
  place_.name = entry.key;

  if (!ReadValueType(entry.type, "value type", FaultKind::kValueType)) return false;
  if (!ReadValue(entry)) return false;

  entry.range = ByteRange::Between(entry.range.begin, cursor_.offset());
  document_.metadata.push_back(entry);
  document_.directory_end = cursor_.offset();
  return true;
}

bool Reader::ReadValue(MetadataEntry& entry) {
  Bytes text;
  switch (entry.type) {
    case ValueType::kString:
      return ReadString(text, "string length", "string");
    case ValueType::kArray:
      return ReadArray(entry);
    default:
      return cursor_.Skip(InfoOf(entry.type).scalar_bytes, "value") || StopAtShortfall();
  }
}

bool Reader::ReadValueType(ValueType& type, const char* field, FaultKind kind) {
  const ByteRange where{cursor_.offset(), 4};
  std::uint32_t id = 0;
  if (!cursor_.Read(id, field)) return StopAtShortfall();
  const ValueTypeInfo* info = FindValueType(id);
  if (info == nullptr) {
    return Fail(kind, where, field, id, static_cast<std::uint64_t>(ValueType::kF64));
  }
  type = info->type;
  return true;
}

bool Reader::ReadString(Bytes& out, const char* length_field, const char* field) {
  std::uint64_t length = 0;
  if (!cursor_.Read(length, length_field)) return StopAtShortfall();
  if (!CheckLength(length, length_field)) return false;
  return cursor_.ReadBytes(length, out, field) || StopAtShortfall();
}

// CheckLength rejects the length of a string if it exceeds the rest of the file or the limit.
bool Reader::CheckLength(std::uint64_t length, const char* field) {
  const std::uint64_t room = cursor_.remaining();
  if (length <= room && length <= limits_.string_bytes) [[likely]] {
    return true;
  }
  const ByteRange where{cursor_.offset() - 8, 8};
  const bool by_limit = length <= room;
  return Fail(FaultKind::kStringLength, where, field, length,
              by_limit ? limits_.string_bytes : room, by_limit);
}

bool Reader::ReadArray(MetadataEntry& entry) {
  std::array<Array, kDeepestArray> levels;
  const std::size_t deepest = std::min(limits_.array_depth, kDeepestArray);
  std::size_t depth = 0;
  const auto enter = [&] {
    if (depth >= deepest) {
      return Fail(FaultKind::kArrayDepth, {cursor_.offset(), 12}, "array", depth + 1, deepest,
                  /*by_limit=*/true);
    }
    if (!ReadArrayHead(levels.at(depth))) return false;
    ++depth;
    entry.depth = std::max(entry.depth, static_cast<std::uint32_t>(depth));
    return true;
  };

  if (!enter()) return false;
  entry.element_type = levels.front().element_type;
  entry.count = levels.front().left;
  while (depth > 0) {
    Array& array = levels.at(depth - 1);
    if (array.element_type != ValueType::kArray) {
      if (!ReadElements(array)) return false;
      --depth;
    } else if (array.left == 0) {
      --depth;
    } else {
      if (depth == 1) place_.element = entry.count - array.left;
      --array.left;
      if (!enter()) return false;
    }
  }
  place_.element = Place::kNoElement;
  return true;
}

bool Reader::ReadArrayHead(Array& array) {
  if (!ReadValueType(array.element_type, "array element type", FaultKind::kArrayElementType)) {
    return false;
  }
  const ByteRange where{cursor_.offset(), 8};
  if (!cursor_.Read(array.left, "array count")) return StopAtShortfall();

  const std::uint64_t room = cursor_.remaining() / MinimumBytes(array.element_type);
  if (array.left > room) {
    return Fail(FaultKind::kArrayCount, where, "array count", array.left, room);
  }
  if (array.left > limits_.array_elements) {
    return Fail(FaultKind::kArrayCount, where, "array count", array.left, limits_.array_elements,
                /*by_limit=*/true);
  }
  if (array.element_type == ValueType::kString) {
    strings_in_arrays_ += array.left;  // each array adds at most 2^61; the limit stops the second
    if (strings_in_arrays_ > limits_.array_strings) {
      return Fail(FaultKind::kArrayStrings, where, "array count", strings_in_arrays_,
                  limits_.array_strings, /*by_limit=*/true);
    }
  }
  return true;
}

bool Reader::ReadElements(const Array& array) {
  if (array.element_type == ValueType::kString) return ReadStrings(array.left);
  // ReadArrayHead has checked that this product does not exceed the remaining bytes.
  const std::uint64_t bytes = array.left * InfoOf(array.element_type).scalar_bytes;
  if (!cursor_.Skip(bytes, "array elements")) return StopAtShortfall();
  skipped_bytes_ += bytes;
  return true;
}

// The hot loop of the parser: a vocabulary and its merges have about 400,000 strings. The cursor
// skips most of them in one call. The rest, and all invalid ones, are read one by one.
bool Reader::ReadStrings(std::uint64_t count) {
  const std::uint64_t begin = cursor_.offset();
  const std::uint64_t known = SkipKnown(count);
  const RecordRun run = cursor_.SkipRecords(count - known, limits_.string_bytes,
                                            document_.wide_lengths, document_.some_lengths);
  KeepRun({.begin = begin, .count = known + run.records, .bytes = cursor_.offset() - begin});
  for (std::uint64_t i = known + run.records; i < count; ++i) {
    const std::uint64_t length_at = cursor_.offset();
    Bytes text;
    if (!ReadString(text, "string length", "string")) {
      if (document_.fault && document_.fault->place.element == Place::kNoElement) {
        document_.fault->place.element = i;
      }
      Expect(begin, i, count);
      return false;
    }
    if ((text.size() & kWideLength) != 0) [[unlikely]] {
      document_.wide_lengths.push_back(length_at);
    }
  }
  return true;
}

std::uint64_t Reader::SkipKnown(std::uint64_t count) {
  const std::uint64_t begin = cursor_.offset();
  while (next_known_ != known_.runs.end() && next_known_->begin < begin) ++next_known_;
  if (next_known_ == known_.runs.end() || next_known_->begin != begin ||
      next_known_->count > count || !cursor_.Skip(next_known_->bytes, "strings")) {
    return 0;
  }
  const auto add = [&](const std::vector<std::uint64_t>& offsets, std::vector<std::uint64_t>& out) {
    out.insert(out.end(), std::ranges::lower_bound(offsets, begin),
               std::ranges::lower_bound(offsets, cursor_.offset()));
  };
  add(known_.wide_lengths, document_.wide_lengths);
  add(known_.some_lengths, document_.some_lengths);
  return next_known_->count;
}

void Reader::KeepRun(const StringRun& run) {
  if (run.bytes < kLongRun) return;
  result_.runs.push_back(run);
  skipped_bytes_ += run.bytes;
}

}  // namespace ggufgate::internal
