// Lies of examples add the bad record, and replace the records with its name.

#include "mutate/examples/examples.h"

#include <gtest/gtest.h>

#include "mutate/mutations/mutations.h"
#include "tests/mutate/sound_file.h"
#include "tests/mutate/workshop.h"

namespace ggufgate::mutate::examples {
namespace {

Example Bad(ExampleRecord bad) {
  return {.rule = "rule",
          .variant = "",
          .severities = "eeee",
          .bad = bad,
          .good = bad,
          .kept = kAll,
          .what = "what",
          .slug = "example-rule"};
}

// Told returns the document of a sound file after the lie, which begins at lie_at.
class ExampleLies : public ::testing::Test {
 protected:
  Document Told(const ExampleRecord& bad) {
    MutationContext& context = workshop_.Fresh();
    PutSoundRecords(context);
    EXPECT_TRUE(TellExample(context, Bad(bad)));
    EXPECT_TRUE(context.Write());
    file_ = Copied(context);
    lie_at_ = context.lie_at.value_or(0);
    return DocumentOf(file_);
  }

  Workshop workshop_{1, std::size_t{64} << 10};
  File file_;
  std::uint64_t lie_at_ = 0;
};

TEST_F(ExampleLies, ReplaceTheValueOfAKey) {
  const Document document = Told(Key("user.number", Array(2, U16(3))));
  EXPECT_EQ(document.metadata.size(), kSoundEntries);
  const MetadataEntry* const entry = document.Find("user.number");
  ASSERT_NE(entry, nullptr);
  EXPECT_TRUE(entry->IsArrayOf(ValueType::kU16));
  EXPECT_EQ(entry->count, 2U);
  EXPECT_EQ(entry->range.begin, lie_at_);
}

TEST_F(ExampleLies, AddAKey) {
  const Document document = Told(Key("user.new", Text("a\0b")));
  EXPECT_EQ(document.metadata.size(), kSoundEntries + 1);
  const MetadataEntry* const entry = document.Find("user.new");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(document.StringOf(*entry), std::string_view("a\0b", 3));
  EXPECT_EQ(entry->range.begin, lie_at_);
}

TEST_F(ExampleLies, AddAKeyOfTheArchitecture) {
  const Document document = Told(Key("{arch}.user", U64(7)));
  const auto found = std::ranges::find_if(
      document.metadata, [](const MetadataEntry& entry) { return entry.key.ends_with(".user"); });
  ASSERT_NE(found, document.metadata.end());
  EXPECT_EQ(document.StringOf(*document.Find("general.architecture")),
            found->key.substr(0, found->key.size() - 5));
}

TEST_F(ExampleLies, ReplaceATensor) {
  const Document document = Told(Tensor("half", TensorType::kQ8_0, {32, 3}));
  EXPECT_EQ(document.tensors.size(), kSoundTensors);
  const TensorInfo& tensor = document.tensors.back();
  EXPECT_EQ(tensor.name, "half");
  EXPECT_EQ(tensor.type_id, IdOf(TensorType::kQ8_0));
  EXPECT_TRUE(std::ranges::equal(tensor.Dimensions(), std::array<std::uint64_t, 2>{32, 3}));
  EXPECT_EQ(tensor.begin, lie_at_);
}

}  // namespace
}  // namespace ggufgate::mutate::examples
