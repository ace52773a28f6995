#include "rehearse/driver_record_reader.h"

#include <algorithm>
#include <cstring>

namespace ggufgate {
namespace {

constexpr std::size_t kMostNotes = 16;

std::string TextOf(const DriverRecord& record) {
  return {record.text.begin(), std::ranges::find(record.text, '\0')};
}

}  // namespace

bool DriverRecordReader::IsSound(const DriverRecord& record) const {
  using Kind = DriverRecord::Kind;
  if (record.nonce != nonce_ || record.stage >= kRehearsalStages) return false;
  if (record.kind > static_cast<std::uint8_t>(Kind::kFinished)) return false;
  if (finished_ || refused_ || !cannot_.empty()) return false;  // no records may follow
  const auto stage = static_cast<RehearsalStage>(record.stage);
  switch (static_cast<Kind>(record.kind)) {
    case Kind::kEnters:
      return stage > stage_ || stage == RehearsalStage::kOpen;
    case Kind::kFinished:
      return stage == stage_ && stage == RehearsalStage::kDone;
    case Kind::kVersion:
    case Kind::kNote:
    case Kind::kRefused:
    case Kind::kCannot:
      return stage == stage_;
  }
  return false;
}

void DriverRecordReader::Take(const DriverRecord& record) {
  using Kind = DriverRecord::Kind;
  if (!IsSound(record)) {
    forged_ = true;
    return;
  }
  switch (static_cast<Kind>(record.kind)) {
    case Kind::kEnters:
      stage_ = static_cast<RehearsalStage>(record.stage);
      break;
    case Kind::kVersion:
      version_ = TextOf(record);
      break;
    case Kind::kNote:
      if (notes_.size() < kMostNotes) notes_.push_back(TextOf(record));
      break;
    case Kind::kRefused:
      refused_ = true;
      break;
    case Kind::kCannot:
      cannot_ = TextOf(record);
      if (cannot_.empty()) cannot_ = "no reason was given";
      break;
    case Kind::kFinished:
      finished_ = true;
      break;
  }
}

void DriverRecordReader::Add(Bytes bytes) {
  while (!bytes.empty() && !forged_) {
    const std::size_t piece = std::min(bytes.size(), sizeof(DriverRecord) - unread_.size());
    const Bytes taken = bytes.first(piece);
    unread_.insert(unread_.end(), taken.begin(), taken.end());
    bytes = bytes.subspan(piece);
    if (unread_.size() < sizeof(DriverRecord)) return;
    DriverRecord record;
    std::memcpy(&record, unread_.data(), sizeof(record));
    unread_.clear();
    Take(record);
  }
}

}  // namespace ggufgate
