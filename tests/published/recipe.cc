#include "tests/published/recipe.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include "format/tensors/tensor_type.h"
#include "format/value_type.h"
#include "tests/published/recipe_text.h"
#include "tests/published/vocabulary.h"

namespace ggufgate::published {
namespace {

std::string Replaced(std::string text, char wanted, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(wanted, at)) != std::string::npos; at += by.size()) {
    text.replace(at, 1, by);
  }
  return text;
}

std::string Unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool line = text[i] == '\\' && i + 1 < text.size() && text[i + 1] == 'n';
    out += line ? '\n' : text[i];
    if (line) ++i;
  }
  return out;
}

std::optional<TokenType> TokenTypeNamed(std::string_view word) {
  if (word == "normal") return TokenType::kNormal;
  if (word == "unknown") return TokenType::kUnknown;
  if (word == "control") return TokenType::kControl;
  if (word == "user") return TokenType::kUserDefined;
  if (word == "unused") return TokenType::kUnused;
  if (word == "byte") return TokenType::kByte;
  return std::nullopt;
}

// Reader reads a recipe line by line. A method returns false if it cannot read its part.
class Reader {
 public:
  Recipe Run(std::string_view text) {
    std::istringstream lines{std::string(text)};
    std::string line;
    for (std::size_t number = 1; std::getline(lines, line); ++number) {
      const std::string_view rest = Trim(line);
      if (rest.empty() || rest.front() == '#' || Line(rest)) continue;
      recipe_.problem = "line " + std::to_string(number) + ": " + line;
      return std::move(recipe_);
    }
    if (plan_) Vocabulary();
    recipe_.data_bytes = LayOutWithoutData(recipe_.model);
    return std::move(recipe_);
  }

 private:
  bool Line(std::string_view line) {
    if (line.front() == '!') return Directive(line);
    return in_tensors_ ? Tensors(line) : Entry(line);
  }

  bool Directive(std::string_view rest) {
    const std::string_view word = TakeWord(rest);
    if (word == "!vocabulary") return PlanVocabulary(rest);
    if (word == "!token" || word == "!tokens") return Special(rest);
    if (word == "!mix" || word == "!optional" || word == "!also") return true;
    if (word == "!tensors") return in_tensors_ = true;
    const std::size_t colon = rest.find(": ");
    if ((word != "!warns" && word != "!rejects") || colon == std::string_view::npos) return false;
    auto& rules = word == "!warns" ? recipe_.warns : recipe_.rejects;
    rules.emplace(rest.substr(0, colon), rest.substr(colon + 2));
    return true;
  }

  bool PlanVocabulary(std::string_view rest) {
    VocabularyPlan& plan = plan_.emplace();
    vocabulary_at_ = recipe_.model.metadata.size();
    plan.kind = TakeWord(rest);
    plan.scores = plan.kind == "spm" || plan.kind == "ugm" || plan.kind == "plamo2";
    const auto count = NumberIn<std::uint64_t>(TakeWord(rest));
    if (!count) return false;
    plan.count = *count;
    while (!rest.empty()) {
      const std::string_view option = TakeWord(rest);
      const std::size_t equals = std::min(option.find('='), option.size() - 1);
      const std::string_view value = option.substr(equals + 1);
      const std::string_view name = option.substr(0, equals);
      const auto number = NumberIn<std::uint64_t>(value);
      if (name == "merges" && number) {
        plan.merges = *number;
      } else if (name == "bytes-at" && number) {
        plan.bytes_at = number;
      } else if (name == "scores") {
        plan.scores = value == "yes";
      } else if (name == "types") {
        plan.types = value == "yes";
      } else {
        return false;
      }
    }
    return true;
  }

  bool Special(std::string_view rest) {
    const auto range = RangeIn(TakeWord(rest));
    const auto type = TokenTypeNamed(TakeWord(rest));
    if (!plan_ || !range || !type || range->last >= plan_->count) return false;
    for (std::uint64_t id = range->first; id <= range->last; ++id) {
      std::string text(rest);
      if (range->first != range->last) {
        text = Replaced(Replaced(text, '*', std::to_string(id - range->first)), '#',
                        std::to_string(id));
      }
      plan_->special[id] = {text, *type};
    }
    return true;
  }

  // The arrays of the vocabulary are inserted where the recipe names it.
  void Vocabulary() {
    Model arrays;
    recipe_.problem = SetVocabulary(*plan_, arrays);
    std::vector<Model::Entry>& metadata = recipe_.model.metadata;
    metadata.insert(metadata.begin() + static_cast<std::ptrdiff_t>(vocabulary_at_),
                    std::make_move_iterator(arrays.metadata.begin()),
                    std::make_move_iterator(arrays.metadata.end()));
  }

  bool Entry(std::string_view rest) {
    const std::string_view key = TakeWord(rest);
    const std::string_view type = TakeWord(rest);
    Model& model = recipe_.model;
    if (type == "str") {
      model.Set(key, Unescaped(rest));
      return true;
    }
    if (type == "[str]") {
      const std::vector<std::string_view> parts = Split(rest, ",");
      model.Set(key, std::vector<std::string>(parts.begin(), parts.end()));
      return true;
    }
    if (type == "charsmap") {
      const auto size = NumberIn<std::uint64_t>(rest);
      if (size) model.Set(key, SyntheticCharsmap(*size));
      return size.has_value();
    }
    if (!type.starts_with('[')) return Scalar(key, FindValueTypeNamed(type), rest);
    return Array(key, FindValueTypeNamed(type.substr(1, type.size() - 2)), rest);
  }

  template <typename T>
  static bool PutNumber(Encoder& out, std::string_view text) {
    const auto number = NumberIn<T>(text);
    if (number) out.Put(*number);
    return number.has_value();
  }

  static bool Put(Encoder& out, ValueType type, std::string_view text) {
    switch (type) {
      case ValueType::kU8:
        return PutNumber<std::uint8_t>(out, text);
      case ValueType::kI8:
        return PutNumber<std::int8_t>(out, text);
      case ValueType::kU16:
        return PutNumber<std::uint16_t>(out, text);
      case ValueType::kU32:
        return PutNumber<std::uint32_t>(out, text);
      case ValueType::kI32:
        return PutNumber<std::int32_t>(out, text);
      case ValueType::kU64:
        return PutNumber<std::uint64_t>(out, text);
      case ValueType::kF32:
        return PutNumber<float>(out, text);
      case ValueType::kBool:
        out.Put(static_cast<std::uint8_t>(text == "true" ? 1 : 0));
        return text == "true" || text == "false";
      default:
        return false;
    }
  }

  bool Scalar(std::string_view key, const ValueTypeInfo* type, std::string_view text) {
    Encoder payload(ByteOrder::kLittle);
    if (type == nullptr || !Put(payload, type->type, text)) return false;
    recipe_.model.SetRaw(key, type->type, payload.Take());
    return true;
  }

  bool Array(std::string_view key, const ValueTypeInfo* type, std::string_view text) {
    if (type == nullptr) return false;
    Encoder elements(ByteOrder::kLittle);
    std::uint64_t count = 0;
    for (const std::string_view part : Split(text, ", ")) {
      const std::size_t star = part.find('*');
      const bool repeated = star != std::string_view::npos;
      const auto times = repeated ? NumberIn<std::uint64_t>(part.substr(0, star)) : 1;
      if (!times) return false;
      for (std::uint64_t i = 0; i < *times; ++i, ++count) {
        if (!Put(elements, type->type, repeated ? part.substr(star + 1) : part)) return false;
      }
    }
    Encoder payload(ByteOrder::kLittle);
    payload.Put(static_cast<std::uint32_t>(type->type)).Put(count).PutBytes(elements.Take());
    recipe_.model.SetRaw(key, ValueType::kArray, payload.Take());
    return true;
  }

  bool Tensors(std::string_view rest) {
    const std::string_view pattern = TakeWord(rest);
    const TensorTypeInfo* const type = FindTensorTypeNamed(TakeWord(rest));
    if (type == nullptr || !rest.starts_with('[') || !rest.ends_with(']')) return false;
    std::vector<std::uint64_t> dims;
    for (const std::string_view part : Split(rest.substr(1, rest.size() - 2), ", ")) {
      const auto dim = NumberIn<std::uint64_t>(part);
      if (!dim) return false;
      dims.push_back(*dim);
    }
    for (const std::string& name : Expand(pattern)) {
      recipe_.model.tensors.push_back(
          {.name = name, .dims = dims, .type_id = static_cast<std::uint32_t>(type->type)});
    }
    return true;
  }

  Recipe recipe_;
  std::optional<VocabularyPlan> plan_;
  std::size_t vocabulary_at_ = 0;
  bool in_tensors_ = false;
};

}  // namespace

Recipe ReadRecipe(std::string_view text) { return Reader().Run(text); }

std::uint64_t LayOutWithoutData(Model& model) {
  std::uint64_t at = 0;
  for (Model::Tensor& tensor : model.tensors) {
    tensor.offset = at;
    const TensorTypeInfo* const type = FindTensorType(tensor.type_id);
    if (type == nullptr) continue;
    std::uint64_t elements = 1;
    for (const std::uint64_t dim : tensor.dims) elements *= dim;
    at += elements / type->block_elements * type->block_bytes;
    at = (at + model.alignment - 1) / model.alignment * model.alignment;
  }
  return at;
}

}  // namespace ggufgate::published
