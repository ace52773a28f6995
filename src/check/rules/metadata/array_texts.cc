#include "check/rules/metadata/array_texts.h"

#include <algorithm>
#include <vector>

#include "bytes/utf8.h"
#include "parse/arrays.h"

namespace ggufgate {
namespace {

constexpr std::uint64_t kLengthBytes = 8;
constexpr std::uint64_t kZerosOfLength = 7;  // in lengths from 1 to 127

// AddArray checks the strings of an array without visiting each one.
//
// In a file, the length of a string precedes it. If every byte of a length is below 0x80, it looks
// like ASCII. Then the run of strings and lengths is UTF-8 exactly if every string is. Seven bytes
// of each length are zero. The eighth is zero only for an empty string, which is rare. So the
// number of zeros shows whether the strings contain any. The parser has noted lengths of 128 and
// more, and the pass skips them.
void AddArray(const Document& document, const LeafArray& leaf, ArrayTexts& texts) {
  std::uint64_t begin = leaf.elements.begin;
  std::uint64_t zeros = 0;
  std::uint64_t lengths = leaf.count;
  const auto look_up_to = [&](std::uint64_t end) {
    const TextFacts facts = FactsOf(document.BytesAt(ByteRange::Between(begin, end)));
    texts.all_utf8 = texts.all_utf8 && facts.is_utf8;
    texts.may_hold_mark = texts.may_hold_mark || facts.has_ef;
    zeros += facts.zeros;
  };
  auto wide = std::ranges::lower_bound(document.wide_lengths, begin);
  for (; wide != document.wide_lengths.end() && *wide < leaf.elements.End(); ++wide) {
    look_up_to(*wide);
    begin = *wide + kLengthBytes;
    --lengths;
  }
  look_up_to(leaf.elements.End());
  texts.may_hold_nul = texts.may_hold_nul || zeros != kZerosOfLength * lengths;
}

struct AllTexts {
  std::vector<ArrayTexts> by_entry;
};

AllTexts Find(const Document& document) {
  AllTexts all{.by_entry = std::vector<ArrayTexts>(document.metadata.size())};
  for (std::size_t i = 0; i < document.metadata.size(); ++i) {
    for (LeafArrays leaves(document, document.metadata[i]); const auto leaf = leaves.Next();) {
      if (leaf->element_type == ValueType::kString) AddArray(document, *leaf, all.by_entry[i]);
    }
  }
  return all;
}

}  // namespace

const ArrayTexts& ArrayTextsOf(const Context& context, std::size_t entry) {
  return context.cache.Get<AllTexts>([&] { return Find(context.document); }).by_entry.at(entry);
}

}  // namespace ggufgate
