// Truncated files and changed fields. Every prefix of a valid file that lacks a needed byte is
// rejected, and no change of a length, count, dimension, type or offset makes the gate accept an
// invalid file.

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "bytes/memory_source.h"
#include "parse/arrays.h"
#include "parse/extent.h"
#include "parse/regions.h"
#include "tests/conformance/corpus.h"

namespace ggufgate::testing {
namespace {

CheckResult CheckBytes(Bytes file, const Policy& policy, ParseResult& parsed) {
  parsed = Parse(file, file.size(), policy.limits);
  EXPECT_FALSE(parsed.NeedsMore());
  return Check(parsed.document, MemorySource(file), policy);
}

// NeededBytes returns the end of the last tensor's data, or of the directory if there are no
// tensors.
std::uint64_t NeededBytes(const Document& document) {
  std::uint64_t needed = document.data_begin.value_or(document.directory_end);
  for (const TensorInfo& tensor : document.tensors) {
    const auto range = DataRange(document, tensor, ExtentOf(tensor, *document.alignment));
    if (range) needed = std::max(needed, range->End());
  }
  return needed;
}

// --- every prefix ---

// replay_corpus, which asserts more about each prefix, cuts files of up to this size everywhere.
// Here they are cut at the borders of regions, under the policy of the manifest, and at some
// offsets between. The same applies to the data of larger files, where adjacent prefixes differ
// only in size, and to all files in builds without an optimiser.
constexpr std::uint64_t kReplayedUpTo = 8 * 1024;
constexpr std::uint64_t kStride = 61;
#ifdef NDEBUG
constexpr bool kWholeDirectories = true;
constexpr std::uint64_t kNear = 8;
#else
constexpr bool kWholeDirectories = false;
constexpr std::uint64_t kNear = 2;
#endif

// Sizes returns the prefixes to try for a file that needs `needed` bytes: all within a few bytes of
// a border between regions, and of the rest all or every kStrideth.
std::vector<std::uint64_t> Sizes(const Document& document, std::uint64_t needed) {
  const bool large = document.file_size > kReplayedUpTo;
  const std::uint64_t all_up_to = large && kWholeDirectories ? document.directory_end : 0;
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t size = 0; size < needed; size += size < all_up_to ? 1 : kStride) {
    sizes.push_back(size);
  }
  for (const Region& region : Regions(document)) {
    const std::uint64_t end = std::min(region.range.End() + kNear, needed);
    const std::uint64_t begin = region.range.End() > kNear ? region.range.End() - kNear : 0;
    for (std::uint64_t size = begin; size < end; ++size) sizes.push_back(size);
  }
  std::ranges::sort(sizes);  // regions are close together
  sizes.erase(std::unique(sizes.begin(), sizes.end()),
              sizes.end());  // std::ranges::unique does not work with clang 14
  return sizes;
}

void ExpectPrefixesRejected(const CorpusFile& entry) {
  const Policy policy = entry.PolicyIn(Profile::kGate);
  const FileBytes file = ReadBytes(CorpusFolder() / entry.path);
  ParseResult parsed;
  ASSERT_LT(CheckBytes(file, policy, parsed).Worst(), Severity::kError);
  const std::uint64_t needed = NeededBytes(parsed.document);
  ASSERT_LE(needed, file.size());
  const std::vector<std::uint64_t> sizes = Sizes(parsed.document, needed);
  for (const std::uint64_t size : sizes) {
    ASSERT_EQ(CheckBytes(Bytes(file).first(size), policy, parsed).Worst(), Severity::kError)
        << "the first " << size << " bytes of " << file.size();
  }
  EXPECT_LT(CheckBytes(Bytes(file).first(needed), policy, parsed).Worst(), Severity::kError)
      << "all that is needed is there";
}

TEST(PrefixTest, OfEveryAcceptedFileIsRejectedUpToTheEndOfItsData) {
  for (const CorpusFile& entry : Corpus()) {
    if (!entry.AcceptedBy("gate")) continue;
    SCOPED_TRACE(entry.path);
    ExpectPrefixesRejected(entry);
  }
}

// --- every other value of each byte of each field ---

// IsSound tells, without the rules, whether a loader that trusts the file stays inside it.
bool IsSound(const Document& document) {
  if (document.fault || !document.alignment || !document.data_begin) return false;
  if (document.metadata.size() != document.metadata_count) return false;
  if (document.tensors.size() != document.tensor_count) return false;
  std::uint64_t expected = 0;  // file offset
  for (const TensorInfo& tensor : document.tensors) {
    const Extent extent = ExtentOf(tensor, *document.alignment);
    const auto range = DataRange(document, tensor, extent);
    if (!range || !range->FitsIn(document.file_size) || !extent.padded) return false;
    if (tensor.offset != expected) return false;
    expected += *extent.padded;
  }
  return true;
}

// The ranges of the numbers that determine how the rest of the file is parsed.
std::vector<ByteRange> HeaderFields() { return {{0, 4}, {4, 4}, {8, 8}, {16, 8}}; }

std::vector<ByteRange> MetadataFields(const Document& document) {
  std::vector<ByteRange> fields;
  for (const MetadataEntry& entry : document.metadata) {
    fields.push_back(entry.KeyLengthRange());
    fields.push_back(entry.TypeRange());
    const std::uint64_t value = entry.ValueRange().begin;
    if (entry.type == ValueType::kString) fields.push_back({value, 8});
    if (entry.type == ValueType::kArray) {
      fields.push_back({value, 4});
      fields.push_back({value + 4, 8});
    }
  }
  return fields;
}

std::vector<ByteRange> ArrayStringFields(const Document& document) {
  std::vector<ByteRange> fields;
  for (const MetadataEntry& entry : document.metadata) {
    for (LeafArrays leaves(document, entry); const auto leaf = leaves.Next();) {
      if (leaf->element_type != ValueType::kString) continue;
      for (StringArray strings(document, *leaf); strings.Next();) {
        fields.push_back({strings.range().begin - 8, 8});
      }
    }
  }
  return fields;
}

std::vector<ByteRange> TensorFields(const Document& document) {
  std::vector<ByteRange> fields;
  for (const TensorInfo& tensor : document.tensors) {
    fields.push_back(tensor.NameLengthRange());
    fields.push_back(tensor.DimensionCountRange());
    for (std::size_t i = 0; i < tensor.dimension_count; ++i) {
      fields.push_back(tensor.DimensionRange(i));
    }
    fields.push_back(tensor.TypeRange());
    fields.push_back(tensor.OffsetRange());
  }
  return fields;
}

class FieldTest : public ::testing::Test {
 protected:
  void Open(const std::string& path) {
    file_ = ReadBytes(CorpusFolder() / path);
    changed_ = file_;
    parsed_ = Parse(file_, file_.size(), policy_.limits);
  }

  // The file is rejected if and only if an error is reported, and every accepted file is valid.
  void CheckOne(std::uint64_t at) {
    ParseResult parsed;
    const CheckResult checked = CheckBytes(changed_, policy_, parsed);
    const auto reported = [&](Severity severity) {
      return std::ranges::count(checked.findings.list, severity, &Finding::severity) > 0;
    };
    const bool error = reported(Severity::kError);
    ASSERT_EQ(error, checked.Worst() == Severity::kError);
    ASSERT_TRUE(error || !parsed.document.fault) << at;
    if (error) return;
    ++accepted_;
    if (!reported(Severity::kWarning)) ++accepted_in_silence_;
    ASSERT_TRUE(IsSound(parsed.document)) << "byte " << at << " = " << int{changed_.at(at)};
  }

  void TryValues(const ByteRange& field, const std::vector<std::uint8_t>& differences) {
    for (std::uint64_t at = field.begin; at < field.End(); ++at) {
      for (const std::uint8_t difference : differences) {
        changed_.at(at) = file_.at(at) ^ difference;
        CheckOne(at);
        if (HasFatalFailure()) return;
      }
      changed_.at(at) = file_.at(at);
    }
  }

  // Tries all 255 other values of each byte of every `step`th field. For the fields between, it
  // tries those that differ in one bit or in all. Builds without an optimiser try fewer.
  void TryFields(const std::vector<ByteRange>& fields, std::size_t step) {
    ASSERT_FALSE(fields.empty());
    std::vector<std::uint8_t> all(255);
    std::iota(all.begin(), all.end(), std::uint8_t{1});
#ifdef NDEBUG
    const std::vector<std::uint8_t> few = {1, 2, 4, 8, 16, 32, 64, 128, 255};
#else
    const std::vector<std::uint8_t> few = {1, 128, 255};
    if (step > 1) step *= 4;
#endif
    for (std::size_t i = 0; i < fields.size(); ++i) {
      TryValues(fields.at(i), i % step == 0 ? all : few);
      if (HasFatalFailure()) return;
    }
  }

  [[nodiscard]] const Document& document() const { return parsed_.document; }

  Policy policy_;
  FileBytes file_;
  FileBytes changed_;
  ParseResult parsed_;
  std::size_t accepted_ = 0;             // harmless changes, such as an I16 for an F16
  std::size_t accepted_in_silence_ = 0;  // of these, the ones without a warning
};

class SampleFieldTest : public FieldTest {
 protected:
  SampleFieldTest() { Open("valid/sample-llama.gguf"); }
};

// With fewer tensors than exist, no reader uses the other records, which causes a warning.
TEST_F(SampleFieldTest, Header) {
  TryFields(HeaderFields(), 1);
  EXPECT_EQ(accepted_, 1 + document().tensor_count);
  EXPECT_EQ(accepted_in_silence_, 1U) << "version 2 and nothing else";
}

TEST_F(SampleFieldTest, Metadata) { TryFields(MetadataFields(document()), 8); }

TEST_F(SampleFieldTest, StringsInArrays) {
  TryFields(ArrayStringFields(document()), 32);
  EXPECT_EQ(accepted_, 0U);
}

TEST_F(SampleFieldTest, Tensors) { TryFields(TensorFields(document()), 8); }

// All values of all bytes, in a small file with one field of each kind.
TEST_F(FieldTest, EveryValueOfEveryFieldOfASmallFile) {
  Open("valid/every-field.gguf");
  TryFields(HeaderFields(), 1);
  TryFields(MetadataFields(document()), 1);
  TryFields(ArrayStringFields(document()), 1);
  TryFields(TensorFields(document()), 1);
}

// And all values of its other bytes: no changed byte of the file makes it invalid and accepted.
TEST_F(FieldTest, EveryValueOfEveryByteOfASmallFile) {
  Open("valid/minimal.gguf");
  TryFields({{0, file_.size()}}, 1);
}

}  // namespace
}  // namespace ggufgate::testing
