// Rule key-nested: a key below another key that has a value.
//
// Measured: node-llama-cpp turns keys with dots into nested objects. If `a` and `a.b` both have
// values, `metadata.a` is the value of one of them. A program does not find the other.

#include <algorithm>
#include <vector>

#include "check/rules/rule_functions.h"

namespace ggufgate {
namespace {

// Published files have keys below these two, and the reader handles both.
bool IsKnownToHaveKeysBelow(std::string_view key) {
  return key == "general.license" || key == "tokenizer.chat_template";
}

bool IsBelow(std::string_view key, std::string_view above) {
  return key.size() > above.size() && key[above.size()] == '.' && key.starts_with(above);
}

// A dot sorts before all other characters. So the keys below a key follow it directly.
bool SortsBefore(const MetadataEntry* a, const MetadataEntry* b) {
  return std::ranges::lexicographical_compare(
      a->key, b->key, {}, [](char c) { return c == '.' ? 0 : 1 + static_cast<unsigned char>(c); },
      [](char c) { return c == '.' ? 0 : 1 + static_cast<unsigned char>(c); });
}

}  // namespace

void CheckKeyNested(const Context& context, Sink& sink) {
  std::vector<const MetadataEntry*> keys;
  keys.reserve(context.document.metadata.size());
  for (const MetadataEntry& entry : context.document.metadata) keys.push_back(&entry);
  std::ranges::sort(keys, SortsBefore);

  std::vector<const MetadataEntry*> above;  // each is below the one before
  for (const MetadataEntry* entry : keys) {
    while (!above.empty() && !IsBelow(entry->key, above.back()->key)) above.pop_back();
    const MetadataEntry* nearest = above.empty() ? nullptr : above.back();
    if (nearest != nullptr && IsKnownToHaveKeysBelow(nearest->key)) {
      nearest =
          above.size() > 1 ? above[above.size() - 2] : nullptr;  // the known keys are not nested
    }
    above.push_back(entry);
    if (nearest == nullptr) continue;
    sink.Add({.where = entry->KeyRange(),
              .subject = MetadataSubject(context.document, *entry),
              .other = TextFact(nearest->key)});
  }
}

}  // namespace ggufgate
