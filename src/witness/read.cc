// The parser. It stops at the first error.

#include <array>
#include <utility>

#include "witness/witness.h"

namespace witness {
namespace {

constexpr std::uint32_t kBool = 7;
constexpr std::uint32_t kString = 8;
constexpr std::uint32_t kArray = 9;
constexpr std::uint32_t kLastType = 12;
constexpr std::uint32_t kDeepest = 100;  // nested arrays; limits the recursion

// Minimum number of bytes of a value: for a string its length, for an array its element type and
// count.
//                                    u8 i8 u16 i16 u32 i32 f32 bool string array u64 i64 f64
constexpr std::array<std::uint64_t, kLastType + 1> kBytes = {1, 1, 2,  2, 4, 4, 4,
                                                             1, 8, 12, 8, 8, 8};

class Reader {
 public:
  Reader(std::span<const std::uint8_t> front, std::uint64_t size, Verdict& verdict)
      : front_(front), size_(size), verdict_(verdict), file_(verdict.file) {}

  void ReadFile() {
    if (!ReadHeader() || !ReadEntries()) return;
    FindAlignment();
    if (!ReadTensors()) return;
    file_.whole = true;
    file_.data = file_.end;
    if (file_.aligned && !file_.tensors.empty()) {
      const std::uint64_t beyond = file_.data % file_.alignment;
      if (beyond != 0) file_.data += file_.alignment - beyond;
    }
  }

 private:
  // Stop records why parsing stops.
  bool Stop(const char* rule) {
    verdict_.complaints.push_back({.rule = rule, .record = record_});
    return false;
  }

  [[nodiscard]] std::uint64_t Left() const { return size_ - at_; }

  // Holds tells whether the front has the next bytes. The file must have them.
  bool Holds(std::uint64_t bytes) {
    if (bytes <= front_.size() - at_) return true;
    file_.beyond = true;
    return false;
  }

  // Number reads an unsigned number of `width` bytes, in the byte order of the file.
  bool Number(std::uint64_t width, std::uint64_t& out) {
    if (Left() < width) return Stop(truncated_);
    if (!Holds(width)) return false;
    out = 0;
    for (std::uint64_t i = 0; i < width; ++i) {
      const std::uint64_t place = file_.big_endian ? i : width - 1 - i;
      out = out * 256 + front_[at_ + place];
    }
    at_ += width;
    return true;
  }

  bool Number32(std::uint32_t& out) {
    std::uint64_t number = 0;
    if (!Number(4, number)) return false;
    out = static_cast<std::uint32_t>(number);
    return true;
  }

  bool Text(std::string& out) {
    std::uint64_t length = 0;
    if (!Number(8, length)) return false;
    if (length > Left()) return Stop("string-length");
    if (!Holds(length)) return false;
    const std::span<const std::uint8_t> text = front_.subspan(at_, length);
    out.assign(text.begin(), text.end());
    at_ += length;
    return true;
  }

  bool ReadHeader() {
    if (size_ < 24) return Stop("file-too-short");
    if (!Holds(24)) return false;
    for (const char c : {'G', 'G', 'U', 'F'}) {
      if (front_[at_++] != static_cast<std::uint8_t>(c)) return Stop("magic");
    }
    if (!Number32(file_.version)) return false;
    if (file_.version == 0x0200'0000) return Stop("byte-order");  // there is no such version 2
    if (file_.version == 0x0300'0000) {
      file_.big_endian = true;
      file_.version = 3;
    }
    if (file_.version != 2 && file_.version != 3) {
      file_.version = 0;
      return Stop("version");
    }
    if (!Number(8, file_.tensor_count) || !Number(8, file_.metadata_count)) return false;
    file_.end = at_;
    bool possible = true;
    if (Wide{file_.tensor_count} * 24 > Left()) possible = Stop("tensor-count");
    if (Wide{file_.metadata_count} * 13 > Left()) possible = Stop("metadata-count");
    return possible;
  }

  bool ReadEntries() {
    for (record_ = 0; record_ < file_.metadata_count; ++record_) {
      Entry entry;
      entry.begin = at_;
      if (!Text(entry.key) || !Number32(entry.type)) return false;
      if (entry.type > kLastType) return Stop("value-type");
      if (!ReadValue(entry)) return false;
      entry.end = at_;
      file_.end = at_;
      file_.entries.push_back(std::move(entry));
    }
    return true;
  }

  bool ReadValue(Entry& entry) {
    if (entry.type == kString) {
      entry.contents = at_ + 8;
      entry.texts.emplace_back();
      return Text(entry.texts.back());
    }
    if (entry.type == kArray) {
      entry.contents = at_ + 12;
      return ReadArray(1, entry);
    }
    entry.contents = at_;
    std::uint64_t number = 0;
    if (!Number(kBytes[entry.type], number)) return false;
    SetNatural(number, entry);
    if (entry.type == kBool) entry.bools.push_back(number);
    return true;
  }

  static void SetNatural(std::uint64_t number, Entry& entry) {
    const bool is_float = entry.type == 6 || entry.type == 12;
    const bool is_signed =
        entry.type == 1 || entry.type == 3 || entry.type == 5 || entry.type == 11;
    const bool negative = is_signed && (number >> (8 * kBytes[entry.type] - 1)) != 0;
    entry.has_natural = !is_float && !negative;
    if (entry.has_natural) entry.natural = number;
  }

  bool ReadArray(std::uint32_t depth, Entry& entry) {
    if (depth > kDeepest) return Stop("array-nested");
    if (depth > entry.depth) entry.depth = depth;
    std::uint32_t type = 0;
    std::uint64_t count = 0;
    if (!Number32(type)) return false;
    if (type > kLastType) return Stop("array-element-type");
    if (!Number(8, count)) return false;
    if (Wide{count} * kBytes[type] > Left()) return Stop("array-count");
    if (depth == 1) {
      entry.element_type = type;
      entry.count = count;
    }
    for (std::uint64_t i = 0; i < count; ++i) {
      if (!ReadElement(type, depth, entry)) return false;
    }
    return true;
  }

  bool ReadElement(std::uint32_t type, std::uint32_t depth, Entry& entry) {
    if (type == kArray) return ReadArray(depth + 1, entry);
    if (type == kString) {
      entry.texts.emplace_back();
      return Text(entry.texts.back());
    }
    std::uint64_t number = 0;
    if (!Number(kBytes[type], number)) return false;
    if (type == kBool) entry.bools.push_back(number);
    return true;
  }

  void FindAlignment() {
    file_.aligned = true;
    file_.alignment = 32;
    for (const Entry& entry : file_.entries) {
      if (entry.key != "general.alignment") continue;
      file_.aligned = entry.type == 4 && entry.natural != 0;
      file_.alignment = file_.aligned ? entry.natural : 0;
      return;
    }
  }

  bool ReadTensors() {
    truncated_ = "truncated-tensor-info";
    for (record_ = 0; record_ < file_.tensor_count; ++record_) {
      Tensor tensor;
      tensor.begin = at_;
      std::uint32_t dims = 0;
      if (!Text(tensor.name) || !Number32(dims)) return false;
      if (dims > 5) return Stop("tensor-dimensions");
      for (std::uint32_t i = 0; i < dims; ++i) {
        tensor.dims.push_back(0);
        if (!Number(8, tensor.dims.back())) return false;
      }
      if (!Number32(tensor.type) || !Number(8, tensor.offset)) return false;
      tensor.end = at_;
      file_.end = at_;
      file_.tensors.push_back(std::move(tensor));
    }
    return true;
  }

  std::span<const std::uint8_t> front_;
  std::uint64_t size_;
  Verdict& verdict_;
  File& file_;
  std::uint64_t at_ = 0;
  std::uint64_t record_ = 0;
  const char* truncated_ = "truncated-metadata";
};

}  // namespace

void Read(std::span<const std::uint8_t> front, std::uint64_t file_size, Verdict& verdict) {
  Reader(front, file_size, verdict).ReadFile();
}

}  // namespace witness
