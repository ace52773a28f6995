#include "mutate/file/draft.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "bytes/checked.h"
#include "format/loader_limits.h"
#include "format/value_type.h"

namespace ggufgate::mutate {
namespace {

constexpr std::size_t kDeepest = 8;                       // levels of arrays
constexpr std::size_t kSearched = std::size_t{64} << 10;  // bytes searched for a record
constexpr std::size_t kTried = 16;                        // candidates tried

// Reader reads numbers and texts from the front of some bytes. The encoding is a template
// parameter, for speed: reading takes a quarter of the time of a mutant. `Count` is the type of
// counts, lengths and dimensions. A failed read does not advance.
template <typename Count, ByteOrder kOrder>
class Reader {
 public:
  explicit Reader(Bytes rest) : rest_(rest) {}

  template <Scalar T>
  [[nodiscard]] bool Number(T& out) {
    if (rest_.size() < sizeof(T)) return false;
    out = Load<T>(rest_, kOrder);
    rest_ = rest_.subspan(sizeof(T));
    return true;
  }
  [[nodiscard]] bool Word(std::uint64_t& out) {
    Count count = 0;
    if (!Number(count)) return false;
    out = count;
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
};

// WithReader calls `act` with a reader of the bytes.
template <typename Act>
auto WithReader(Bytes bytes, Encoding encoding, Act act) {
  const bool little = encoding.order == ByteOrder::kLittle;
  if (encoding.word == 8) {
    return little ? act(Reader<std::uint64_t, ByteOrder::kLittle>(bytes))
                  : act(Reader<std::uint64_t, ByteOrder::kBig>(bytes));
  }
  return little ? act(Reader<std::uint32_t, ByteOrder::kLittle>(bytes))
                : act(Reader<std::uint32_t, ByteOrder::kBig>(bytes));
}

template <typename Reader>
bool SkipStrings(Reader& reader, std::uint64_t count) {
  std::string_view text;
  while (count > 0 && reader.String(text)) --count;
  return count == 0;
}

// SkipArray skips an array with all nested arrays. `left` has the number of remaining arrays per
// level, from the outermost. So the input cannot cause recursion.
template <typename Reader>
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

// kScalarBytes is ScalarBytes as a table: compilers turn the function into a jump that the
// processor cannot predict.
constexpr auto kScalarBytes = [] {
  std::array<std::uint8_t, 16> bytes{};
  for (std::uint32_t id = 0; id < bytes.size(); ++id) {
    bytes.at(id) = static_cast<std::uint8_t>(ScalarBytes(id));
  }
  return bytes;
}();
static_assert(IdOf(ValueType::kF64) < kScalarBytes.size());

// SizeOfArray returns 0 if the array is incomplete. It is not inlined and gets a copy, so that the
// caller's reader stays in registers.
template <typename Reader>
[[gnu::noinline]] std::size_t SizeOfArray(Reader reader) {
  const std::size_t before = reader.left();
  return SkipArray(reader) ? before - reader.left() : 0;
}

template <typename Reader>
[[gnu::always_inline]] inline bool SkipValue(Reader& reader, std::uint32_t type) {
  if (type >= kScalarBytes.size()) return false;
  if (const std::size_t scalar = kScalarBytes[type]; scalar > 0) return reader.Skip(scalar);
  std::string_view text;
  if (type == IdOf(ValueType::kString)) return reader.String(text);
  if (type != IdOf(ValueType::kArray)) return false;
  const std::size_t size = SizeOfArray(reader);
  return size > 0 && reader.Skip(size);
}

template <typename Reader>
[[gnu::always_inline]] inline bool Read(Reader& reader, Entry& entry) {
  Reader ahead = reader;
  if (!ahead.String(entry.key) || !ahead.Number(entry.type)) return false;
  const Bytes value = ahead.rest();
  if (!SkipValue(ahead, entry.type)) return false;
  entry.value = value.first(value.size() - ahead.left());
  reader = ahead;
  return true;
}

template <typename Reader>
[[gnu::always_inline]] inline bool Read(Reader& reader, Tensor& tensor) {
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

// StepOver returns the distance to the next possible length, after a number that is not the length
// of a name. In such a length only the lowest byte is not 0: the first in little-endian order, the
// last in big-endian order.
template <Scalar Count>
std::size_t StepOver(Count number, ByteOrder order) {
  static_assert(kLongestNameOfLlamaCpp <= UINT8_MAX);
  if (number <= UINT8_MAX) {
    // All bytes except the lowest are 0. If the last byte is 0 too, they may precede the lowest
    // byte of a length.
    return order == ByteOrder::kBig && number == 0 ? 1 : sizeof(Count);
  }
  // In little-endian order, the last byte that is not 0 may be the lowest of a length. In
  // big-endian order, the last byte may be the lowest of a length. That length begins after the
  // last other byte that is not 0.
  if (order == ByteOrder::kLittle) return static_cast<std::size_t>(std::bit_width(number) - 1) / 8;
  const auto others = static_cast<Count>(number >> 8);
  return sizeof(Count) - 1 - static_cast<std::size_t>(std::countr_zero(others)) / 8;
}

// NextLength returns the first offset in [at, end) with the length of a name, or `end`.
template <typename Count>
std::size_t NextLength(Bytes bytes, std::size_t at, std::size_t end, ByteOrder order) {
  if (bytes.size() < sizeof(Count)) return end;
  const std::size_t last = std::min(end, bytes.size() - sizeof(Count) + 1);
  while (at < last) {
    const Count number = Load<Count>(bytes.subspan(at), order);
    if (IsLengthOfName(number)) return at;
    at += StepOver(number, order);
  }
  return end;
}

// kOfNames has the characters of names. It is a table, because branches on characters are
// unpredictable.
constexpr auto kOfNames = [] {
  std::array<bool, 256> of_names{};
  for (const std::string_view range : {"az", "AZ", "09", "..", "__", "--"}) {
    for (char c = range.front(); c <= range.back(); ++c) {
      of_names.at(static_cast<std::size_t>(c)) = true;
    }
  }
  return of_names;
}();

bool IsNameCharacter(char c) { return kOfNames[static_cast<unsigned char>(c)]; }

// SeemsRecord is a fast test: the length of a name, and a name of that length with a dot.
template <typename Reader>
bool SeemsRecord(Reader reader) {
  std::string_view name;
  if (!reader.String(name) || !IsLengthOfName(name.size())) return false;
  return name.find('.') != name.npos && std::ranges::all_of(name, IsNameCharacter);
}

template <typename Record, typename Reader>
[[gnu::noinline]] bool IsRecord(Reader reader) {
  Record ignored;
  return Read(reader, ignored);
}

// NextRecord returns the offset of the next record after the first byte, or 0. It sets `barren` if
// no place in any of the bytes looks like a record of any kind.
template <typename Record, typename Count, ByteOrder kOrder>
[[gnu::noinline]] std::size_t NextRecord(Reader<Count, kOrder> reader, bool& barren) {
  const Bytes bytes = reader.rest();
  const std::size_t end = std::min(bytes.size(), kSearched);
  std::size_t tried = 0;
  for (std::size_t at = 1; at < end && tried < kTried; ++at) {
    at = NextLength<Count>(bytes, at, end, kOrder);
    if (at == end) break;
    const Reader<Count, kOrder> there(bytes.subspan(at));
    if (!SeemsRecord(there)) continue;
    ++tried;
    if (IsRecord<Record>(there)) return at;
  }
  barren = tried == 0 && end == bytes.size();
  return 0;
}

// TakeApartRecords reads up to `count` records of one kind from the reader, and skips bytes between
// them. `most` is the number of records that the draft may still get. If `barren` is true, it does
// not search. `pieces` has room for all records and opaque runs.
template <typename Record, typename Reader>
void TakeApartRecords(std::uint64_t count, Piece::Kind kind, FixedVector<Record>& records,
                      Draft& draft, std::size_t& most, bool& barren, Reader& reader) {
  for (; count > 0 && most > 0 && !records.Full(); --count) {
    Record record;
    if (!Read(reader, record)) {
      if (draft.opaque.Full() || barren) return;
      const std::size_t next = NextRecord<Record>(reader, barren);
      if (next == 0) return;
      draft.pieces.Add({Piece::Kind::kOpaque, static_cast<std::uint32_t>(draft.opaque.size())});
      draft.opaque.Add(reader.rest().first(next));
      (void)reader.Skip(next);
      continue;
    }
    draft.pieces.Add({kind, static_cast<std::uint32_t>(records.size())});
    records.Add(record);
    --most;
  }
}

// TakeApartHeader reads the header, and sets `rest` to the bytes after it.
bool TakeApartHeader(Bytes input, Draft& draft, Bytes& rest) {
  draft.magic = input.first(std::min<std::size_t>(4, input.size()));
  rest = input.subspan(draft.magic.size());
  if (rest.size() < sizeof(std::uint32_t)) return false;
  // GGUF does not record its byte order. The low half of the version is 0 only if it is read in the
  // wrong order.
  const auto little = Load<std::uint32_t>(rest, ByteOrder::kLittle);
  const bool swapped = little != 0 && (little & UINT16_MAX) == 0;
  draft.encoding.order = swapped ? ByteOrder::kBig : ByteOrder::kLittle;
  draft.version = Load<std::uint32_t>(rest, draft.encoding.order);
  draft.encoding.word = draft.version == 1 ? 4 : 8;
  draft.has_counts =
      WithReader(rest.subspan(sizeof(std::uint32_t)), draft.encoding, [&](auto reader) {
        if (!reader.Word(draft.tensor_count) || !reader.Word(draft.metadata_count)) return false;
        rest = reader.rest();
        return true;
      });
  return draft.has_counts;
}

}  // namespace

Draft::Draft()
    : entries(kMostEntries),
      tensors(kMostTensors),
      opaque(kMostOpaque),
      pieces(kMostEntries + kMostTensors + kMostOpaque) {}

void Draft::Clear() {
  input = {};
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
  return WithReader(bytes, encoding, [&](auto reader) -> std::optional<std::size_t> {
    if (!SkipValue(reader, type)) return std::nullopt;
    return bytes.size() - reader.left();
  });
}

void TakeApart(Bytes input, Draft& draft, std::size_t most_records) {
  draft.Clear();
  draft.input = input;
  Bytes rest;
  if (TakeApartHeader(input, draft, rest)) {
    WithReader(rest, draft.encoding, [&](auto reader) {
      bool barren = false;
      TakeApartRecords(draft.metadata_count, Piece::Kind::kEntry, draft.entries, draft,
                       most_records, barren, reader);
      TakeApartRecords(draft.tensor_count, Piece::Kind::kTensor, draft.tensors, draft, most_records,
                       barren, reader);
      rest = reader.rest();
    });
  }
  draft.tail = rest;
  draft.tail_begin = input.size() - rest.size();
}

}  // namespace ggufgate::mutate
