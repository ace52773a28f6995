#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/bytes.h"
#include "rehearse/driver_record.h"
#include "rehearse/outcome.h"

namespace ggufgate {

// DriverRecordReader reads the records of the driver. It hardly trusts them, because the loader
// shares the driver's memory. A record without the nonce, out of order or of an unknown kind is a
// forgery, and all records after it are ignored.
class DriverRecordReader {
 public:
  explicit DriverRecordReader(const std::array<std::uint8_t, 16>& nonce) : nonce_(nonce) {}

  void Add(Bytes bytes);

  [[nodiscard]] RehearsalStage stage() const { return stage_; }
  [[nodiscard]] bool forged() const { return forged_; }
  [[nodiscard]] bool refused() const { return refused_; }
  [[nodiscard]] bool finished() const { return finished_; }
  // Texts from the driver, or from a loader that has found the nonce.
  [[nodiscard]] const std::string& cannot() const { return cannot_; }
  [[nodiscard]] const std::string& version() const { return version_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  void Take(const DriverRecord& record);
  [[nodiscard]] bool IsSound(const DriverRecord& record) const;

  std::array<std::uint8_t, 16> nonce_;
  std::vector<std::uint8_t> unread_;  // an incomplete record
  RehearsalStage stage_ = RehearsalStage::kOpen;
  bool forged_ = false;
  bool refused_ = false;
  bool finished_ = false;
  std::string cannot_;
  std::string version_;
  std::vector<std::string> notes_;
};

}  // namespace ggufgate
