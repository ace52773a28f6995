// Two files for each line of src/mutate/examples/examples.def.

#include "mutate/examples/examples.h"

#include <algorithm>

#include "corpus/recipes/recipe.h"

namespace ggufgate::corpus {
namespace {

using mutate::Example;
using mutate::ExampleRecord;
using mutate::ExampleValue;

constexpr std::string_view kArchitecture = "test";  // of Base()

void PutElement(Encoder& encoder, const ExampleValue& value, ValueType type) {
  if (type == ValueType::kString) {
    encoder.PutString(value.text);
    return;
  }
  std::uint64_t number = value.number;
  for (std::uint32_t i = 0; i < InfoOf(type).scalar_bytes; ++i) {
    encoder.Put(static_cast<std::uint8_t>(number));
    number >>= 8;
  }
}

FileBytes Payload(const ExampleValue& value) {
  Encoder encoder(ByteOrder::kLittle);
  if (value.type != ValueType::kArray) {
    PutElement(encoder, value, value.type);
    return encoder.Take();
  }
  encoder.Put(IdOf(value.element)).Put(value.count);
  for (std::uint64_t i = 0; i < value.count; ++i) PutElement(encoder, value, value.element);
  return encoder.Take();
}

std::string NameIn(const ExampleRecord& record) {
  std::string name(record.name);
  if (name.starts_with(mutate::kArchitecturePattern)) {
    name.replace(0, mutate::kArchitecturePattern.size() - 1, kArchitecture);
  }
  return name;
}

void AddRecord(Model& model, const ExampleRecord& record) {
  if (!record.is_tensor) {
    model.metadata.push_back(
        {.key = NameIn(record), .type = IdOf(record.value.type), .payload = Payload(record.value)});
    return;
  }
  constexpr std::uint8_t kPlainByte = 0x11;  // NaN or infinite in no type
  const auto dims = std::span(record.dims).first(record.dimension_count);
  Model::Tensor& tensor = model.Add(record.name, record.type, {dims.begin(), dims.end()});
  std::ranges::fill(tensor.data, kPlainByte);
}

// Printable returns a name with other bytes as hexadecimal numbers.
std::string Printable(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (c >= ' ' && c <= '~') {
      text += c;
      continue;
    }
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    const auto byte = static_cast<unsigned char>(c);
    text += '<';
    text += kDigits[byte / 16];
    text += kDigits[byte % 16];
    text += '>';
  }
  return "`" + text + "`";
}

std::string Described(const ExampleRecord& record) {
  std::string text = Printable(NameIn(record));
  if (record.is_tensor) {
    text += " as " + std::string(FindTensorType(IdOf(record.type))->name) + " [";
    for (std::uint32_t i = 0; i < record.dimension_count; ++i) {
      text += (i > 0 ? ", " : "") + std::to_string(record.dims.at(i));
    }
    return text + "]";
  }
  const ExampleValue& value = record.value;
  const bool is_array = value.type == ValueType::kArray;
  const ValueType type = is_array ? value.element : value.type;
  text += is_array ? " as array of " + std::to_string(value.count) + " " : " as ";
  text += InfoOf(type).word;
  if (type == ValueType::kString) return text + " " + Printable(std::string(value.text));
  const bool is_float = type == ValueType::kF32 || type == ValueType::kF64;
  return text + (is_float ? " with the bits " : " ") + std::to_string(value.number);
}

Recipe RecipeOf(const Example& example, bool is_bad) {
  const std::string rule(example.rule);
  const std::string variant = example.variant.empty() ? "" : "." + std::string(example.variant);
  const char severity = example.severities.front();
  const ExampleRecord& record = is_bad ? example.bad : example.good;
  Recipe recipe = FromBase("valid/" + rule + variant + ".near-miss.gguf",
                           "the record most similar to one that breaks rule " + rule, kAccept, {},
                           Described(record), [record](Model& m) { AddRecord(m, record); });
  if (!is_bad) return recipe;
  const auto accepts = [&](std::size_t profile) { return example.severities[profile] != 'e'; };
  recipe.file = severity == 'e'   ? "invalid/" + rule + variant + ".gguf"
                : severity == 'w' ? "valid/" + rule + variant + ".warned.gguf"
                                  : "valid/" + rule + variant + ".noted.gguf";
  recipe.shows = example.what;
  recipe.verdict = {.gate = accepts(0), .llama_cpp = accepts(1), .spec = accepts(2)};
  if (severity != 'n') recipe.rules = {rule};
  return recipe;
}

}  // namespace

Recipes ExampleRecipes() {
  Recipes recipes;
  for (const Example& example : mutate::kExamples) {
    recipes.push_back(RecipeOf(example, /*is_bad=*/true));
    recipes.push_back(RecipeOf(example, /*is_bad=*/false));
  }
  return recipes;
}

}  // namespace ggufgate::corpus
