// Every region of every file of the corpus is split into parts without holes or overlaps, and every
// part has a printable name and meaning.

#include "parse/parts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "parse/parse.h"
#include "tests/conformance/corpus.h"
#include "words/part_text.h"

namespace ggufgate::testing {
namespace {

// Shown tells whether text is printable without escapes.
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

// ExpectAllCovered splits a file of any bytes into parts.
void ExpectAllCovered(const FileBytes& file) {
  const ParseResult parsed = Parse(file, file.size(), Limits{});
  ASSERT_FALSE(parsed.NeedsMore());
  for (const Region& region : Regions(parsed.document)) {
    ExpectCovered(parsed.document, region, 5);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(CorpusParts, CoverEveryBeginningOfAFile) {
  const FileBytes file = ReadBytes(CorpusFolder() / "valid" / "circulation-value-types.gguf");
  for (std::size_t size = 0; size <= file.size(); ++size) {
    SCOPED_TRACE(size);
    ExpectAllCovered({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)});
    if (HasFatalFailure()) return;
  }
}

TEST(CorpusParts, CoverAFileWithAnyByteWrong) {
  FileBytes file = ReadBytes(CorpusFolder() / "valid" / "circulation-value-types.gguf");
  for (std::size_t at = 0; at < file.size(); ++at) {
    SCOPED_TRACE(at);
    for (const std::uint8_t wrong : {std::uint8_t{0}, std::uint8_t{9}, std::uint8_t{0xFF}}) {
      const std::uint8_t right = std::exchange(file.at(at), wrong);
      ExpectAllCovered(file);
      file.at(at) = right;
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace ggufgate::testing
