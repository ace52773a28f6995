#include "tests/support/reference/mutants.h"

#include <algorithm>
#include <array>
#include <utility>

#include "parse/arrays.h"
#include "parse/parse.h"

namespace ggufgate::testing {
namespace {

using File = std::vector<std::uint8_t>;

File CopyOf(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

// --- numbers -------------------------------------------------------------------------------------

// Lies returns the values to write instead of `honest` into a field that ends at `end` of a file of
// `size`.
std::vector<std::uint64_t> Lies(std::uint64_t honest, std::uint64_t end, std::uint64_t size) {
  std::vector<std::uint64_t> lies{0, 1, honest + 1, honest - 1, honest * 2, UINT64_MAX};
  const std::uint64_t left = size - end;
  for (const std::uint64_t unit : {1U, 2U, 4U, 8U, 13U, 14U, 24U}) {
    lies.push_back(left / unit);
    lies.push_back(left / unit + 1);
  }
  for (const int power : {3, 4, 5, 7, 8, 15, 16, 29, 30, 31, 32, 53, 57, 59, 60, 61, 62, 63}) {
    const std::uint64_t two = std::uint64_t{1} << power;
    lies.insert(lies.end(), {two - 1, two, two + 1, std::uint64_t{0} - two, two + honest});
  }
  // Products and sums that overflow: key and tensor records in the reference take 88 and 344 bytes.
  for (const std::uint64_t unit : {88U, 344U, 18U, 576U}) {
    lies.insert(lies.end(), {UINT64_MAX / unit, UINT64_MAX / unit + 1});
  }
  lies.insert(lies.end(), {UINT64_MAX - 7, UINT64_MAX - 31, UINT64_MAX - end + 1});
  std::ranges::sort(lies);
  lies.erase(std::unique(lies.begin(), lies.end()), lies.end());
  return lies;
}

class FieldLiar {
 public:
  FieldLiar(Bytes file, ByteOrder order, Mutants& out) : file_(file), order_(order), out_(out) {}

  void Lie(ByteRange field, const std::string& name) {
    const Bytes there = file_.subspan(field.begin, field.size);
    const bool wide = field.size == 8;
    const std::uint64_t honest =
        wide ? Load<std::uint64_t>(there, order_) : Load<std::uint32_t>(there, order_);
    for (const std::uint64_t lie : Lies(honest, field.End(), file_.size())) {
      if (lie == honest || (!wide && lie > UINT32_MAX)) continue;
      Mutant mutant{.what = name + " = " + std::to_string(lie), .file = CopyOf(file_)};
      const MutableBytes place = MutableBytes(mutant.file).subspan(field.begin);
      if (wide) {
        Store(lie, order_, place);
      } else {
        Store(static_cast<std::uint32_t>(lie), order_, place);
      }
      out_.push_back(std::move(mutant));
    }
  }

 private:
  Bytes file_;
  ByteOrder order_;
  Mutants& out_;
};

void LieInArray(const Document& document, const MetadataEntry& entry, const std::string& name,
                FieldLiar& liar) {
  const std::uint64_t begin = entry.ValueRange().begin;
  liar.Lie({begin, 4}, name + " element type");
  liar.Lie({begin + 4, 8}, name + " count");
  for (LeafArrays leaves(document, entry); const auto leaf = leaves.Next();) {
    if (leaf->element_type != ValueType::kString) continue;
    for (StringArray strings(document, *leaf); strings.Next();) {
      if (strings.index() > 0 && strings.index() + 1 < leaf->count) continue;
      liar.Lie({strings.range().begin - 8, 8}, name + " string length");
    }
  }
}

void LieInEntry(const Document& document, const MetadataEntry& entry, FieldLiar& liar) {
  const std::string name = "key " + std::string(entry.key);
  liar.Lie(entry.KeyLengthRange(), name + " length");
  liar.Lie(entry.TypeRange(), name + " type");
  if (entry.type == ValueType::kString) liar.Lie({entry.ValueRange().begin, 8}, name + " string");
  if (entry.type == ValueType::kArray) LieInArray(document, entry, name, liar);
  if (entry.key == kAlignmentKey) liar.Lie(entry.ValueRange(), name + " value");
}

void LieInTensor(const TensorInfo& tensor, FieldLiar& liar) {
  const std::string name = "tensor " + std::string(tensor.name);
  liar.Lie(tensor.NameLengthRange(), name + " name length");
  liar.Lie(tensor.DimensionCountRange(), name + " dimension count");
  for (std::size_t i = 0; i < tensor.dimension_count; ++i) {
    liar.Lie(tensor.DimensionRange(i), name + " dimension " + std::to_string(i));
  }
  liar.Lie(tensor.TypeRange(), name + " type");
  liar.Lie(tensor.OffsetRange(), name + " offset");
}

// --- edits ---------------------------------------------------------------------------------------

// Shape is a type with dimensions whose product, or whose number of bytes, overflows.
struct Shape {
  TensorType type;
  std::vector<std::uint64_t> dims;
};

const std::vector<Shape>& WrappingShapes() {
  constexpr auto kTwo = [](int power) { return std::uint64_t{1} << power; };
  static const std::vector<Shape> shapes = {
      {TensorType::kI8, {kTwo(32), kTwo(32)}},
      {TensorType::kI8, {kTwo(31), kTwo(32)}},
      {TensorType::kF32, {kTwo(33), kTwo(32)}},
      {TensorType::kF32, {kTwo(16), kTwo(16), kTwo(16), kTwo(16)}},
      {TensorType::kI8, {kTwo(22), kTwo(22), kTwo(22)}},
      {TensorType::kF32, {kTwo(62) - 1}},
      {TensorType::kI64, {kTwo(61) - 1}},
      {TensorType::kI64, {kTwo(61)}},
      {TensorType::kF16, {kTwo(63) - 2}},
      {TensorType::kI8, {kTwo(63) - 2}},
      {TensorType::kI8, {kTwo(63) - 64}},
      {TensorType::kI8, {kTwo(62)}},
      {TensorType::kI8, {1, kTwo(62)}},
      {TensorType::kQ4_0, {32 * (UINT64_MAX / 576 + 1)}},
      {TensorType::kQ4_0, {kTwo(32), kTwo(32)}},
      {TensorType::kQ8_0, {32, kTwo(59)}},
      {TensorType::kF32, {kTwo(63) - 1, 0}},
      {TensorType::kF32, {0, kTwo(63) - 1, kTwo(63) - 1, kTwo(63) - 1}},
      {TensorType::kF32, {kTwo(63) - 1, kTwo(63) - 1, kTwo(63) - 1, 0}},
      {TensorType::kQ4_K, {0, 5}},
      {TensorType::kI8, {3, UINT64_MAX / 3}},
  };
  return shapes;
}

// Refill gives a tensor as much data as the reference computes for its shape, if that is little.
// The reference multiplies before it divides, and ignores overflows.
void Refill(Model::Tensor& tensor) {
  const TensorTypeInfo* type = FindTensorType(tensor.type_id);
  if (type == nullptr) return;
  std::uint64_t bytes = tensor.dims.empty() ? 1 : tensor.dims.front();
  bytes = bytes * type->block_bytes / type->block_elements;
  for (std::size_t i = 1; i < tensor.dims.size(); ++i) bytes *= tensor.dims.at(i);
  tensor.data.resize(bytes <= 1 << 20 ? bytes : 0);
}

std::string OddText(Random& random) {
  static constexpr std::array<std::string_view, 12> kOdd = {{{"\0", 1},
                                                             {"a\0b", 3},
                                                             {"\n"},
                                                             {"\x1b[31m"},
                                                             {"\x7f"},
                                                             {"\xff\xfe"},
                                                             {"\xc3\xa9"},
                                                             {"../../x"},
                                                             {" "},
                                                             {""},
                                                             {"general.alignment"},
                                                             {"general.alignment\0x", 19}}};
  return std::string(random.One(kOdd));
}

void EditKeys(Model& model, Random& random) {
  if (model.metadata.empty()) return;
  Model::Entry& entry = random.One(model.metadata);
  switch (random.Below(7)) {
    case 0:
      std::swap(entry, random.One(model.metadata));
      break;
    case 1:
      model.metadata.push_back(Model::Entry(entry));
      break;
    case 2:
      model.metadata.push_back(Model::Entry(entry));
      model.metadata.back().key += OddText(random);
      break;
    case 3:
      entry.key = OddText(random);
      break;
    case 4:
      entry.key.insert(random.Below(entry.key.size() + 1), OddText(random));
      break;
    case 5:
      std::swap(entry.type, random.One(model.metadata).type);
      break;
    default:
      model.metadata.erase(model.metadata.begin() + (&entry - model.metadata.data()));
  }
}

void EditTensors(Model& model, Random& random) {
  if (model.tensors.empty()) return;
  Model::Tensor& tensor = random.One(model.tensors);
  switch (random.Below(8)) {
    case 0:
      std::swap(tensor, random.One(model.tensors));
      break;
    case 1:
      model.tensors.push_back(Model::Tensor(tensor));
      break;
    case 2:
      model.tensors.push_back(Model::Tensor(tensor));
      model.tensors.back().name += OddText(random);
      break;
    case 3:
      tensor.name = OddText(random);
      break;
    case 4:
      tensor.name = std::string(60 + random.Below(6), 'n');
      break;
    case 5:
      tensor.type_id = static_cast<std::uint32_t>(random.Below(46));
      break;
    case 6:
      tensor.data.resize(tensor.data.size() + random.Below(64));
      break;
    default:
      model.tensors.erase(model.tensors.begin() + (&tensor - model.tensors.data()));
  }
}

void EditShape(Model& model, Random& random) {
  if (model.tensors.empty()) return;
  Model::Tensor& tensor = random.One(model.tensors);
  switch (random.Below(4)) {
    case 0:
      tensor.dims.clear();
      break;
    case 1: {
      const Shape& shape = random.One(WrappingShapes());
      tensor.dims = shape.dims;
      tensor.type_id = static_cast<std::uint32_t>(shape.type);
      break;
    }
    case 2:
      tensor.dims.resize(1 + random.Below(5), 1 + random.Below(2));
      break;
    default:
      for (std::uint64_t& dim : tensor.dims) {
        if (random.OneIn(2)) dim = 0;
      }
  }
  Refill(tensor);
}

void EditAlignment(Model& model, Random& random) {
  static constexpr std::array<std::uint32_t, 16> kAlignments = {
      0, 1, 2, 4, 8, 13, 16, 24, 31, 32, 33, 64, 4096, 1 << 16, 1 << 20, 1U << 31};
  const std::uint32_t alignment = random.One(kAlignments);
  switch (random.Below(6)) {
    case 0:
      model.Set(kAlignmentKey, std::uint64_t{alignment});
      break;
    case 1:
      model.Set(kAlignmentKey, static_cast<std::int32_t>(alignment));
      break;
    case 2:
      model.Set(kAlignmentKey, std::vector<std::uint32_t>{alignment});
      break;
    default:
      model.Set(kAlignmentKey, alignment);
  }
  if (alignment > 0 && alignment <= 1 << 16 && !random.OneIn(4)) model.alignment = alignment;
}

void EditLayout(Model& model, Random& random) {
  switch (random.Below(6)) {
    case 0:
      model.pad_last_tensor = false;
      break;
    case 1:
      model.trailing.resize(1 + random.Below(100), static_cast<std::uint8_t>(random.Any()));
      break;
    case 2:
      model.padding_byte = static_cast<std::uint8_t>(random.Any());
      break;
    case 3:
      model.claimed_tensor_count = model.tensors.size() + random.Below(3) - 1;
      break;
    case 4:
      model.claimed_metadata_count = model.metadata.size() + random.Below(3) - 1;
      break;
    default:
      model.version = 2;
  }
}

}  // namespace

Mutants FieldLies(Bytes file) {
  const ParseResult parsed = Parse(file, file.size(), {});
  const Document& document = parsed.document;
  Mutants out;
  FieldLiar liar(file, document.byte_order, out);
  liar.Lie({4, 4}, "version");
  liar.Lie({8, 8}, "tensor count");
  liar.Lie({16, 8}, "metadata count");
  for (const MetadataEntry& entry : document.metadata) LieInEntry(document, entry, liar);
  for (const TensorInfo& tensor : document.tensors) LieInTensor(tensor, liar);
  return out;
}

Mutants Truncations(Bytes file) {
  const ParseResult parsed = Parse(file, file.size(), {});
  const std::uint64_t data = parsed.document.data_begin.value_or(file.size());
  Mutants out;
  for (std::uint64_t size = 0; size < file.size(); size += size < data + 40 ? 1 : 13) {
    out.push_back({.what = "cut to " + std::to_string(size), .file = CopyOf(file.first(size))});
  }
  return out;
}

Mutants ByteFlips(Bytes file, std::uint64_t limit, std::size_t count, Random& random) {
  Mutants out;
  for (std::size_t i = 0; i < count; ++i) {
    Mutant mutant{.what = "bytes", .file = CopyOf(file)};
    for (std::uint64_t flips = 1 + random.Below(4); flips > 0; --flips) {
      const std::uint64_t at = random.Below(std::min<std::uint64_t>(limit, file.size()));
      std::uint8_t& byte = mutant.file.at(at);
      byte = random.OneIn(2) ? static_cast<std::uint8_t>(random.Any())
                             : static_cast<std::uint8_t>(byte ^ (1U << random.Below(8)));
      mutant.what += " " + std::to_string(at);
    }
    out.push_back(std::move(mutant));
  }
  return out;
}

Mutants Edits(const Model& model, std::size_t count, Random& random) {
  struct Edit {
    void (*apply)(Model&, Random&);
    std::string_view name;
  };
  static constexpr std::array<Edit, 5> kEdits = {{{EditKeys, " keys"},
                                                  {EditTensors, " tensors"},
                                                  {EditShape, " shape"},
                                                  {EditAlignment, " alignment"},
                                                  {EditLayout, " layout"}}};
  Mutants out;
  for (std::size_t i = 0; i < count; ++i) {
    Model edited = model;
    Mutant mutant{.what = "edit", .file = {}};
    for (std::uint64_t edits = 1 + random.Below(3); edits > 0; --edits) {
      const Edit& edit = random.One(kEdits);
      edit.apply(edited, random);
      mutant.what += edit.name;
    }
    if (!random.OneIn(4)) edited.LayOut();
    mutant.file = Write(edited);
    out.push_back(std::move(mutant));
  }
  return out;
}

}  // namespace ggufgate::testing
