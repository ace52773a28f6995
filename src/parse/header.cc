// Header: magic, version (which shows the byte order) and the two counts.

#include <algorithm>
#include <ranges>

#include "parse/reader.h"

namespace ggufgate::internal {

bool Reader::ReadHeader() {
  place_.section = Place::Section::kFile;
  if (document_.file_size < kHeaderBytes) {
    return Fail(FaultKind::kFileTooShort, {0, document_.file_size}, "header", document_.file_size,
                kHeaderBytes);
  }
  place_.section = Place::Section::kHeader;
  Bytes magic;
  if (!cursor_.ReadBytes(kMagic.size(), magic, "magic")) return StopAtShortfall();
  if (AsText(magic) != kMagic) {
    return Fail(FaultKind::kMagic, {0, kMagic.size()}, "magic",
                Load<std::uint32_t>(magic, ByteOrder::kLittle), 0);
  }
  return ReadVersion() && ReadCounts();
}

// Only the version shows the byte order of a file: in the right order it is 2 or 3. Big-endian
// files exist since version 3.
bool Reader::ReadVersion() {
  const ByteRange where{cursor_.offset(), 4};
  Bytes raw;
  if (!cursor_.ReadBytes(4, raw, "version")) return StopAtShortfall();
  const auto little = Load<std::uint32_t>(raw, ByteOrder::kLittle);
  const auto big = Load<std::uint32_t>(raw, ByteOrder::kBig);

  if (big == 2) return Fail(FaultKind::kByteOrder, where, "version", 2, 3);
  if (big == 3) {
    document_.byte_order = ByteOrder::kBig;
  } else if (little != 2 && little != 3) {
    return Fail(FaultKind::kVersion, where, "version", big == 1 ? 1 : little, 3);
  }
  document_.version = big == 3 ? big : little;
  cursor_.set_byte_order(document_.byte_order);
  return true;
}

bool Reader::ReadCounts() {
  const ByteRange tensors_at{cursor_.offset(), 8};
  const ByteRange metadata_at{tensors_at.End(), 8};
  if (!cursor_.Read(document_.tensor_count, "tensor count") ||
      !cursor_.Read(document_.metadata_count, "metadata count")) {
    return StopAtShortfall();
  }
  document_.directory_end = cursor_.offset();

  const std::uint64_t room_for_tensors = cursor_.remaining() / kMinimumTensorBytes;
  const std::uint64_t room_for_keys = cursor_.remaining() / kMinimumKeyBytes;
  const auto check = [&](FaultKind kind, ByteRange where, const char* field, std::uint64_t claimed,
                         std::uint64_t room, std::uint64_t limit) {
    if (claimed > room) return Fail(kind, where, field, claimed, room);
    if (claimed > limit) return Fail(kind, where, field, claimed, limit, /*by_limit=*/true);
    return true;
  };
  return check(FaultKind::kTensorCount, tensors_at, "tensor count", document_.tensor_count,
               room_for_tensors, limits_.tensors) &&
         check(FaultKind::kMetadataCount, metadata_at, "metadata count", document_.metadata_count,
               room_for_keys, limits_.metadata_keys);
}

}  // namespace ggufgate::internal
