#include "tests/oracles/accepted.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "format/key.h"
#include "format/tensors/block_fields.h"
#include "tests/oracles/require.h"

namespace ggufgate::fuzz {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr Wide kMost = (Wide{1} << 63) - 1;
constexpr std::string_view kAlignment = "general.alignment";

struct Block {
  std::uint64_t elements = 0;
  std::uint64_t bytes = 0;
};

std::optional<Block> BlockOf(std::uint32_t type_id) {
  switch (type_id) {
#define GGUFGATE_TENSOR_TYPE(name, id, elements, bytes, quantised) \
  case id:                                                         \
    return Block{elements, bytes};
#include "format/tensors/tensor_types.def"
#undef GGUFGATE_TENSOR_TYPE
    default:
      return std::nullopt;
  }
}

// NumberOf reads bytes as one number.
std::uint64_t NumberOf(Bytes bytes, bool big) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    number = number << 8 | bytes[big ? i : bytes.size() - 1 - i];
  }
  return number;
}

bool AllDiffer(std::vector<std::string_view> texts) {
  // Compares lengths first, so most texts need no comparison of their bytes.
  std::ranges::sort(texts, [](std::string_view a, std::string_view b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return std::ranges::adjacent_find(texts) == texts.end();
}

// IsText tells whether bytes are well-formed UTF-8. Source: RFC 3629, the values that a length
// allows.
bool IsText(Bytes bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    const unsigned lead = bytes[i++];
    if (lead < 0x80) continue;
    const std::size_t more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if (lead < 0xC0 || lead > 0xF7 || more > bytes.size() - i) return false;
    std::uint32_t value = lead & (0x3FU >> more);
    for (std::size_t end = i + more; i < end; ++i) {
      if ((bytes[i] & 0xC0U) != 0x80) return false;
      value = value << 6 | (bytes[i] & 0x3FU);
    }
    constexpr std::uint32_t kLeast[] = {0, 0x80, 0x800, 0x10000};
    if (value < kLeast[more] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000)) {
      return false;
    }
  }
  return true;
}

// Examiner checks one accepted file.
class Examiner {
 public:
  Examiner(const Document& document, Bytes file, const Policy& policy)
      : document_(document),
        file_(file),
        policy_(policy),
        big_(document.byte_order == ByteOrder::kBig),
        images_(policy.profile == Profile::kDiffusion),
        gate_(policy.profile == Profile::kGate || images_),
        spec_(policy.profile == Profile::kSpec) {}

  void ExamineHeader() {
    Require(AsText(file_.first(4)) == "GGUF", "an accepted file begins with the magic");
    Require(spec_ || policy_.target == TargetOrder::kAny ||
                (policy_.target == TargetOrder::kBig) == big_,
            "an accepted file has the byte order asked for");
    Require(NumberOf(file_.subspan(8, 8), big_) == document_.tensors.size() &&
                NumberOf(file_.subspan(16, 8), big_) == document_.metadata.size(),
            "an accepted file has as many keys and tensors as it claims");
  }

  void ExamineMetadata() {
    std::vector<std::string_view> keys;
    for (const MetadataEntry& entry : document_.metadata) {
      keys.push_back(entry.key);
      ExamineKey(entry.key);
      if (entry.type == ValueType::kBool) ExamineBools(entry.ValueRange());
      if (entry.type == ValueType::kString && spec_) {
        Require(IsText(BytesOf(entry.ElementsRange())), "text of an accepted file is UTF-8");
      }
      if (entry.type == ValueType::kArray) ExamineArray(entry);
    }
    Require(AllDiffer(std::move(keys)), "no key of an accepted file stands in it twice");
  }

  void ExamineTensors() {
    std::vector<std::string_view> names;
    std::vector<std::pair<Wide, Wide>> places;
    const Wide alignment = AlignmentOf();
    const Wide begin = (document_.directory_end + alignment - 1) / alignment * alignment;
    Wide sum = 0;
    for (const TensorInfo& tensor : document_.tensors) {
      names.push_back(tensor.name);
      ExamineName(tensor.name);
      const Wide bytes = SizeOf(tensor);
      Require(tensor.offset % alignment == 0, "an accepted tensor is aligned");
      Require(spec_ || tensor.offset == sum, "an accepted tensor stands where those before it end");
      sum += (bytes + alignment - 1) / alignment * alignment;
      Require(sum <= kMost, "the sizes of accepted tensors add up to less than 2^63");
      const Wide end = begin + tensor.offset + bytes;
      Require(end <= file_.size(), "the data of an accepted tensor are inside the file");
      if (bytes > 0) places.emplace_back(end - bytes, end);
      if (policy_.data == DataScan::kFull) ExamineData(tensor, end - bytes, bytes);
    }
    Require(AllDiffer(std::move(names)), "no two accepted tensors have one name");
    std::ranges::sort(places);
    for (std::size_t i = 1; i < places.size(); ++i) {
      Require(places[i].first >= places[i - 1].second, "no two accepted tensors share a byte");
    }
  }

  // Checks the tokenizer and the shard, as far as simple arithmetic allows.
  void ExamineMeaning() {
    if (!gate_ || images_) return;
    const MetadataEntry* tokens = Find("tokenizer.ggml.tokens");
    if (tokens != nullptr && tokens->IsArrayOf(ValueType::kString)) {
      for (const char* key : {"tokenizer.ggml.scores", "tokenizer.ggml.token_type"}) {
        const MetadataEntry* array = Find(key);
        Require(
            array == nullptr || array->type != ValueType::kArray || array->count == tokens->count,
            "scores and types of an accepted vocabulary are as many as its tokens");
      }
      for (const MetadataEntry& entry : document_.metadata) {
        if (!entry.key.ends_with("_token_id") || FindKey(entry.key, "") == nullptr) continue;
        const auto id = Scalar(entry.key, ValueType::kU32);
        Require(!id || tokens->count == 0 || *id < tokens->count || *id == 0xFFFFFFFF,
                "special tokens of an accepted vocabulary are inside it");
      }
    }
    const auto shard = Scalar("split.no", ValueType::kU16);
    const auto shards = Scalar("split.count", ValueType::kU16);
    Require(!shard || !shards || *shards == 0 || *shard < *shards,
            "an accepted shard is one of its set");
  }

 private:
  [[nodiscard]] Bytes BytesOf(ByteRange range) const {
    Require(range.FitsIn(file_.size()), "a value of an accepted file is inside the file");
    return file_.subspan(range.begin, range.size);
  }

  [[nodiscard]] const MetadataEntry* Find(std::string_view key) const {
    const auto found = std::ranges::find(document_.metadata, key, &MetadataEntry::key);
    return found != document_.metadata.end() ? &*found : nullptr;
  }

  [[nodiscard]] std::optional<std::uint64_t> Scalar(std::string_view key, ValueType type) const {
    const MetadataEntry* entry = Find(key);
    if (entry == nullptr || entry->type != type) return std::nullopt;
    return NumberOf(BytesOf(entry->ValueRange()), big_);
  }

  void ExamineKey(std::string_view key) const {
    Require(!key.empty() && key.find('\0') == std::string_view::npos,
            "a key of an accepted file is not empty and holds no NUL");
    Require(!gate_ || std::ranges::all_of(key, [](char c) { return c >= 0x20 && c <= 0x7E; }),
            "a key of an accepted file is printable ASCII");
  }

  void ExamineName(std::string_view name) const {
    Require(name.size() <= policy_.limits.tensor_name_bytes,
            "the name of an accepted tensor is not too long");
    Require(name.find('\0') == std::string_view::npos,
            "the name of an accepted tensor holds no NUL");
    Require((!spec_ && !gate_) || IsText(AsBytes(name)), "the name of an accepted tensor is UTF-8");
  }

  void ExamineBools(ByteRange range) const {
    if (!gate_ && !spec_) return;
    Require(std::ranges::all_of(BytesOf(range), [](std::uint8_t byte) { return byte <= 1; }),
            "a bool of an accepted file is 0 or 1");
  }

  void ExamineArray(const MetadataEntry& entry) const {
    const ByteRange elements = entry.ElementsRange();
    if (entry.element_type == ValueType::kArray) {
      Require(spec_, "an accepted file has no arrays of arrays");
    } else if (entry.element_type == ValueType::kString) {
      ExamineStrings(BytesOf(elements), entry);
    } else {
      Require(Wide{entry.count} * InfoOf(entry.element_type).scalar_bytes == elements.size,
              "an accepted array has the bytes of its elements");
      if (entry.element_type == ValueType::kBool) ExamineBools(elements);
    }
  }

  void ExamineStrings(Bytes rest, const MetadataEntry& entry) const {
    const bool raw = entry.key.starts_with("tokenizer.");
    for (std::uint64_t i = 0; i < entry.count; ++i) {
      Require(rest.size() >= 8, "an accepted array has all its strings");
      const std::uint64_t length = NumberOf(rest.first(8), big_);
      Require(length <= rest.size() - 8, "a string of an accepted array ends with the array");
      Require(!spec_ || raw || IsText(rest.subspan(8, length)),
              "text of an accepted file is UTF-8");
      rest = rest.subspan(8 + length);
    }
    Require(rest.empty(), "an accepted array ends with its last string");
  }

  [[nodiscard]] Wide AlignmentOf() const {
    const MetadataEntry* entry = Find(kAlignment);
    if (entry == nullptr) return 32;
    const auto value = Scalar(kAlignment, ValueType::kU32);
    Require(value && *value > 0 && (spec_ ? *value % 8 : *value & (*value - 1)) == 0,
            "the alignment of an accepted file can be reckoned with");
    return *value;
  }

  [[nodiscard]] Wide SizeOf(const TensorInfo& tensor) const {
    const auto block = BlockOf(tensor.type_id);
    Require(block.has_value(), "an accepted tensor has a type that exists");
    Require(tensor.dimension_count <= (gate_ ? 5U : 4U), "an accepted tensor has few dimensions");
    Wide elements = 1;
    Wide row = 1;
    for (std::size_t i = 0; i < tensor.dimension_count; ++i) {
      const std::uint64_t dim = tensor.dims.at(i);
      elements *= dim;
      if (i == 0) row = dim;
      Require(!gate_ || i == 0 || dim > 0, "an accepted tensor has no outer dimension of 0");
      Require(elements <= kMost, "an accepted tensor has less than 2^63 elements");
    }
    Require(row % block->elements == 0, "a row of an accepted tensor is whole blocks");
    const Wide bytes = elements / block->elements * block->bytes;
    Require(bytes <= kMost, "an accepted tensor has less than 2^63 bytes");
    return bytes;
  }

  // Every value and scale that is a float must be finite.
  void ExamineData(const TensorInfo& tensor, Wide begin, Wide bytes) const {
    if (!gate_) return;
    const Block block = *BlockOf(tensor.type_id);
    Bytes data = file_.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(bytes));
    for (; !data.empty(); data = data.subspan(block.bytes)) {
      for (const BlockField& field : FieldsOf(static_cast<TensorType>(tensor.type_id))) {
        const std::uint64_t exponent = ExponentOf(field.kind);
        if (exponent == 0) continue;
        const std::size_t size = FieldBytes(field.kind);
        for (std::size_t i = 0; i < field.count; ++i) {
          const auto bits = NumberOf(data.subspan(field.offset + i * size, size), big_);
          Require((bits & exponent) != exponent,
                  "with every value judged, all floats of an accepted file are finite");
        }
      }
    }
  }

  // ExponentOf returns 0 for a field that is not a float.
  static std::uint64_t ExponentOf(FieldKind kind) {
    switch (kind) {
      case FieldKind::kF16:
        return 0x7C00;
      case FieldKind::kBF16:
        return 0x7F80;
      case FieldKind::kF32:
      case FieldKind::kQ8KScale:
        return 0x7F80'0000;
      case FieldKind::kF64:
        return 0x7FF0'0000'0000'0000;
      default:
        return 0;
    }
  }

  const Document& document_;
  Bytes file_;
  const Policy& policy_;
  bool big_;
  bool images_;
  bool gate_;
  bool spec_;
};

}  // namespace

void RequireAcceptable(const Document& document, Bytes file, const Policy& policy) {
  Examiner examiner(document, file, policy);
  examiner.ExamineHeader();
  examiner.ExamineMetadata();
  examiner.ExamineTensors();
  examiner.ExamineMeaning();
}

}  // namespace ggufgate::fuzz
