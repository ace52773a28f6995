#include "tests/support/random/rule_random.h"

#include <array>
#include <string>
#include <utility>

#include "bytes/byte_order.h"
#include "format/tensors/tensor_type.h"
#include "tests/support/rule_cases.h"

namespace ggufgate::testing {
namespace {

std::string RandomText(std::mt19937_64& random, std::size_t longest) {
  std::string text(random() % (longest + 1), ' ');
  for (char& c : text) c = static_cast<char>(' ' + random() % 95);
  return text;
}

std::vector<std::string> RandomTexts(std::mt19937_64& random) {
  std::vector<std::string> texts(random() % 20);
  for (std::string& text : texts) text = RandomText(random, 300);
  return texts;
}

template <Scalar T>
void SetRandom(Model& model, const std::string& key, std::mt19937_64& random) {
  if (random() % 2 == 0) {
    model.Set(key, static_cast<T>(random()));
  } else {
    std::vector<T> values(random() % 20);
    for (T& value : values) value = static_cast<T>(random());
    model.Set(key, values);
  }
}

void AddKey(Model& model, std::mt19937_64& random) {
  const std::string key =
      "k" + std::to_string(model.metadata.size()) + ".a_" + std::string(random() % 12, 'x');
  switch (random() % 8) {
    case 0:
      return SetRandom<std::uint8_t>(model, key, random);
    case 1:
      return SetRandom<std::int16_t>(model, key, random);
    case 2:
      return SetRandom<std::uint32_t>(model, key, random);
    case 3:
      return SetRandom<std::int64_t>(model, key, random);
    case 4:
      return SetRandom<double>(model, key, random);
    case 5:
      model.Set(key, random() % 2 == 0);
      return;
    case 6:
      model.Set(key, RandomText(random, 40));
      return;
    default:
      model.Set(key, RandomTexts(random));
      return;
  }
}

void AddTensor(Model& model, std::mt19937_64& random) {
  const auto types = AllTensorTypes();
  const TensorTypeInfo& type = types[random() % types.size()];
  std::vector<std::uint64_t> dims(1 + random() % 4);
  for (std::uint64_t& dim : dims) dim = 1 + random() % 3;
  dims.front() *= type.block_elements;
  Model::Tensor& tensor =
      model.Add("t." + std::to_string(model.tensors.size()), type.type, std::move(dims));
  for (std::uint8_t& byte : tensor.data) byte = static_cast<std::uint8_t>(random());
}

}  // namespace

Model RandomSound(std::mt19937_64& random) {
  Model model;
  model.version = 2 + static_cast<std::uint32_t>(random() % 2);
  if (random() % 2 == 0) {
    model.alignment = std::uint64_t{8} << random() % 5;
    model.Set(kAlignmentKey, static_cast<std::uint32_t>(model.alignment));
  }
  model.Set("general.quantization_version", std::uint32_t{2});
  for (std::uint64_t i = random() % 6; i > 0; --i) AddKey(model, random);
  for (std::uint64_t i = random() % 6; i > 0; --i) AddTensor(model, random);
  model.pad_last_tensor = random() % 2 == 0;
  return model.alignment < 32 ? BeginAt(std::move(model), 0) : model;
}

std::vector<ByteRange> NumbersOf(const Model& model) {
  std::vector<ByteRange> numbers = {{4, 4}, {8, 8}, {16, 8}};
  for (std::size_t i = 0; i < model.metadata.size(); ++i) {
    numbers.push_back({EntryAt(model, i), 8});
    numbers.push_back({TypeAt(model, i), 4});
    const std::uint64_t value = ValueAt(model, i);
    switch (static_cast<ValueType>(model.metadata[i].type)) {
      case ValueType::kString:
        numbers.push_back({value, 8});
        break;
      case ValueType::kArray:
        numbers.push_back({value, 4});
        numbers.push_back({value + 4, 8});
        break;
      default:
        break;
    }
    if (model.metadata[i].key == kAlignmentKey) numbers.push_back({value, 4});
  }
  for (std::size_t i = 0; i < model.tensors.size(); ++i) {
    numbers.push_back({TensorAt(model, i), 8});
    numbers.push_back({DimensionCountAt(model, i), 4});
    for (std::size_t d = 0; d < model.tensors[i].dims.size(); ++d) {
      numbers.push_back({DimensionsAt(model, i) + 8 * d, 8});
    }
    numbers.push_back({TensorTypeAt(model, i), 4});
    numbers.push_back({OffsetAt(model, i), 8});
  }
  return numbers;
}

void TellALie(const Model& model, std::vector<std::uint8_t>& file, std::mt19937_64& random) {
  const std::vector<ByteRange> numbers = NumbersOf(model);
  const ByteRange where = numbers[random() % numbers.size()];
  const MutableBytes bytes = MutableBytes(file).subspan(where.begin, where.size);
  const std::uint64_t truth = where.size == 8 ? Load<std::uint64_t>(bytes, model.byte_order)
                                              : Load<std::uint32_t>(bytes, model.byte_order);
  const std::uint64_t power = std::uint64_t{1} << random() % 64;
  const std::array<std::uint64_t, 12> lies = {0,
                                              1,
                                              truth + 1,
                                              truth - 1,
                                              truth * 2,
                                              truth ^ power,
                                              power,
                                              power - 1,
                                              UINT64_MAX,
                                              file.size(),
                                              random() % 64,
                                              file.size() - where.begin - where.size};
  const std::uint64_t lie = lies[random() % lies.size()];
  if (where.size == 8) {
    Store(lie, model.byte_order, bytes);
  } else {
    Store(static_cast<std::uint32_t>(lie), model.byte_order, bytes);
  }
}

}  // namespace ggufgate::testing
