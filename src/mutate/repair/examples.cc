#include "mutate/repair/examples.h"

#include <algorithm>
#include <optional>

#include "mutate/build/entry_value.h"
#include "mutate/examples/examples.h"

namespace ggufgate::mutate {
namespace {

constexpr bool IsBound(Kept kept) { return kept == Kept::kAtLeast || kept == Kept::kAtMost; }

constexpr bool IsUnsigned(ValueType type) {
  return type == ValueType::kU8 || type == ValueType::kU16 || type == ValueType::kU32 ||
         type == ValueType::kU64;
}

static_assert(std::ranges::all_of(kExamples,
                                  [](const Example& example) {
                                    return !IsBound(example.kept) ||
                                           (!example.good.is_tensor &&
                                            example.good.name == example.bad.name &&
                                            IsUnsigned(example.good.value.type));
                                  }),
              "examples.def: kAtLeast and kAtMost need a key with an unsigned number");

// DropsRecords is false for examples of warnings and notes: consistent mutants may have them.
constexpr bool DropsRecords(const Example& example) {
  return example.IsError() && example.kept != Kept::kAll;
}

bool HasKey(std::string_view key, std::string_view pattern, std::string_view architecture) {
  if (!pattern.starts_with(kArchitecturePattern)) return key == pattern;
  pattern.remove_prefix(kArchitecturePattern.size() - 1);  // the dot stays
  return !architecture.empty() && key.size() == architecture.size() + pattern.size() &&
         key.starts_with(architecture) && key.ends_with(pattern);
}

// IsElement returns whether bytes are a string with this text, or this number.
bool IsElement(Bytes bytes, const ExampleValue& wanted, bool is_text) {
  if (is_text) {
    return Load<std::uint64_t>(bytes, ByteOrder::kLittle) == wanted.text.size() &&
           AsText(bytes.subspan(kStringHead)) == wanted.text;
  }
  std::uint64_t number = wanted.number;
  return std::ranges::all_of(bytes, [&](std::uint8_t byte) {
    const bool same = byte == (number & 0xFF);
    number >>= 8;
    return same;
  });
}

bool HasValue(const Entry& entry, const ExampleValue& wanted) {
  if (!Is(entry, wanted.type)) return false;
  const bool is_array = wanted.type == ValueType::kArray;
  if (is_array && (!IsArrayOf(entry, wanted.element) || CountOf(entry) != wanted.count)) {
    return false;
  }
  const ValueType type = is_array ? wanted.element : wanted.type;
  const bool is_text = type == ValueType::kString;
  const std::size_t size = is_text ? kStringHead + wanted.text.size() : InfoOf(type).scalar_bytes;
  Bytes rest = is_array ? ElementsOf(entry) : entry.value;
  for (std::uint64_t left = is_array ? wanted.count : 1; left > 0; --left) {
    if (rest.size() < size || !IsElement(rest.first(size), wanted, is_text)) return false;
    rest = rest.subspan(size);
  }
  return rest.empty();
}

bool Allows(const Example& example, const Entry& entry) {
  const ExampleRecord& good = example.good;
  if (example.kept == Kept::kGood) {
    return good.name == example.bad.name && HasValue(entry, good.value);
  }
  const std::optional<std::uint64_t> number = UnsignedOf(entry);
  if (!number) return false;
  return example.kept == Kept::kAtLeast ? *number >= good.value.number
                                        : *number <= good.value.number;
}

bool Allows(const Example& example, const Tensor& tensor) {
  const ExampleRecord& good = example.good;
  return tensor.name == good.name && tensor.type == IdOf(good.type) && tensor.dims == good.dims &&
         tensor.dimension_count == good.dimension_count;
}

bool IsChosen(const MutationContext& context, const Example& example) {
  return context.chosen == nullptr || context.chosen(example.slug);
}

}  // namespace

bool Permits(const Example& example, const Entry& entry, std::string_view architecture) {
  const bool concerns = DropsRecords(example) && !example.bad.is_tensor &&
                        HasKey(entry.key, example.bad.name, architecture);
  return !concerns || Allows(example, entry);
}

bool Permits(const Example& example, const Tensor& tensor) {
  const bool concerns =
      DropsRecords(example) && example.bad.is_tensor && tensor.name == example.bad.name;
  return !concerns || Allows(example, tensor);
}

bool MayStay(const MutationContext& context, const Entry& entry, std::string_view architecture) {
  return std::ranges::all_of(kExamples, [&](const Example& example) {
    return Permits(example, entry, architecture) || !IsChosen(context, example);
  });
}

bool MayStay(const MutationContext& context, const Tensor& tensor) {
  return std::ranges::all_of(kExamples, [&](const Example& example) {
    return Permits(example, tensor) || !IsChosen(context, example);
  });
}

}  // namespace ggufgate::mutate
