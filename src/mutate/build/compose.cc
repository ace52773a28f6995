#include "mutate/build/compose.h"

#include "mutate/file/attach.h"

namespace ggufgate::mutate {

Entry TextEntry(Arena& arena, std::string_view key, std::string_view text) {
  const MutableBytes value = arena.Take(kStringHead + text.size());
  if (!value.empty()) {
    Store<std::uint64_t>(text.size(), ByteOrder::kLittle, value);
    std::ranges::copy(AsBytes(text), value.subspan(kStringHead).begin());
  }
  return {.key = key, .type = static_cast<std::uint32_t>(ValueType::kString), .value = value};
}

void PutArrayHead(MutableBytes value, ValueType element, std::uint64_t count) {
  Store(static_cast<std::uint32_t>(element), ByteOrder::kLittle, value);
  Store(count, ByteOrder::kLittle, value.subspan(4));
}

std::string_view Joined(Arena& arena, std::initializer_list<std::string_view> parts) {
  std::size_t size = 0;
  for (const std::string_view part : parts) size += part.size();
  const MutableBytes room = arena.Take(size);
  if (room.empty()) return {};
  MutableBytes rest = room;
  for (const std::string_view part : parts) {
    std::ranges::copy(AsBytes(part), rest.begin());
    rest = rest.subspan(part.size());
  }
  return AsText(room);
}

bool AddEntry(Draft& draft, const Entry& entry) {
  return !entry.value.empty() && !entry.key.empty() && draft.entries.Add(entry);
}

bool SetEntry(Draft& draft, const Entry& entry) {
  if (entry.value.empty() || entry.key.empty()) return false;
  if (Entry* const old = draft.Find(entry.key)) {
    *old = entry;
    return true;
  }
  return draft.entries.Add(entry);
}

void DropKeys(Draft& draft, std::string_view prefix) {
  draft.entries.Keep([&](const Entry& entry) { return !entry.key.starts_with(prefix); });
}

bool AddTensor(MutationContext& context, Tensor tensor) {
  const std::optional<std::uint64_t> size = SizeOfTensor(tensor);
  if (!size || *size > context.arena.Left()) return false;
  const MutableBytes data = context.arena.Take(*size);
  MutableBytes rest = data;
  for (; rest.size() >= sizeof(std::uint64_t); rest = rest.subspan(sizeof(std::uint64_t))) {
    Store(context.random.Next(), ByteOrder::kLittle, rest);
  }
  for (std::uint8_t& byte : rest) byte = static_cast<std::uint8_t>(context.random.Next());
  tensor.data = data;
  return context.draft.tensors.Add(tensor);
}

}  // namespace ggufgate::mutate
