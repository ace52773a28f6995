#include <gmock/gmock.h>

#include <sstream>
#include <string>

#include "parse/model.h"
#include "parse/parse.h"
#include "report/inspect/inspect.h"
#include "tests/support/texts/command_text.h"

namespace ggufgate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string TextOf(const Model& model, const InspectParts& parts = {},
                   const std::string& path = "model.gguf") {
  const std::vector<std::uint8_t> file = Write(model);
  std::ostringstream out;
  InspectAsText(Parse(file, file.size(), Limits{}).document, path, parts, out);
  return out.str();
}

Model Small() {
  Model model = Model::Minimal();
  model.Set("test.block_count", std::uint32_t{2});
  model.Set("tokens", std::vector<std::string>{"a", "b"});
  model.Add("blk.0.weight", TensorType::kQ4_0, {32, 2});
  return model;
}

TEST(InspectAsText, ShowsASmallModel) {
  EXPECT_EQ(TextOf(Small()),
            "model.gguf\n"
            "\n"
            "  size           352 bytes\n"
            "  version        3, little-endian\n"
            "  metadata keys  3\n"
            "  tensors        2\n"
            "  alignment      32\n"
            "  data from      0x100\n"
            "\n"
            "metadata\n"
            "  general.architecture  string      \"test\"\n"
            "  test.block_count      u32         2\n"
            "  tokens                string × 2  [\"a\", \"b\"]\n"
            "\n"
            "tensors\n"
            "  name          type  shape    bytes  offset\n"
            "  weight        F32   [8]         32     0x0\n"
            "  blk.0.weight  Q4_0  [32, 2]     36    0x20\n");
}

TEST(InspectAsText, ShowsOnlyThePartsAskedFor) {
  const std::string metadata = TextOf(Small(), {.metadata = true, .tensors = false});
  EXPECT_THAT(metadata, HasSubstr("\nmetadata\n"));
  EXPECT_THAT(metadata, Not(HasSubstr("\ntensors\n")));
  const std::string tensors = TextOf(Small(), {.metadata = false, .tensors = true});
  EXPECT_THAT(tensors, Not(HasSubstr("\nmetadata\n")));
  EXPECT_THAT(tensors, HasSubstr("\ntensors\n"));
  const std::string layout = TextOf(Small(), {.metadata = false, .tensors = false, .layout = true});
  EXPECT_THAT(layout, HasSubstr("\nlayout\n"));
  EXPECT_THAT(layout, Not(HasSubstr("\ntensors\n")));
}

TEST(InspectAsText, NamesTheByteOrder) {
  Model model;
  model.byte_order = ByteOrder::kBig;
  EXPECT_THAT(TextOf(model), HasSubstr("version        3, big-endian"));
}

TEST(InspectAsText, ShowsWhatWasReadOfAFaultyFile) {
  Model model = Small();
  model.metadata.at(1).type = 99;
  const std::string text = TextOf(model);
  EXPECT_THAT(text, HasSubstr("metadata keys  3"));
  EXPECT_THAT(text, HasSubstr("general.architecture"));
  EXPECT_THAT(text, Not(HasSubstr("test.block_count")));
  EXPECT_THAT(text, Not(HasSubstr("data from")));
  EXPECT_THAT(text, Not(HasSubstr("alignment"))) << "the key may stand in what was not read";
  EXPECT_THAT(text, Not(HasSubstr("\ntensors\n")));
}

TEST(InspectAsText, ShowsTheSizeOfWhatIsNoModel) {
  Model model;
  model.magic = "NONE";
  EXPECT_EQ(TextOf(model), "model.gguf\n\n  size  24 bytes\n");
}

TEST(InspectAsText, ShowsUnknownTypesByNumberAndUnknownSizesAsUnknown) {
  Model model = Small();
  model.tensors.at(0).type_id = 4'000;
  model.tensors.at(1).dims = {std::uint64_t{1} << 63, std::uint64_t{1} << 63};
  const std::string text = TextOf(model);
  EXPECT_THAT(text, HasSubstr("type 4000  [8]"));
  EXPECT_THAT(text, HasSubstr("[9223372036854775808, 9223372036854775808]      ?"));
}

TEST(InspectAsText, EscapesNamesAndValues) {
  const std::string hostile = "\x1b[31m\n\xff\xc2\x9b\xe2\x80\xae";
  Model model;
  model.Set(hostile, hostile);
  model.Set("list", std::vector<std::string>{hostile});
  model.Add(hostile, TensorType::kF32, {8});
  const std::string text = TextOf(model, {.layout = true}, hostile);
  EXPECT_TRUE(testing::IsHarmless(text));
  EXPECT_THAT(text, HasSubstr("\\x1b[31m\\x0a\\xff\\u{009b}\\u{202e}"));
}

TEST(ShapeText, KeepsTheOrderOfTheFile) {
  const auto shape = [](std::vector<std::uint64_t> dims) {
    TensorInfo tensor;
    tensor.dimension_count = static_cast<std::uint32_t>(dims.size());
    std::ranges::copy(dims, tensor.dims.begin());
    return ShapeText(tensor);
  };
  EXPECT_EQ(shape({}), "[]");
  EXPECT_EQ(shape({4'096}), "[4096]");
  EXPECT_EQ(shape({4'096, 32'000, 1, 0}), "[4096, 32000, 1, 0]");
}

}  // namespace
}  // namespace ggufgate
