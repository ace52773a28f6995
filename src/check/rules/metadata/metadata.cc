// Rules about keys, value types and the alignment.

#include <algorithm>
#include <bit>

#include "bytes/checked.h"
#include "check/repeats/repeats.h"
#include "check/rules/rule_functions.h"
#include "format/tensors/tensor_type.h"
#include "parse/arrays.h"

namespace ggufgate {
namespace {

Subject SubjectFor(const Context& context, const MetadataEntry& entry) {
  return MetadataSubject(context.document, entry);
}

bool IsPrintable(char c) { return c >= 0x20 && c <= 0x7E; }

bool IsLowerSnakeCase(std::string_view segment) {
  return !segment.empty() && std::ranges::all_of(segment, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

bool IsInStyle(std::string_view key) {
  while (true) {
    const std::size_t dot = key.find('.');
    if (!IsLowerSnakeCase(key.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    key.remove_prefix(dot + 1);
  }
}

// IsInStyleBehind is true of a key whose part behind the architecture is in style: gpt-oss and
// bitnet-b1.58 are names of llama.cpp, and the specification asks for keys `{arch}.NAME`.
bool IsInStyleBehind(std::string_view architecture, std::string_view key) {
  if (architecture.empty() || !key.starts_with(architecture)) return false;
  key.remove_prefix(architecture.size());
  return key.starts_with('.') && IsInStyle(key.substr(1));
}

}  // namespace

void CheckKeyEmpty(const Context& context, Sink& sink) {
  for (const MetadataEntry& entry : context.document.metadata) {
    if (!entry.key.empty()) continue;
    sink.Add({.where = entry.KeyLengthRange(),
              .subject = SubjectFor(context, entry),
              .observed = std::uint64_t{0},
              .allowed = std::uint64_t{1}});
  }
}

void CheckKeyLength(const Context& context, Sink& sink) {
  const std::uint64_t limit = context.policy.limits.key_bytes;
  for (const MetadataEntry& entry : context.document.metadata) {
    if (entry.key.size() <= limit) continue;
    sink.Add({.where = entry.KeyLengthRange(),
              .subject = SubjectFor(context, entry),
              .observed = std::uint64_t{entry.key.size()},
              .allowed = limit});
  }
}

void CheckKeyDuplicate(const Context& context, Sink& sink) {
  const std::vector<MetadataEntry>& metadata = context.document.metadata;
  for (const Repeat repeat :
       FindRepeats(metadata, [](const MetadataEntry& entry) { return entry.key; })) {
    const MetadataEntry& entry = metadata.at(repeat.index);
    sink.Add({.where = entry.KeyRange(),
              .subject = SubjectFor(context, entry),
              .observed = repeat.index,
              .other = repeat.first});
  }
}

void CheckKeyNul(const Context& context, Sink& sink) {
  for (const MetadataEntry& entry : context.document.metadata) {
    const std::size_t position = entry.key.find('\0');
    if (position == std::string_view::npos) continue;
    sink.Add({.where = {.begin = entry.KeyRange().begin + position, .size = 1},
              .subject = SubjectFor(context, entry),
              .observed = std::uint64_t{position}});
  }
}

void CheckKeyCharacters(const Context& context, Sink& sink) {
  for (const MetadataEntry& entry : context.document.metadata) {
    const auto found =
        std::ranges::find_if(entry.key, [](char c) { return c != '\0' && !IsPrintable(c); });
    if (found == entry.key.end()) continue;
    const auto position = static_cast<std::uint64_t>(found - entry.key.begin());
    sink.Add({.where = {.begin = entry.KeyRange().begin + position, .size = 1},
              .subject = SubjectFor(context, entry),
              .observed = std::uint64_t{static_cast<unsigned char>(*found)}});
  }
}

void CheckKeyStyle(const Context& context, Sink& sink) {
  for (const MetadataEntry& entry : context.document.metadata) {
    // What key-empty, key-nul and key-characters say of a key is not said twice.
    if (entry.key.empty() || !std::ranges::all_of(entry.key, IsPrintable)) continue;
    if (IsInStyle(entry.key)) continue;
    const bool named = IsInStyleBehind(context.parameters.architecture(), entry.key);
    sink.Add({.where = entry.KeyRange(),
              .subject = SubjectFor(context, entry),
              .at_most = named ? Severity::kNote : Severity::kError});
  }
}

void CheckArrayNested(const Context& context, Sink& sink) {
  for (const MetadataEntry& entry : context.document.metadata) {
    if (!entry.IsArrayOf(ValueType::kArray)) continue;
    // An empty array of arrays has a depth of 1, and is refused all the same.
    sink.Add({.where = entry.ValueRange(),
              .subject = SubjectFor(context, entry),
              .observed = std::uint64_t{std::max(entry.depth, 2U)},
              .allowed = std::uint64_t{1},
              .wording = ArrayNestedWording::kNested});
  }
}

void CheckBoolValue(const Context& context, Sink& sink) {
  const Document& document = context.document;
  const auto check = [&](const MetadataEntry& entry, ByteRange range, bool in_array) {
    const Bytes bytes = document.BytesAt(range);
    const auto found = std::ranges::find_if(bytes, [](std::uint8_t byte) { return byte > 1; });
    if (found == bytes.end()) return;
    const auto position = static_cast<std::uint64_t>(found - bytes.begin());
    sink.Add({.where = {.begin = range.begin + position, .size = 1},
              .subject = MetadataSubject(document, entry, in_array ? position : Place::kNoElement),
              .observed = std::uint64_t{*found},
              .allowed = std::uint64_t{1}});
  };
  for (const MetadataEntry& entry : document.metadata) {
    if (entry.type == ValueType::kBool) check(entry, entry.ValueRange(), /*in_array=*/false);
    for (LeafArrays leaves(document, entry); const auto leaf = leaves.Next();) {
      if (leaf->element_type == ValueType::kBool) check(entry, leaf->elements, /*in_array=*/true);
    }
  }
}

void CheckAlignmentType(const Context& context, Sink& sink) {
  const MetadataEntry* entry = context.document.Find(kAlignmentKey);
  if (entry == nullptr || entry->type == ValueType::kU32) return;
  sink.Add({.where = entry->TypeRange(),
            .subject = SubjectFor(context, *entry),
            .observed = TextFact(InfoOf(entry->type).word),
            .allowed = TextFact(InfoOf(ValueType::kU32).word)});
}

namespace {

// WithAlignment reports the value of `general.alignment` where it is a u32 that `is_wrong`.
template <typename IsWrong>
void WithAlignment(const Context& context, Sink& sink, std::uint64_t allowed, Wording wording,
                   IsWrong is_wrong, Severity at_most = Severity::kError) {
  const MetadataEntry* entry = context.document.Find(kAlignmentKey);
  if (entry == nullptr || entry->type != ValueType::kU32) return;
  const std::uint64_t value = context.document.UnsignedOf(*entry).value_or(0);
  if (!is_wrong(value)) return;
  sink.Add({.where = entry->ValueRange(),
            .subject = SubjectFor(context, *entry),
            .observed = value,
            .allowed = allowed,
            .wording = wording,
            .at_most = at_most});
}

}  // namespace

// The specification asks for a multiple of 8, the reference loader for a power of two.
void CheckAlignmentValue(const Context& context, Sink& sink) {
  if (context.policy.profile == Profile::kSpec) {
    WithAlignment(
        context, sink, kSpecifiedAlignment, AlignmentValueWording::kMultipleOfEight,
        [](std::uint64_t value) { return value == 0 || value % kSpecifiedAlignment != 0; });
  } else {
    WithAlignment(context, sink, kDefaultAlignment, AlignmentValueWording::kPowerOfTwo,
                  [](std::uint64_t value) { return !std::has_single_bit(value); });
  }
}

void CheckAlignmentLarge(const Context& context, Sink& sink) {
  const std::uint64_t limit = context.policy.limits.alignment;
  WithAlignment(context, sink, limit, AlignmentLargeWording::kOnly,
                [&](std::uint64_t value) { return value > limit; });
}

void CheckAlignmentUnusual(const Context& context, Sink& sink) {
  const std::uint64_t limit = context.policy.limits.alignment;
  WithAlignment(context, sink, kDefaultAlignment, AlignmentUnusualWording::kOnly,
                [&](std::uint64_t value) {
                  return value != kDefaultAlignment && std::has_single_bit(value) &&
                         value >= kSpecifiedAlignment && value <= limit;
                });
}

namespace {

// What ggml asks of the address of a buffer (TENSOR_ALIGNMENT in ggml/src/ggml-impl.h). Pages are
// aligned to more, so that the place in the file decides.
constexpr std::uint64_t kBufferAlignment = 32;

// MayBeRepacked tells whether some processor's llama.cpp copies the tensor into a buffer of its own
// (ggml/src/ggml-cpu/repack.cpp, ggml_repack_get_optimal_repack_type, and amx/amx.cpp). Never that
// of the tokens: a row is taken out of it, and it is multiplied with nothing.
bool MayBeRepacked(const TensorInfo& tensor) {
  if (tensor.dimension_count < 2 || tensor.dims.at(1) % 4 != 0) return false;
  if (tensor.name == "token_embd.weight") return false;
  switch (TensorType{tensor.type_id}) {
    case TensorType::kQ4_0:
    case TensorType::kQ4_1:
    case TensorType::kQ8_0:
    case TensorType::kQ2_K:
    case TensorType::kQ4_K:
    case TensorType::kQ5_K:
    case TensorType::kQ6_K:
    case TensorType::kIQ4_NL:
    case TensorType::kIQ4_XS:
    case TensorType::kMXFP4:
    case TensorType::kQ1_0:
      return true;
    default:
      return false;
  }
}

// CheckBufferBegin reports a tensor with which a mapped buffer begins off 32: the first of the file
// where the processor repacks nothing, and the first that none repacks.
void CheckBufferBegin(const Context& context, Sink& sink) {
  const Document& document = context.document;
  if (!document.data_begin || *document.alignment >= kBufferAlignment) return;
  if (!std::has_single_bit(*document.alignment)) return;  // llama.cpp does not get there
  for (const TensorInfo& tensor : document.tensors) {
    const bool repacked = MayBeRepacked(tensor);
    if (repacked && &tensor != &document.tensors.front()) continue;
    const std::optional<std::uint64_t> begin = CheckedAdd(*document.data_begin, tensor.offset);
    if (begin && *begin % kBufferAlignment != 0) {
      sink.Add({.where = tensor.OffsetRange(),
                .subject = TensorSubject(document, tensor),
                .observed = *begin,
                .allowed = kBufferAlignment,
                .other = *document.alignment,
                .wording = AlignmentSmallWording::kBufferBegin});
    }
    if (!repacked) return;
  }
}

}  // namespace

void CheckAlignmentSmall(const Context& context, Sink& sink) {
  WithAlignment(
      context, sink, kSpecifiedAlignment, AlignmentSmallWording::kValue,
      [](std::uint64_t value) { return value < kSpecifiedAlignment && std::has_single_bit(value); },
      Severity::kWarning);
  CheckBufferBegin(context, sink);
}

}  // namespace ggufgate
