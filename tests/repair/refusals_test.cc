// Faults without a certain right answer stay, and a file that would stay faulty is not written.

#include "tests/repair/repaired.h"

namespace ggufgate::testing {
namespace {

// ExpectRefused expects no repair, with these doubts.
void ExpectRefused(const File& file, const std::vector<DoubtId>& doubts) {
  const Repaired repaired = RepairOf(file);
  EXPECT_EQ(repaired.repair.outcome, Repair::Outcome::kRefused);
  EXPECT_EQ(DoubtsOf(repaired.repair), doubts);
}

Model Named(const char* architecture) { return Learned(architecture); }

TEST(Refusals, CopiesWithOtherValues) {
  Model model = Named("llama");
  model.metadata.push_back({.key = "general.architecture",
                            .type = IdOf(ValueType::kString),
                            .payload = Encoder(ByteOrder::kLittle).PutString("gemma").Take()});
  ExpectRefused(Write(model), {DoubtId::kDifferentValues});
}

TEST(Refusals, CopiesWithOtherTypesOfTheSameBytes) {
  Model model = Model::Minimal();
  const std::vector<std::uint8_t> payload = {1, 0, 0, 0};
  model.metadata.push_back({.key = "n", .type = IdOf(ValueType::kU32), .payload = payload});
  model.metadata.push_back({.key = "n", .type = IdOf(ValueType::kI32), .payload = payload});
  ExpectRefused(Write(model), {DoubtId::kDifferentValues});
}

TEST(Refusals, AlignmentsThatPlaceTheData) {
  Model type = Model::Minimal();
  type.Set("general.alignment", std::uint64_t{64});
  ExpectRefused(Write(type), {DoubtId::kAlignmentType});
  Model odd = Model::Minimal();
  odd.Set("general.alignment", std::uint32_t{24});
  ExpectRefused(Write(odd), {DoubtId::kAlignmentValue});
  Model zero = Model::Minimal();
  zero.Set("general.alignment", std::uint32_t{0});
  ExpectRefused(Write(zero), {DoubtId::kAlignmentValue});
  Model small = Model::Minimal();
  small.Set("general.alignment", std::uint32_t{4});
  small.alignment = 4;
  small.Add("three", TensorType::kF32, {3});
  small.Add("four", TensorType::kF32, {4});
  ExpectRefused(Write(small), {DoubtId::kAlignmentUsed});
}

// An alignment of 64 that places the data is not a fault.
TEST(Refusals, NoneOfAnAlignmentInUse) {
  Model model = Model::Minimal();
  model.Set("general.alignment", std::uint32_t{64});
  model.alignment = 64;
  model.Add("more", TensorType::kF32, {8});
  model.LayOut();
  const Repaired repaired = RepairOf(Write(model));
  EXPECT_EQ(repaired.repair.outcome, Repair::Outcome::kNothing);
}

TEST(Refusals, TokenTypesThatAreNone) {
  for (const std::uint32_t value : {7U, 0x3F80'0000U, 0xFFFF'FFFFU}) {
    Model model = Named("llama");
    const File sound = Write(model);
    const std::uint64_t tokens = DocumentOf(sound).Find("tokenizer.ggml.tokens")->count;
    std::vector<std::uint32_t> types(tokens, 1);
    types.back() = value;
    model.Set("tokenizer.ggml.token_type", types);
    ExpectRefused(Write(model), {DoubtId::kTokenTypeForm});
    types.assign(tokens - 1, 1);
    model.Set("tokenizer.ggml.token_type", types);
    ExpectRefused(Write(model), {DoubtId::kTokenTypeForm});
    model.Set("tokenizer.ggml.token_type", std::vector<float>(tokens, 1.0F));
    ExpectRefused(Write(model), {DoubtId::kTokenTypeForm});
    model.Set("tokenizer.ggml.token_type", std::uint32_t{1});
    ExpectRefused(Write(model), {DoubtId::kTokenTypeForm});
  }
}

TEST(Refusals, LayersThatAreThereInPart) {
  Model model = Named("glm4");
  model.Set("glm4.block_count", std::uint32_t{3});
  model.Set("glm4.nextn_predict_layers", std::uint32_t{1});
  Model part = model;
  part.Add("blk.2.nextn.enorm.weight", TensorType::kF32, {64});
  ExpectRefused(Write(part), {DoubtId::kNextLayersThere});
  Model more = model;
  more.Set("glm4.block_count", std::uint32_t{4});
  ExpectRefused(Write(more), {DoubtId::kNextLayersNumbers});
  Model array = model;
  array.Set("glm4.some_array", std::vector<std::uint32_t>{1, 1, 1});
  ExpectRefused(Write(array), {DoubtId::kNextLayersArray});
}

TEST(Refusals, ShardsOfASet) {
  Model model = Named("llama");
  model.Set("split.no", std::uint32_t{0});  // must be u16
  model.Set("split.count", std::uint16_t{2});
  model.Set("split.tensors.count", static_cast<std::int32_t>(model.tensors.size() + 9));
  ExpectRefused(Write(model), {DoubtId::kSplitCount});
  Model without = Named("llama");
  without.Set("split.no", std::uint32_t{0});
  ExpectRefused(Write(without), {DoubtId::kSplitCount});
}

// llama-gguf-split --no-tensor-first-split puts all tensors into the second shard.
TEST(Refusals, NoneOfAShardWithAllTensorsAndNoMetadata) {
  Model model;
  model.Add("blk.0.attn_q.weight", TensorType::kF32, {32, 32});
  model.Set("split.no", std::uint16_t{1});
  model.Set("split.count", std::uint16_t{2});
  model.Set("split.tensors.count", std::int32_t{1});
  EXPECT_EQ(RepairOf(Write(model)).repair.outcome, Repair::Outcome::kNothing);
  model.Set("split.count", std::uint32_t{2});
  ExpectRefused(Write(model), {DoubtId::kSplitCount});
}

TEST(Refusals, ASetOfOneThatLacksTensors) {
  Model model = Named("llama");
  std::erase_if(model.tensors,
                [](const Model::Tensor& tensor) { return tensor.name == "blk.1.ffn_norm.weight"; });
  model.LayOut();
  model.Set("split.no", std::uint16_t{0});
  model.Set("split.count", std::uint16_t{1});
  model.Set("split.tensors.count", static_cast<std::int32_t>(model.tensors.size() + 1));
  ExpectRefused(Write(model), {DoubtId::kSplitTotal});
}

TEST(Refusals, TailsThatMayBeData) {
  const File one = Write(Model::Minimal());
  File joined = one;
  joined.insert(joined.end(), one.begin(), one.end());
  ExpectRefused(joined, {DoubtId::kTailJoined});
  Model bare = Model::Minimal();
  bare.tensors.clear();
  File tail = Write(bare);
  tail.resize(tail.size() + 100, 1);
  ExpectRefused(tail, {DoubtId::kTailWithoutTensors});
  Model fork;
  fork.Add("w", TensorType::kQ8_K, {256});
  fork.Set("general.architecture", "none");
  File long_blocks = Write(fork);
  long_blocks.resize(long_blocks.size() + 4, 1);
  ExpectRefused(long_blocks, {DoubtId::kTailOfFork});
}

// The directory ends at a multiple of the alignment, so that no padding shows the lost record.
TEST(Refusals, ATensorCountThatIsTooLow) {
  for (std::size_t name = 1; name <= 32; ++name) {
    Model model = Model::Minimal();
    model.tensors.at(0).name.assign(name, 'a');
    model.Add("second", TensorType::kF32, {64});
    model.claimed_tensor_count = 1;
    const Repaired repaired = RepairOf(Write(model));
    EXPECT_EQ(repaired.repair.outcome, Repair::Outcome::kRefused) << name;
    EXPECT_THAT(DoubtsOf(repaired.repair), ElementsAre(DoubtId::kRecordFollows)) << name;
  }
}

// A record that the counts have lost lies where the padding should be.
TEST(Refusals, PaddingThatIsNotZero) {
  for (const char* text : {"", "x"}) {
    Model model = Model::Minimal();
    model.Set("text", text);
    if (DocumentOf(Write(model)).directory_end % kDefaultAlignment == 0) continue;  // no padding
    model.padding_byte = 7;
    Model tail = model;
    tail.trailing = {1, 2, 3};
    ExpectRefused(Write(tail), {DoubtId::kPaddingUsed});
    model.metadata.push_back(model.metadata.front());
    if (DocumentOf(Write(model)).directory_end % kDefaultAlignment == 0) continue;
    ExpectRefused(Write(model), {DoubtId::kPaddingUsed});
  }
}

TEST(Refusals, FilesThatWouldStayRejected) {
  Model model = Model::Minimal();
  model.metadata.push_back(model.metadata.front());  // can be repaired
  model.Set("bool", true);
  model.metadata.back().payload = {2};  // cannot
  const Repaired repaired = RepairOf(Write(model));
  EXPECT_EQ(repaired.repair.outcome, Repair::Outcome::kRefused);
  EXPECT_THAT(SlugsOf(repaired.repair.plan), ElementsAre("duplicate-key"));
  EXPECT_TRUE(std::ranges::any_of(repaired.repair.left.list, [](const Finding& finding) {
    return finding.rule == RuleId::kBoolValue;
  }));
}

TEST(Refusals, TokensThatAreTwice) {
  Model model = Named("llama");
  const File sound = Write(model);
  const Document document = DocumentOf(sound);
  const MetadataEntry* entry = document.Find("tokenizer.ggml.tokens");
  std::vector<std::string> tokens(entry->count, "same");
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) tokens.at(i) = "t" + std::to_string(i);
  model.Set("tokenizer.ggml.tokens", tokens);
  ExpectRefused(Write(model), {});
  EXPECT_TRUE(ReasonToLeave(RuleId::kTokenDuplicate).has_value());
}

TEST(Refusals, EveryTruncatedFile) {
  const File whole = Write(Learned("llama"));
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    const File cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const Repaired repaired = RepairOf(cut);
    EXPECT_EQ(repaired.repair.outcome, Repair::Outcome::kRefused) << size;
    EXPECT_THAT(repaired.repair.plan.changes, IsEmpty()) << size;
  }
}

}  // namespace
}  // namespace ggufgate::testing
