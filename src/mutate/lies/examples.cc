// Lies that add the bad record of an example.

#include "mutate/examples/examples.h"
#include "mutate/build/compose.h"
#include "mutate/build/records.h"
#include "mutate/file/attach.h"
#include "mutate/lies/lie_context.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

bool Any(const ArchitectureInfo&) { return true; }

Bytes Encoded(Arena& arena, const ExampleValue& value) {
  if (value.type == ValueType::kString) return TextValue(arena, value.text);
  if (value.type != ValueType::kArray) {
    return NumberValue(arena, value.number, InfoOf(value.type).scalar_bytes);
  }
  return PlainArrayValue(arena, value.element, value.count, value.number, value.text);
}

// BytesFor returns an upper bound of the size of a record with its data.
std::uint64_t BytesFor(const ExampleRecord& record, const Tensor& tensor) {
  const ExampleValue& value = record.value;
  const std::uint64_t each = kStringHead + value.text.size();
  const std::uint64_t data = SizeOfTensor(tensor).value_or(0);
  return kRoomForKeys + record.name.size() + each * (value.count + 1) + data;
}

Tensor TensorOf(const ExampleRecord& record) {
  return {.name = record.name,
          .dimension_count = record.dimension_count,
          .dims = record.dims,
          .type = IdOf(record.type)};
}

bool TellTensorOf(MutationContext& context, const Example& example) {
  const Tensor tensor = TensorOf(example.bad);
  const std::uint64_t room = BytesFor(example.bad, tensor) + 2 * context.draft.alignment;
  if (!MakeRoom(context, room)) return false;
  context.draft.tensors.Keep([&](const Tensor& other) {
    return other.name != example.bad.name && other.name != example.good.name;
  });
  if (!AddLyingTensor(context, tensor) || !context.Write()) return false;
  context.lie_at = context.placement.tensors.back();
  return true;
}

bool TellKeyOf(MutationContext& context, const Example& example) {
  const ExampleRecord& bad = example.bad;
  std::string_view key = bad.name;
  const std::uint64_t room = BytesFor(bad, {});
  if (key.starts_with(kArchitecturePattern)) {
    const auto architecture = SomeArchitecture(context, Any, room);
    if (!architecture) return false;
    key = KeyFor(context, *architecture, key.substr(kArchitecturePattern.size()));
  } else if (!MakeRoom(context, room)) {
    return false;
  }
  const Entry entry = EntryOf(key, bad.value.type, Encoded(context.arena, bad.value));
  if (!TellEntry(context, entry, Part::kKey)) return false;
  context.lie_at = *context.lie_at - kStringHead;  // the whole record
  return true;
}

}  // namespace

bool TellExample(MutationContext& context, const Example& example) {
  return example.bad.is_tensor ? TellTensorOf(context, example) : TellKeyOf(context, example);
}

}  // namespace ggufgate::mutate
