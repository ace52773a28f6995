// Public reports about vocabularies, tensor directories and other parts of the container.

#include "corpus/recipes/report.h"
#include "corpus/recipes/tokenizer_parts.h"

namespace ggufgate::corpus {
namespace {

// SentencePieces adds a vocabulary with all byte tokens.
void SentencePieces(Model& m) {
  Strings tokens = {"<unk>", "<s>", "</s>"};
  const Strings bytes = ByteTokens();
  tokens.insert(tokens.end(), bytes.begin(), bytes.end());
  SetTokens(m, "llama", tokens);
}

Recipes VocabularyReports() {
  return {
      Report("invalid/report-end-of-text.gguf", "llama.cpp#3634",
             "the end of a text is a token that only the checkpoint has", kOnlyLlamaCpp,
             {"token-id-range"}, "twelve letters, eos_token_id 12", Base(),
             [](Model& m) {
               BytePairs(m);
               m.Set(Key("eos_token_id"), std::uint32_t{12});
             }),
      Report("valid/report-no-end-of-text.gguf", "mistral.rs#2282",
             "2^32-1 means that there is no such token; a reader used it as an index", kAccept, {},
             "twelve letters, eos_token_id 2^32-1", Base(),
             [](Model& m) {
               BytePairs(m);
               m.Set(Key("eos_token_id"), UINT32_MAX);
             }),
      Report("invalid/report-default-id.gguf", "llama.cpp#25508",
             "two tokens and no id: the default for the end of a text is token 2", kOnlySpecAccepts,
             {"vocabulary-byte-tokens", "vocabulary-size"}, "tokenizer llama, two tokens", Base(),
             [](Model& m) { SetTokens(m, "llama", {"<unk>", "<s>"}); }),
      Report("valid/report-no-merges.gguf", "llama.cpp#9309",
             "a SentencePiece vocabulary without merges, which one reader wants", kAccept, {},
             "259 tokens, no merges", Base(), SentencePieces),
      Report("invalid/report-byte-pairs-as-pieces.gguf", "koboldcpp#575",
             "byte pairs under the name of SentencePiece: no byte tokens", kOnlySpecAccepts,
             {"vocabulary-byte-tokens"}, "tokenizer llama, twelve letters, eos_token_id 11", Base(),
             [](Model& m) { SetTokens(m, "llama", Letters(12)); }),
      Report("valid/report-refact.gguf", "ollama#4629",
             "a pre-tokenizer that old loaders did not know", kAccept, {},
             "twelve letters, tokenizer.ggml.pre refact", Base(),
             [](Model& m) {
               BytePairs(m);
               m.Set(Key("pre"), "refact");
             }),
      Report("valid/report-code.gguf", "llama.cpp#7592",
             "a name with the word code: a loader guessed ids for filling the middle", kAccept, {},
             "259 tokens, general.name code", Base(),
             [](Model& m) {
               SentencePieces(m);
               m.Set("general.name", "mistral-7b-code-16k");
             }),
  };
}

Recipes DirectoryReports() {
  return {
      Report("invalid/report-tensor-twice.gguf", "llama.cpp#6836, llama.cpp#6490",
             "two tensors of one name, from a converter", kReject, {"tensor-name-duplicate"},
             "output_norm.weight twice", WholeModel("llama"),
             [](Model& m) { AddFloats(m, "output_norm.weight", 8); }),
      Report("invalid/report-empty-dimension.gguf", "llama.cpp#26366, ggml#1517",
             "a dimension of 0, by which a loader divides", kOnlyGateRejects,
             {"tensor-dimension-zero"}, "weight [8, 0]", Base(),
             [](Model& m) {
               m.tensors.front().dims = {8, 0};
               m.tensors.front().data.clear();
             }),
      Report("invalid/report-no-blocks.gguf", "llama.cpp#8816",
             "a type without a block size, by which a loader divides", kReject, {"tensor-type"},
             "weight of type 4", Base(), [](Model& m) { m.tensors.front().type_id = 4; }),
      Report("valid/report-mxfp4.gguf", "unsloth#3124, harmony#42",
             "a type that old loaders did not know", kAccept, {}, "weight of MXFP4", Base(),
             [](Model& m) {
               m.Set("general.quantization_version", std::uint32_t{2});
               m.tensors.clear();
               Dice dice(39);  // the number of the type
               Model::Tensor& tensor = m.Add("weight", TensorType::kMXFP4, {32});
               tensor.data = TensorData(TensorType::kMXFP4, tensor.data.size(), dice);
             }),
      Report("valid/report-no-quantization-version.gguf", "gguf.js#1",
             "quantised tensors, and no version of the quantisation", kAccept,
             {"quantization-version-missing"}, "weight of Q8_0", Base(),
             [](Model& m) {
               m.tensors.clear();
               Dice dice(8);
               Model::Tensor& tensor = m.Add("weight", TensorType::kQ8_0, {32});
               tensor.data = TensorData(TensorType::kQ8_0, tensor.data.size(), dice);
             }),
  };
}

// The edit of a Report lays tensors out again, so this one is made separately.
Recipe WrongOffset() {
  Recipe made =
      FromBase("invalid/report-offset.gguf", "an offset that counts other sizes than the file has",
               kOnlySpec, {"tensor-order"}, "offsets 0, 64", [](Model& m) {
                 AddFloats(m, "second", 8).offset = 64;
                 m.trailing.assign(32, 0);
               });
  made.origin = "public report llama.cpp#17064";
  return made;
}

Recipes ProjectorReports() {
  return {
      Report("valid/report-no-encoder.gguf", "llama.cpp#24085",
             "a projector without an encoder: a loader divided by its heads", kAccept, {},
             "clip, gemma4uv, clip.vision.attention.head_count 0", Base(),
             [](Model& m) {
               m.Set("general.architecture", "clip").Set("general.type", "mmproj");
               m.Set("clip.has_vision_encoder", true).Set("clip.projector_type", "gemma4uv");
               m.Set("clip.vision.attention.head_count", std::uint32_t{0});
               m.Set("clip.vision.block_count", std::uint32_t{0});
               m.Set("clip.vision.image_size", std::uint32_t{768});
               m.Set("clip.vision.patch_size", std::uint32_t{16});
             }),
  };
}

}  // namespace

Recipes FileReportRecipes() {
  Recipes all = VocabularyReports();
  for (const auto& part : {DirectoryReports(), ProjectorReports()}) {
    all.insert(all.end(), part.begin(), part.end());
  }
  all.push_back(WrongOffset());
  return all;
}

}  // namespace ggufgate::corpus
