#include "corpus/recipes/recipe.h"

#include "parse/parse.h"

namespace ggufgate::corpus {

FileBytes Floats(std::uint64_t count) {
  Encoder encoder(ByteOrder::kLittle);
  for (std::uint64_t i = 1; i <= count; ++i) encoder.Put(static_cast<float>(i));
  return encoder.Take();
}

Model Base() {
  Model model = Model::Minimal();
  model.tensors.front().data = Floats(8);
  return model;
}

std::function<FileBytes()> Edit(std::function<void(Model&)> edit) {
  return [change = std::move(edit)] {
    Model model = Base();
    change(model);
    return Write(model);
  };
}

Recipe FromBase(std::string file, std::string shows, Verdict verdict,
                std::vector<std::string> rules, std::string recipe,
                std::function<void(Model&)> edit) {
  return {.file = std::move(file),
          .shows = std::move(shows),
          .verdict = verdict,
          .rules = std::move(rules),
          .recipe = std::move(recipe),
          .make = Edit(std::move(edit))};
}

Recipe FromModel(Model model, std::string file, std::string shows, Verdict verdict,
                 std::vector<std::string> rules, std::string recipe,
                 const std::function<void(Model&)>& edit) {
  edit(model);
  return {.file = std::move(file),
          .shows = std::move(shows),
          .verdict = verdict,
          .rules = std::move(rules),
          .recipe = std::move(recipe),
          .make = [bytes = Write(model)] { return bytes; }};
}

std::function<FileBytes()> Raw(std::string bytes) {
  return [text = std::move(bytes)] { return FileBytes(text.begin(), text.end()); };
}

std::function<FileBytes()> FromHex(std::string_view digits) {
  FileBytes bytes;
  bool high = true;
  for (const char c : digits) {
    const std::size_t value = std::string_view("0123456789abcdef").find(c);
    if (value == std::string_view::npos) continue;
    if (high) bytes.push_back(0);
    bytes.back() = static_cast<std::uint8_t>(std::size_t{bytes.back()} << 4 | value);
    high = !high;
  }
  return [file = std::move(bytes)] { return file; };
}

std::function<FileBytes()> FirstBytes(std::function<FileBytes()> make, std::int64_t count) {
  return [whole = std::move(make), count] {
    FileBytes file = whole();
    const auto size = static_cast<std::int64_t>(file.size());
    file.resize(static_cast<std::uint64_t>(count < 0 ? size + count : count));
    return file;
  };
}

void Append(Model& model, std::string key, std::uint8_t value) {
  model.metadata.push_back({.key = std::move(key), .type = 0, .payload = {value}});
}

void SetAlignment(Model& model, std::uint32_t alignment) {
  model.Set("general.alignment", alignment);
  model.alignment = alignment;
  model.LayOut();
}

void BeginDataAt(Model& model, std::uint64_t past) {
  for (std::string padding; padding.size() < 64; padding += '.') {
    model.Set("general.padding", padding);
    const FileBytes file = Write(model);
    const ParseResult parsed = Parse(file, file.size(), Limits());
    if (parsed.document.data_begin.value_or(past + 1) % 32 == past) return;
  }
}

void Claim(Model& model, std::vector<std::uint64_t> dims, TensorType type) {
  Model::Tensor& tensor = model.tensors.front();
  tensor.dims = std::move(dims);
  tensor.type_id = static_cast<std::uint32_t>(type);
  tensor.data.clear();
  const TensorTypeInfo* info = FindTensorType(tensor.type_id);
  if (info->quantised) model.Set("general.quantization_version", std::uint32_t{2});
}

void AddOnTop(Model& model, std::uint64_t offset) {
  model.tensors.push_back({.name = "on_top",
                           .dims = {8},
                           .type_id = static_cast<std::uint32_t>(TensorType::kF32),
                           .offset = offset,
                           .data = Floats(8)});
}

Model TwoLayers(const std::string& architecture) {
  Model model;
  model.Set("general.architecture", architecture);
  const auto set = [&](const char* name, std::uint32_t value) {
    model.Set(architecture + "." + name, value);
  };
  set("block_count", 2);
  set("context_length", 16);
  set("embedding_length", 8);
  set("feed_forward_length", 16);
  set("attention.head_count", 2);
  set("attention.head_count_kv", 1);
  set("vocab_size", 3);
  model.Set("tokenizer.ggml.model", "no_vocab");
  model.Set(architecture + ".attention.layer_norm_rms_epsilon", 1e-5F);
  model.Add("token_embd.weight", TensorType::kF32, {8, 3}).data = Floats(24);
  return model;
}

Model::Tensor& AddFloats(Model& model, std::string_view name, std::uint64_t count) {
  Model::Tensor& tensor = model.Add(name, TensorType::kF32, {count});
  tensor.data = Floats(count);
  return tensor;
}

}  // namespace ggufgate::corpus
