// Every region of every file of the corpus is taken apart without holes or overlaps, and every part
// has a name and a meaning that can be shown.

#include "parse/parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "parse/parse.h"
#include "tests/conformance/corpus.h"
#include "words/part_text.h"

namespace ggufgate::testing {
namespace {

// Shown is true for text that does nothing but stand there.
bool Shown(const std::string& text) {
  return !text.empty() && std::ranges::none_of(text, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
}

void ExpectCovered(const Document& document, const Region& region, std::size_t most) {
  std::uint64_t at = region.range.begin;
  while (at < region.range.End()) {
    const PartPage page = PartsOf(document, region, at, most);
    ASSERT_LE(page.parts.size(), most);
    ASSERT_FALSE(page.parts.empty()) << "at " << at;
    for (const Part& part : page.parts) {
      ASSERT_EQ(part.range.begin, at);
      ASSERT_GT(part.range.size, 0U);
      at = part.range.End();
      const PartText text = TextOf(document, region, part);
      ASSERT_TRUE(Shown(text.name) && Shown(text.meaning)) << text.name << ": " << text.meaning;
    }
    ASSERT_EQ(page.next, at);
  }
  ASSERT_EQ(at, region.range.End());
}

TEST(CorpusParts, CoverEveryRegion) {
  std::size_t regions = 0;
  for (const CorpusFile& file : Corpus()) {
    SCOPED_TRACE(file.path);
    const FileBytes bytes = ReadBytes(CorpusFolder() / file.path);
    const ParseResult parsed = Parse(bytes, bytes.size(), file.PolicyIn(Profile::kGate).limits);
    ASSERT_FALSE(parsed.NeedsMore());
    for (const Region& region : Regions(parsed.document)) {
      SCOPED_TRACE(NameOf(parsed.document, region));
      for (const std::size_t most : {std::size_t{3}, std::size_t{1000}}) {
        ExpectCovered(parsed.document, region, most);
        if (HasFatalFailure()) return;
      }
      ++regions;
    }
  }
  EXPECT_GT(regions, 1000U);
}

}  // namespace
}  // namespace ggufgate::testing
