#include "mutate/file/draft.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "bytes/checked.h"
#include "format/loader_limits.h"
#include "format/value_type.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kDeepest = 8;                       // arrays in arrays that are taken apart
constexpr std::size_t kSearched = std::size_t{64} << 10;  // bytes looked through for a record
constexpr std::size_t kTried = 16;                        // places in them where one may begin

// Reader takes numbers and texts off the front of some bytes. A failed read leaves it as it was.
class Reader {
 public:
  Reader(Bytes rest, Encoding encoding) : rest_(rest), encoding_(encoding) {}

  template <Scalar T>
  [[nodiscard]] bool Number(T& out) {
    if (rest_.size() < sizeof(T)) return false;
    out = Load<T>(rest_, encoding_.order);
    rest_ = rest_.subspan(sizeof(T));
    return true;
  }
  [[nodiscard]] bool Word(std::uint64_t& out) {
    if (encoding_.word == 8) return Number(out);
    std::uint32_t narrow = 0;
    if (!Number(narrow)) return false;
    out = narrow;
    return true;
  }
  [[nodiscard]] bool Skip(std::uint64_t size) {
    if (rest_.size() < size) return false;
    rest_ = rest_.subspan(size);
    return true;
  }
  [[nodiscard]] bool String(std::string_view& out) {
    std::uint64_t length = 0;
    Reader ahead = *this;
    if (!ahead.Word(length) || ahead.rest_.size() < length) return false;
    out = AsText(ahead.rest_.first(length));
    rest_ = ahead.rest_.subspan(length);
    return true;
  }
  [[nodiscard]] std::size_t left() const { return rest_.size(); }
  [[nodiscard]] Bytes rest() const { return rest_; }

 private:
  Bytes rest_;
  Encoding encoding_;
};

bool SkipStrings(Reader& reader, std::uint64_t count) {
  std::string_view text;
  while (count > 0 && reader.String(text)) --count;
  return count == 0;
}

// SkipArray skips an array with all arrays in it. `left` counts the arrays still to come, from the
// outermost inwards: no recursion that the input could drive.
bool SkipArray(Reader& reader) {
  std::array<std::uint64_t, kDeepest> left{};
  std::size_t depth = 0;
  while (true) {
    std::uint32_t type = 0;
    std::uint64_t count = 0;
    if (!reader.Number(type) || !reader.Word(count)) return false;
    if (type == IdOf(ValueType::kArray)) {
      if (depth == kDeepest) return false;
      left[depth++] = count;
    } else if (type == IdOf(ValueType::kString)) {
      if (!SkipStrings(reader, count)) return false;
    } else {
      const std::size_t bytes = ScalarBytes(type);
      const std::optional<std::uint64_t> size = CheckedMul(count, bytes);
      if (bytes == 0 || !size || !reader.Skip(*size)) return false;
    }
    while (depth > 0 && left[depth - 1] == 0) --depth;
    if (depth == 0) return true;
    --left[depth - 1];
  }
}

bool Read(Reader& reader, Encoding encoding, Entry& entry) {
  Reader ahead = reader;
  if (!ahead.String(entry.key) || !ahead.Number(entry.type)) return false;
  const Bytes rest = ahead.rest();
  std::size_t size = ScalarBytes(entry.type);  // of most; others have to be looked through
  if (size == 0) {
    const std::optional<std::size_t> found = SizeOfValue(entry.type, rest, encoding);
    if (!found) return false;
    size = *found;
  }
  if (!ahead.Skip(size)) return false;
  entry.value = rest.first(size);
  reader = ahead;
  return true;
}

bool Read(Reader& reader, Encoding, Tensor& tensor) {
  Reader ahead = reader;
  if (!ahead.String(tensor.name) || !ahead.Number(tensor.dimension_count)) return false;
  if (tensor.dimension_count > kReadDimensions) return false;
  for (std::size_t i = 0; i < tensor.dimension_count; ++i) {
    if (!ahead.Word(tensor.dims[i])) return false;
  }
  if (!ahead.Number(tensor.type) || !ahead.Number(tensor.offset)) return false;
  reader = ahead;
  return true;
}

bool IsLengthOfName(std::uint64_t length) {
  return length >= 2 && length <= kLongestNameOfLlamaCpp;
}

// NextLength is the first place from `at` on, but `end` at most, where the length of a name may
// stand. Of the 8 bytes of a little-endian one the first is not 0 and the others are. So none
// begins between `at` and the last of 8 bytes that is not 0, or between `at` and the end of them
// where all others are.
std::size_t NextLength(Bytes bytes, std::size_t at, std::size_t end, Encoding encoding) {
  if (encoding != Encoding{}) return at;
  static_assert(kLongestNameOfLlamaCpp <= UINT8_MAX);
  while (at < end && bytes.size() - at >= sizeof(std::uint64_t)) {
    const auto length = Load<std::uint64_t>(bytes.subspan(at), ByteOrder::kLittle);
    if (IsLengthOfName(length)) return at;
    const auto bits = static_cast<std::size_t>(std::bit_width(length));
    at += bits <= 8 ? sizeof(length) : (bits - 1) / 8;
  }
  return end;
}

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

// SeemsRecord is a quick look: the length of a name, and that many characters with a dot in them.
bool SeemsRecord(Bytes bytes, Encoding encoding) {
  Reader reader(bytes, encoding);
  std::uint64_t length = 0;
  if (!reader.Word(length) || !IsLengthOfName(length) || reader.left() < length) return false;
  const std::string_view name = AsText(reader.rest().first(length));
  return name.find('.') != name.npos && std::ranges::all_of(name, IsNameCharacter);
}

// NextRecord is where behind the front of `bytes` a record begins; 0 where none was found.
template <typename Record>
std::size_t NextRecord(Bytes bytes, Encoding encoding) {
  const std::size_t end = std::min(bytes.size(), kSearched);
  std::size_t tried = 0;
  Record ignored;
  for (std::size_t at = 1; at < end && tried < kTried; ++at) {
    at = NextLength(bytes, at, end, encoding);
    if (at == end) break;
    if (!SeemsRecord(bytes.subspan(at), encoding)) continue;
    ++tried;
    Reader reader(bytes.subspan(at), encoding);
    if (Read(reader, encoding, ignored)) return at;
  }
  return 0;
}

// TakeApartRecords reads up to `count` records of one kind from the front of `rest`, over whatever
// stands between them.
template <typename Record>
void TakeApartRecords(std::uint64_t count, Piece::Kind kind, FixedVector<Record>& records,
                      Draft& draft, std::size_t most_records, Bytes& rest) {
  const Encoding encoding = draft.encoding;
  for (std::uint64_t i = 0; i < count && !records.Full() && !draft.pieces.Full(); ++i) {
    if (draft.entries.size() + draft.tensors.size() >= most_records) return;
    Record record;
    Reader reader(rest, encoding);
    if (!Read(reader, encoding, record)) {
      const std::size_t next = draft.opaque.Full() ? 0 : NextRecord<Record>(rest, encoding);
      if (next == 0) return;
      draft.pieces.Add({Piece::Kind::kOpaque, static_cast<std::uint32_t>(draft.opaque.size())});
      draft.opaque.Add(rest.first(next));
      rest = rest.subspan(next);
      continue;
    }
    draft.pieces.Add({kind, static_cast<std::uint32_t>(records.size())});
    records.Add(record);
    rest = reader.rest();
  }
}

// TakeApartHeader reads the header; what is behind it is left in `rest`.
bool TakeApartHeader(Bytes input, Draft& draft, Bytes& rest) {
  draft.magic = input.first(std::min<std::size_t>(4, input.size()));
  rest = input.subspan(draft.magic.size());
  if (rest.size() < sizeof(std::uint32_t)) return false;
  // GGUF does not record its byte order; a version has its low half empty only when read the wrong
  // way round.
  const auto little = Load<std::uint32_t>(rest, ByteOrder::kLittle);
  const bool swapped = little != 0 && (little & UINT16_MAX) == 0;
  draft.encoding.order = swapped ? ByteOrder::kBig : ByteOrder::kLittle;
  draft.version = Load<std::uint32_t>(rest, draft.encoding.order);
  draft.encoding.word = draft.version == 1 ? 4 : 8;
  Reader reader(rest.subspan(sizeof(std::uint32_t)), draft.encoding);
  draft.has_counts = reader.Word(draft.tensor_count) && reader.Word(draft.metadata_count);
  if (draft.has_counts) rest = reader.rest();
  return draft.has_counts;
}

}  // namespace

Draft::Draft()
    : entries(kMostEntries),
      tensors(kMostTensors),
      opaque(kMostOpaque),
      pieces(kMostEntries + kMostTensors + kMostOpaque) {}

void Draft::Clear() {
  magic = {};
  version = 3;
  encoding = {};
  has_counts = false;
  tensor_count = metadata_count = 0;
  entries.Clear();
  tensors.Clear();
  opaque.Clear();
  pieces.Clear();
  tail = {};
  tail_begin = 0;
  alignment = kDefaultAlignment;
}

Entry* Draft::Find(std::string_view key) {
  const auto found = std::ranges::find(entries, key, &Entry::key);
  return found == entries.end() ? nullptr : &*found;
}

std::optional<std::size_t> SizeOfValue(std::uint32_t type, Bytes bytes, Encoding encoding) {
  Reader reader(bytes, encoding);
  std::string_view text;
  const std::size_t scalar = ScalarBytes(type);
  const bool whole = type == IdOf(ValueType::kArray)    ? SkipArray(reader)
                     : type == IdOf(ValueType::kString) ? reader.String(text)
                                                        : scalar > 0 && reader.Skip(scalar);
  if (!whole) return std::nullopt;
  return bytes.size() - reader.left();
}

void TakeApart(Bytes input, Draft& draft, std::size_t most_records) {
  draft.Clear();
  Bytes rest;
  if (TakeApartHeader(input, draft, rest)) {
    TakeApartRecords(draft.metadata_count, Piece::Kind::kEntry, draft.entries, draft, most_records,
                     rest);
    TakeApartRecords(draft.tensor_count, Piece::Kind::kTensor, draft.tensors, draft, most_records,
                     rest);
  }
  draft.tail = rest;
  draft.tail_begin = input.size() - rest.size();
}

}  // namespace ggufgate::mutate
