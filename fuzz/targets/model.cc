// model: the parser returns the contents of a model that was written, and the gate accepts it. The
// input is a program that builds the model.

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "fuzz/support/target.h"
#include "parse/model.h"
#include "tests/oracles/verdict.h"

namespace {

using namespace ggufgate;
using fuzz::Require;

constexpr std::size_t kMostRecords = 64;

// Program is read byte by byte, and returns zeros after its end.
class Program {
 public:
  explicit Program(Bytes bytes) : rest_(bytes) {}
  [[nodiscard]] bool More() const { return !rest_.empty(); }
  std::uint8_t Next() { return rest_.empty() ? std::uint8_t{0} : Take(1).front(); }
  std::string Text(std::size_t most) {
    const std::size_t size = Next() % (most + 1);  // before the rest is requested
    return std::string(AsText(Take(std::min(size, rest_.size()))));
  }
  template <typename T>
  T Number() {
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) bits = bits << 8 | Next();
    return static_cast<T>(bits);
  }

 private:
  Bytes Take(std::size_t size) {
    const Bytes taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }
  Bytes rest_;
};

void AddTensor(Program& program, Model& model) {
  const auto types = AllTensorTypes();
  const TensorTypeInfo& type = types[program.Next() % types.size()];
  std::vector<std::uint64_t> dims = {type.block_elements * (program.Next() % 4 + 1U)};
  for (std::size_t more = program.Next() % 4; more > 0; --more) {
    dims.push_back(program.Next() % 3 + 1U);
  }
  Model::Tensor& tensor =
      model.Add("tensor." + std::to_string(model.tensors.size()), type.type, std::move(dims));
  Require(tensor.data.size() % type.block_bytes == 0, "a tensor of a model is whole blocks");
}

void SetStrings(Program& program, Model& model, const std::string& key) {
  std::vector<std::string> texts;
  for (std::size_t count = program.Next() % 8; count > 0; --count)
    texts.push_back(program.Text(255));
  model.Set(key, texts);
}

void Step(Program& program, Model& model) {
  const std::string key = "user.key_" + std::to_string(program.Next() % kMostRecords);
  switch (program.Next() % 10) {
    case 0:
      model.Set(key, program.Next() % 2 == 0);
      return;
    case 1:
      model.Set(key, program.Text(255));
      return;
    case 2:
      SetStrings(program, model, key);
      return;
    case 3:
      model.Set(key, program.Number<std::int8_t>());
      return;
    case 4:
      model.Set(key, program.Number<std::uint16_t>());
      return;
    case 5:
      model.Set(key, static_cast<float>(program.Number<std::int32_t>()));
      return;
    case 6:
      model.Set(key, static_cast<double>(program.Number<std::int64_t>()));
      return;
    case 7: {
      const std::size_t count = program.Next() % 16;
      model.Set(key, std::vector<std::uint64_t>(count, program.Number<std::uint64_t>()));
      return;
    }
    default:
      if (model.tensors.size() < kMostRecords) AddTensor(program, model);
  }
}

Model Built(Program& program) {
  const std::uint8_t settings = program.Next();
  Model model = (settings & 1) != 0 ? Model::Minimal() : Model();
  if ((settings & 2) != 0) {
    model = Model();
    model.byte_order = ByteOrder::kBig;
  }
  model.Set("general.architecture", "test");
  model.alignment = std::uint64_t{32} << (settings >> 2 & 7);
  model.Set("general.alignment", static_cast<std::uint32_t>(model.alignment));
  model.LayOut();
  while (program.More()) Step(program, model);
  return model;
}

void RequireSame(const Document& document, const Model& model) {
  Require(document.metadata.size() == model.metadata.size() &&
              document.tensors.size() == model.tensors.size(),
          "as many records come out as went in");
  for (std::size_t i = 0; i < model.metadata.size(); ++i) {
    const Model::Entry& in = model.metadata[i];
    const MetadataEntry& out = document.metadata[i];
    Require(out.key == in.key && static_cast<std::uint32_t>(out.type) == in.type,
            "a key comes out with its type");
    const std::uint64_t size = in.payload.size();
    Require(std::ranges::equal(document.BytesAt({out.range.End() - size, size}), in.payload),
            "a value comes out as it went in");
  }
  for (std::size_t i = 0; i < model.tensors.size(); ++i) {
    const Model::Tensor& in = model.tensors[i];
    const TensorInfo& out = document.tensors[i];
    Require(out.name == in.name && out.type_id == in.type_id && out.offset == in.offset &&
                std::ranges::equal(std::span(out.dims).first(out.dimension_count), in.dims),
            "a tensor comes out as it went in");
  }
}

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  Program program(input);
  const Model model = Built(program);
  const std::vector<std::uint8_t> file = Write(model);
  const fuzz::GuardedCopy copy(file);
  Policy policy;
  policy.target = TargetOrder::kAny;
  const fuzz::Judgement judged = fuzz::Judge(copy.bytes(), policy);
  Require(!judged.Rejected(), "a model that is built is accepted");
  fuzz::RequireSound(judged, copy.bytes(), policy);
  RequireSame(judged.document, model);
  Require(Write(ModelOf(judged.document, copy.bytes())) == file,
          "taken apart and written again, a model has the same bytes");
}
