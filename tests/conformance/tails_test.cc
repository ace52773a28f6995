// The bytes after a text must not evade a rule: if a NUL is appended to any text of a rejected file
// of the corpus, the verdict stays, and not only because of the NUL.

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

#include "bytes/byte_order.h"
#include "parse/parse.h"
#include "tests/conformance/corpus.h"

namespace ggufgate::testing {
namespace {

// WithNul returns a file with an additional byte, a NUL, at the end of one of its texts. The data
// stay aligned.
FileBytes WithNul(const FileBytes& file, const Document& document, const MetadataEntry& entry) {
  FileBytes longer = file;
  const std::uint64_t length_at = entry.ValueRange().begin;
  const auto length = Load<std::uint64_t>(Bytes(file).subspan(length_at), document.byte_order);
  Store(length + 1, document.byte_order, MutableBytes(longer).subspan(length_at));
  const auto data = document.data_begin.value_or(document.directory_end);
  const std::uint64_t alignment = document.alignment.value_or(1);
  const bool has_data = !document.fault && data <= file.size();
  const bool has_padding = has_data && data > document.directory_end;
  const auto at = [&](std::uint64_t offset) {
    return longer.begin() + static_cast<std::ptrdiff_t>(std::min(offset, longer.size()));
  };
  if (has_padding) {
    longer.erase(at(data - 1));
  } else if (has_data && alignment <= 4096) {
    longer.insert(at(data), alignment - 1, 0);
  }
  longer.insert(at(entry.range.End()), 0);
  return longer;
}

Policy WithoutStringNul(const CorpusFile& file) {
  Policy policy = file.PolicyIn(Profile::kGate);
  policy.severities.push_back({.rule = RuleId::kStringNul, .severity = Severity::kOff});
  return policy;
}

class TailsTest : public ::testing::TestWithParam<CorpusFile> {};

TEST_P(TailsTest, SilenceNoRule) {
  const CorpusFile& file = GetParam();
  const FileBytes bytes = ReadBytes(CorpusFolder() / file.path);
  const Policy policy = WithoutStringNul(file);
  const ParseResult parsed = Parse(bytes, bytes.size(), policy.limits);
  for (const MetadataEntry& entry : parsed.document.metadata) {
    if (entry.type != ValueType::kString) continue;
    const FileBytes longer = WithNul(bytes, parsed.document, entry);
    EXPECT_FALSE(Judge(longer, policy).Accepted()) << entry.key;
  }
}

std::vector<CorpusFile> Rejected() {
  std::vector<CorpusFile> rejected = Corpus();
  // Only that rule rejects these files.
  std::erase_if(rejected, [](const CorpusFile& file) {
    return file.AcceptedBy("gate") || file.path.starts_with("invalid/string-nul");
  });
  return rejected;
}

INSTANTIATE_TEST_SUITE_P(All, TailsTest, ::testing::ValuesIn(Rejected()), TestNameOf);

}  // namespace
}  // namespace ggufgate::testing
