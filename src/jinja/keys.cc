// TemplateScope: sizes of the values that the template puts into dictionaries, by key. A long text
// at one key must not make other keys long.

#include <algorithm>
#include <array>

#include "jinja/scope.h"

namespace ggufgate {
bool IsOfEngine(std::string_view key) {
  static constexpr std::array<std::string_view, 9> kAttributes = {
      "current", "grouper", "list", "items", "mapping", "sep", "start", "stop", "step"};
  return std::ranges::count(kAttributes, key) > 0;
}

namespace {

TemplateSizes KeySizesOf(const TemplateValue& value) {
  TemplateSizes sizes = value;
  sizes.most = std::max(sizes.most, LargestOf(value));
  return sizes;
}

}  // namespace

bool IsKey(std::string_view text) {
  constexpr std::size_t kLongest = 32;
  const auto plain = [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  };
  return !text.empty() && text.size() <= kLongest && std::ranges::all_of(text, plain);
}

void TemplateScope::KeepKey(std::string_view key, const TemplateValue& value) {
  const std::size_t slot = SlotOf(key);
  if (slot == kNoSlot) return KeepAnyKey(value);
  std::uint32_t& place = slots_.at(slot).key;
  if (place == 0) {
    place = static_cast<std::uint32_t>(key_sizes_.size());
    key_sizes_.emplace_back();
  }
  key_sizes_.at(place).Join(KeySizesOf(value));
}

void TemplateScope::KeepKeys(const TemplateValue& key, const TemplateValue& value) {
  if (!key.IsExact()) return KeepAnyKey(value);
  for (const Constant& item : key.items) {
    if (!item.number) KeepKey(item.text, value);
  }
}

void TemplateScope::KeepAnyKey(const TemplateValue& value) {
  key_sizes_.front().Join(KeySizesOf(value));
}

void TemplateScope::NarrowMember(std::string_view key, TemplateValue& member) const {
  if (IsOfEngine(key)) return;
  TemplateSizes sizes = key_sizes_.front();
  const std::size_t slot = SlotOf(key);
  if (slot != kNoSlot && slots_.at(slot).key > 0) sizes.Join(key_sizes_.at(slots_.at(slot).key));
  member.Narrow(sizes);
}

}  // namespace ggufgate
