// The reading side of the C interface.

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "dequantize/dequantize.h"
#include "parse/model.h"
#include "tests/api/handles.h"
#include "tests/oracles/walk.h"
#include "tests/support/temp_folder.h"

namespace ggufgate::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::StrEq;

// A model with a value of every type.
Model Everything(ByteOrder order = ByteOrder::kLittle) {
  Model model;
  model.byte_order = order;
  model.Set("general.architecture", "test");
  model.Set("a.u8", std::uint8_t{200}).Set("a.i8", std::int8_t{-100});
  model.Set("a.u16", std::uint16_t{60000}).Set("a.i16", std::int16_t{-30000});
  model.Set("a.u32", std::uint32_t{4000000000}).Set("a.i32", std::int32_t{-2000000000});
  model.Set("a.u64", std::uint64_t{1} << 63).Set("a.i64", std::numeric_limits<std::int64_t>::min());
  model.Set("a.f32", 1.5F).Set("a.f64", -2.25).Set("a.bool", true).Set("a.text", "words");
  model.Set("l.i32", std::vector<std::int32_t>{-1, 0, 7});
  model.Set("l.text", std::vector<std::string>{"one", "", "three"});
  model.Set("l.empty", std::vector<std::uint8_t>{});
  model.Add("weight", TensorType::kF32, {4, 2});
  model.Add("blocks", TensorType::kQ8_0, {64, 2});
  for (Model::Tensor& tensor : model.tensors) {
    std::iota(tensor.data.begin(), tensor.data.end(), std::uint8_t{1});
  }
  return model;
}

std::uint64_t IndexOf(const File& file, std::string_view name) {
  std::uint64_t index = UINT64_MAX;
  EXPECT_EQ(ggufgate_file_find_key(file.get(), name.data(), name.size(), &index),
            GGUFGATE_STATUS_OK)
      << name;
  return index;
}

Array ArrayOf(const File& file, std::string_view name) {
  ggufgate_array* array = nullptr;
  EXPECT_EQ(ggufgate_file_array(file.get(), IndexOf(file, name), &array), GGUFGATE_STATUS_OK);
  return Array(array);
}

ggufgate_tensor TensorOf(const File& file, std::string_view name, std::uint64_t& index) {
  EXPECT_EQ(ggufgate_file_find_tensor(file.get(), name.data(), name.size(), &index),
            GGUFGATE_STATUS_OK);
  ggufgate_tensor tensor = {};
  tensor.size = sizeof(tensor);
  EXPECT_EQ(ggufgate_file_tensor(file.get(), index, &tensor), GGUFGATE_STATUS_OK);
  return tensor;
}

class FileC : public ::testing::TestWithParam<ByteOrder> {
 protected:
  // The policy for little-endian machines rejects a big-endian file.
  FileC() {
    if (GetParam() == ByteOrder::kBig) options_.policy = any_order_.get();
    file_ = OpenedMemory(bytes_, options_);
  }

  std::vector<std::uint8_t> bytes_ = Write(Everything(GetParam()));
  PolicyHandle any_order_ = Parsed("schema = \"ggufgate.policy/1\"\ntarget = \"any\"\n");
  ggufgate_options options_ = Options();
  File file_;
};

TEST_P(FileC, CountsAndNames) {
  ASSERT_NE(file_, nullptr);
  EXPECT_EQ(ggufgate_file_version(file_.get()), 3U);
  EXPECT_EQ(ggufgate_file_is_big_endian(file_.get()), GetParam() == ByteOrder::kBig ? 1 : 0);
  EXPECT_EQ(ggufgate_file_alignment(file_.get()), 32U);
  EXPECT_EQ(ggufgate_file_key_count(file_.get()), 16U);
  EXPECT_EQ(ggufgate_file_tensor_count(file_.get()), 2U);
  ggufgate_key key = {};
  key.size = sizeof(key);
  ASSERT_EQ(ggufgate_file_key(file_.get(), 13, &key), GGUFGATE_STATUS_OK);
  EXPECT_EQ(std::string(key.name, key.name_size), "l.i32");
  EXPECT_EQ(key.type, GGUFGATE_TYPE_ARRAY);
  EXPECT_EQ(key.element_type, GGUFGATE_TYPE_I32);
  EXPECT_EQ(key.count, 3U);
}

TEST_P(FileC, EveryTypeIsGivenWithoutLoss) {
  ASSERT_NE(file_, nullptr);
  const auto unsigned_of = [&](const char* name) {
    std::uint64_t value = 0;
    EXPECT_EQ(ggufgate_file_unsigned(file_.get(), IndexOf(file_, name), &value), GGUFGATE_STATUS_OK)
        << name;
    return value;
  };
  const auto signed_of = [&](const char* name) {
    std::int64_t value = 0;
    EXPECT_EQ(ggufgate_file_signed(file_.get(), IndexOf(file_, name), &value), GGUFGATE_STATUS_OK)
        << name;
    return value;
  };
  EXPECT_EQ(unsigned_of("a.u8"), 200U);
  EXPECT_EQ(unsigned_of("a.u16"), 60000U);
  EXPECT_EQ(unsigned_of("a.u32"), 4000000000U);
  EXPECT_EQ(unsigned_of("a.u64"), std::uint64_t{1} << 63);
  EXPECT_EQ(signed_of("a.u32"), 4000000000);
  EXPECT_EQ(signed_of("a.i8"), -100);
  EXPECT_EQ(signed_of("a.i16"), -30000);
  EXPECT_EQ(signed_of("a.i32"), -2000000000);
  EXPECT_EQ(signed_of("a.i64"), std::numeric_limits<std::int64_t>::min());
  std::uint64_t u = 0;
  std::int64_t i = 0;
  EXPECT_EQ(ggufgate_file_unsigned(file_.get(), IndexOf(file_, "a.i8"), &u),
            GGUFGATE_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(ggufgate_file_signed(file_.get(), IndexOf(file_, "a.u64"), &i),
            GGUFGATE_STATUS_OUT_OF_RANGE);
  double real = 0;
  EXPECT_EQ(ggufgate_file_real(file_.get(), IndexOf(file_, "a.f32"), &real), GGUFGATE_STATUS_OK);
  EXPECT_EQ(real, 1.5);
  EXPECT_EQ(ggufgate_file_real(file_.get(), IndexOf(file_, "a.f64"), &real), GGUFGATE_STATUS_OK);
  EXPECT_EQ(real, -2.25);
  int yes = 0;
  EXPECT_EQ(ggufgate_file_bool(file_.get(), IndexOf(file_, "a.bool"), &yes), GGUFGATE_STATUS_OK);
  EXPECT_EQ(yes, 1);
  const char* text = nullptr;
  std::size_t size = 0;
  EXPECT_EQ(ggufgate_file_string(file_.get(), IndexOf(file_, "a.text"), &text, &size),
            GGUFGATE_STATUS_OK);
  EXPECT_EQ(std::string(text, size), "words");
}

TEST_P(FileC, AWrongTypeIsNoValue) {
  ASSERT_NE(file_, nullptr);
  const std::uint64_t text = IndexOf(file_, "a.text");
  const std::uint64_t number = IndexOf(file_, "a.u8");
  std::uint64_t u = 7;
  std::int64_t i = 7;
  double f = 7;
  int b = 7;
  const char* bytes = nullptr;
  std::size_t size = 7;
  ggufgate_array* array = nullptr;
  EXPECT_EQ(ggufgate_file_unsigned(file_.get(), text, &u), GGUFGATE_STATUS_WRONG_TYPE);
  EXPECT_EQ(ggufgate_file_signed(file_.get(), text, &i), GGUFGATE_STATUS_WRONG_TYPE);
  EXPECT_EQ(ggufgate_file_real(file_.get(), number, &f), GGUFGATE_STATUS_WRONG_TYPE);
  EXPECT_EQ(ggufgate_file_bool(file_.get(), number, &b), GGUFGATE_STATUS_WRONG_TYPE);
  EXPECT_EQ(ggufgate_file_string(file_.get(), number, &bytes, &size), GGUFGATE_STATUS_WRONG_TYPE);
  EXPECT_EQ(ggufgate_file_array(file_.get(), number, &array), GGUFGATE_STATUS_WRONG_TYPE);
  EXPECT_EQ(ggufgate_file_unsigned(file_.get(), 16, &u), GGUFGATE_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(ggufgate_file_array(file_.get(), UINT64_MAX, &array), GGUFGATE_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(ggufgate_file_find_key(file_.get(), "a", 1, &u), GGUFGATE_STATUS_NOT_FOUND);
  EXPECT_EQ(ggufgate_file_find_tensor(file_.get(), nullptr, 0, &u), GGUFGATE_STATUS_NOT_FOUND);
  EXPECT_EQ(u + static_cast<std::uint64_t>(i) + size, 21U) << "outputs were left alone";
  EXPECT_EQ(array, nullptr);
}

TEST_P(FileC, ArraysAreGivenElementByElement) {
  ASSERT_NE(file_, nullptr);
  const Array numbers = ArrayOf(file_, "l.i32");
  EXPECT_EQ(ggufgate_array_count(numbers.get()), 3U);
  EXPECT_EQ(ggufgate_array_type(numbers.get()), GGUFGATE_TYPE_I32);
  std::int64_t last = 0;
  EXPECT_EQ(ggufgate_array_signed(numbers.get(), 2, &last), GGUFGATE_STATUS_OK);
  EXPECT_EQ(last, 7);
  EXPECT_EQ(ggufgate_array_signed(numbers.get(), 3, &last), GGUFGATE_STATUS_OUT_OF_RANGE);
  const void* view = nullptr;
  std::size_t size = 0;
  EXPECT_EQ(ggufgate_array_view(numbers.get(), &view, &size), GGUFGATE_STATUS_OK);
  EXPECT_EQ(size, 12U);

  const Array strings = ArrayOf(file_, "l.text");
  const char* text = nullptr;
  EXPECT_EQ(ggufgate_array_string(strings.get(), 2, &text, &size), GGUFGATE_STATUS_OK);
  EXPECT_EQ(std::string(text, size), "three");
  EXPECT_EQ(ggufgate_array_string(strings.get(), 1, &text, &size), GGUFGATE_STATUS_OK);
  EXPECT_EQ(size, 0U);
  EXPECT_EQ(ggufgate_array_string(strings.get(), 3, &text, &size), GGUFGATE_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(ggufgate_array_string(numbers.get(), 0, &text, &size), GGUFGATE_STATUS_WRONG_TYPE);
  EXPECT_EQ(ggufgate_array_view(strings.get(), &view, &size), GGUFGATE_STATUS_WRONG_TYPE);

  const Array empty = ArrayOf(file_, "l.empty");
  EXPECT_EQ(ggufgate_array_count(empty.get()), 0U);
  EXPECT_EQ(ggufgate_array_view(empty.get(), &view, &size), GGUFGATE_STATUS_OK);
  EXPECT_EQ(size, 0U);
}

TEST_P(FileC, TensorsHaveShapesBytesAndFloats) {
  ASSERT_NE(file_, nullptr);
  std::uint64_t index = 0;
  const ggufgate_tensor tensor = TensorOf(file_, "blocks", index);
  EXPECT_THAT(tensor.type_name, StrEq("Q8_0"));
  EXPECT_EQ(tensor.dimension_count, 2U);
  EXPECT_THAT(tensor.dimensions, ElementsAre(64, 2, 1, 1, 1));
  EXPECT_EQ(tensor.elements, 128U);
  EXPECT_EQ(tensor.bytes, 136U);
  EXPECT_EQ(tensor.block_elements, 32U);
  EXPECT_EQ(tensor.block_bytes, 34U);
  EXPECT_EQ(tensor.readable, 1);

  const void* view = nullptr;
  std::size_t size = 0;
  ASSERT_EQ(ggufgate_tensor_view(file_.get(), index, &view, &size), GGUFGATE_STATUS_OK);
  ASSERT_EQ(size, 136U);
  EXPECT_EQ(view, bytes_.data() + tensor.offset);
  std::vector<std::uint8_t> read(136);
  ASSERT_EQ(ggufgate_tensor_read(file_.get(), index, 0, read.data(), 136), GGUFGATE_STATUS_OK);
  EXPECT_EQ(std::memcmp(view, read.data(), 136), 0);
  EXPECT_EQ(ggufgate_tensor_read(file_.get(), index, 100, read.data(), 37),
            GGUFGATE_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(ggufgate_tensor_read(file_.get(), index, UINT64_MAX, read.data(), 2),
            GGUFGATE_STATUS_OUT_OF_RANGE);

  std::vector<float> expected(128);
  ASSERT_EQ(Dequantize(TensorType::kQ8_0, read, expected, GetParam()), Dequantized::kDone);
  for (std::uint64_t first = 0; first <= 128; ++first) {  // whole blocks and parts of blocks
    for (const std::size_t count : {0U, 1U, 31U, 32U, 33U, 64U}) {
      std::vector<float> floats(count);
      const auto status = ggufgate_tensor_floats(file_.get(), index, first, floats.data(), count);
      if (first + count > 128) {
        EXPECT_EQ(status, GGUFGATE_STATUS_OUT_OF_RANGE);
        continue;
      }
      ASSERT_EQ(status, GGUFGATE_STATUS_OK);
      EXPECT_TRUE(std::ranges::equal(floats, std::span(expected).subspan(first, count)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(BothByteOrders, FileC,
                         ::testing::Values(ByteOrder::kLittle, ByteOrder::kBig),
                         [](const auto& order) {
                           return order.param == ByteOrder::kBig ? "Big" : "Little";
                         });

// Long enough for several chunks of the decoder, and for marks in string arrays.
TEST(LongC, FloatsAndStringsAreRightInEveryPlace) {
  Model model = Model::Minimal();
  std::vector<std::string> strings;
  for (std::size_t i = 0; i < 1000; ++i)
    strings.push_back(std::string(i % 7, 'x') + std::to_string(i));
  model.Set("l.text", strings);
  Model::Tensor& tensor = model.Add("long", TensorType::kF16, {1 << 10, 200});
  for (std::size_t i = 0; i < tensor.data.size(); ++i)
    tensor.data[i] = static_cast<std::uint8_t>(i * 7 % 120);
  model.LayOut();
  const auto bytes = Write(model);
  const File file = OpenedMemory(bytes);
  ASSERT_NE(file, nullptr);

  const Array array = ArrayOf(file, "l.text");
  const char* text = nullptr;
  std::size_t size = 0;
  for (const std::uint64_t index : {999U, 0U, 16U, 15U, 17U, 500U, 998U, 1U}) {
    ASSERT_EQ(ggufgate_array_string(array.get(), index, &text, &size), GGUFGATE_STATUS_OK);
    EXPECT_EQ(std::string(text, size), strings[index]);
  }
  std::vector<const char*> texts(1000);
  std::vector<std::size_t> sizes(1000);
  ASSERT_EQ(ggufgate_array_strings(array.get(), 0, 1000, texts.data(), sizes.data()),
            GGUFGATE_STATUS_OK);
  for (std::size_t i = 0; i < 1000; ++i) EXPECT_EQ(std::string(texts[i], sizes[i]), strings[i]);
  EXPECT_EQ(ggufgate_array_strings(array.get(), 1, 1000, texts.data(), sizes.data()),
            GGUFGATE_STATUS_OUT_OF_RANGE);

  std::uint64_t index = 0;
  const ggufgate_tensor found = TensorOf(file, "long", index);
  std::vector<float> floats(found.elements - 3);
  ASSERT_EQ(ggufgate_tensor_floats(file.get(), index, 2, floats.data(), floats.size()),
            GGUFGATE_STATUS_OK);
  std::vector<float> expected(found.elements);
  ASSERT_EQ(Dequantize(TensorType::kF16, model.tensors.back().data, expected), Dequantized::kDone);
  EXPECT_TRUE(std::ranges::equal(floats, std::span(expected).subspan(2, floats.size())));
}

TEST(NestedC, ArraysOfArraysAreEntered) {
  Encoder inner(ByteOrder::kLittle);  // [["ab", "c"], [], ["d"]]
  inner.Put(IdOf(ValueType::kArray)).Put(std::uint64_t{3});
  inner.Put(IdOf(ValueType::kString)).Put(std::uint64_t{2}).PutString("ab").PutString("c");
  inner.Put(IdOf(ValueType::kU8)).Put(std::uint64_t{0});
  inner.Put(IdOf(ValueType::kString)).Put(std::uint64_t{1}).PutString("d");
  Model model = Model::Minimal();
  model.SetRaw("nested", ValueType::kArray, inner.Take());
  ggufgate_options options = Options();
  options.open_rejected = 1;
  const auto bytes = Write(model);
  const File file = OpenedMemory(bytes, options);
  ASSERT_NE(file, nullptr);
  const Array outer = ArrayOf(file, "nested");
  EXPECT_EQ(ggufgate_array_type(outer.get()), GGUFGATE_TYPE_ARRAY);
  ggufgate_array* last = nullptr;
  ASSERT_EQ(ggufgate_array_array(outer.get(), 2, &last), GGUFGATE_STATUS_OK);
  const Array owned(last);
  const char* text = nullptr;
  std::size_t size = 0;
  ASSERT_EQ(ggufgate_array_string(last, 0, &text, &size), GGUFGATE_STATUS_OK);
  EXPECT_EQ(std::string(text, size), "d");
  ggufgate_array* none = nullptr;
  EXPECT_EQ(ggufgate_array_array(outer.get(), 3, &none), GGUFGATE_STATUS_OUT_OF_RANGE);
  EXPECT_EQ(ggufgate_array_array(last, 0, &none), GGUFGATE_STATUS_WRONG_TYPE);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(fuzz::Walk(*file).elements, 6U);
}

TEST(OpenC, GivesNoFileThatWasNotAccepted) {
  const auto bytes = Write(Model::Minimal().Set("", std::uint32_t{1}));
  ggufgate_file* file = nullptr;
  ggufgate_report* report = nullptr;
  EXPECT_EQ(ggufgate_open_memory(bytes.data(), bytes.size(), nullptr, &report, &file),
            GGUFGATE_STATUS_NOT_ACCEPTED);
  EXPECT_EQ(file, nullptr);
  EXPECT_EQ(ggufgate_report_verdict(Report(report).get()), GGUFGATE_VERDICT_REJECT);
  ggufgate_options options = Options();
  options.open_rejected = 1;
  EXPECT_EQ(ggufgate_open_memory(bytes.data(), bytes.size(), &options, &report, &file),
            GGUFGATE_STATUS_OK);
  EXPECT_EQ(ggufgate_report_verdict(Report(report).get()), GGUFGATE_VERDICT_REJECT);
  EXPECT_EQ(ggufgate_file_key_count(File(file).get()), 2U);
  // A file that was not checked is never opened.
  EXPECT_EQ(ggufgate_open_path("no such file", &options, &report, &file),
            GGUFGATE_STATUS_NOT_ACCEPTED);
  EXPECT_EQ(ggufgate_report_verdict(Report(report).get()), GGUFGATE_VERDICT_UNDECIDED);
  EXPECT_EQ(file, nullptr);
}

// The bytes that were checked are read: another file under the name, or other metadata in the file,
// change nothing.
TEST(OpenC, KeepsWhatWasJudged) {
  const TempFolder folder;
  const auto before = Write(Everything());
  const std::string path = folder.Write("model", before);
  ggufgate_file* opened = nullptr;
  ASSERT_EQ(ggufgate_open_path(path.c_str(), nullptr, nullptr, &opened), GGUFGATE_STATUS_OK);
  const File file(opened);
  folder.Write("model", std::vector<std::uint8_t>(before.size(), 'x'));
  std::uint64_t value = 0;
  EXPECT_EQ(ggufgate_file_unsigned(file.get(), IndexOf(file, "a.u8"), &value), GGUFGATE_STATUS_OK);
  EXPECT_EQ(value, 200U);
  std::uint64_t index = 0;
  const ggufgate_tensor tensor = TensorOf(file, "weight", index);
  EXPECT_EQ(tensor.bytes, 32U);
  const void* view = nullptr;
  std::size_t size = 0;
  EXPECT_EQ(ggufgate_tensor_view(file.get(), index, &view, &size), GGUFGATE_STATUS_UNSUPPORTED);
  // A file that has become shorter must not cause SIGBUS.
  folder.Write("model", std::vector<std::uint8_t>(16, 'x'));
  std::array<float, 8> floats{};
  EXPECT_EQ(ggufgate_tensor_floats(file.get(), index, 0, floats.data(), floats.size()),
            GGUFGATE_STATUS_IO);
}

TEST(OpenC, ManyThreadsReadOneFile) {
  const auto bytes = Write(Everything());
  const File file = OpenedMemory(bytes);
  ASSERT_NE(file, nullptr);
  std::array<fuzz::Walked, 4> walked;
  std::vector<std::thread> threads;
  threads.reserve(walked.size());
  for (fuzz::Walked& one : walked) {
    threads.emplace_back([&one, &file] {
      for (int i = 0; i < 20; ++i) one = fuzz::Walk(*file);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const fuzz::Walked& one : walked) {
    EXPECT_EQ(one.failure, "");
    EXPECT_EQ(one.elements, 6U);
  }
}

TEST(OpenC, NullIsAnswered) {
  ggufgate_file* file = nullptr;
  std::uint64_t index = 0;
  EXPECT_EQ(ggufgate_open_path(nullptr, nullptr, nullptr, &file), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_open_path("x", nullptr, nullptr, nullptr), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_open_descriptor(0, nullptr, nullptr, nullptr), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_open_memory(nullptr, 1, nullptr, nullptr, &file),
            GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_file_version(nullptr), 0U);
  EXPECT_EQ(ggufgate_file_is_big_endian(nullptr), 0);
  EXPECT_EQ(ggufgate_file_alignment(nullptr), 0U);
  EXPECT_EQ(ggufgate_file_key_count(nullptr), 0U);
  EXPECT_EQ(ggufgate_file_tensor_count(nullptr), 0U);
  EXPECT_EQ(ggufgate_file_find_key(nullptr, "a", 1, &index), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_file_find_tensor(nullptr, "a", 1, &index), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_file_unsigned(nullptr, 0, &index), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_tensor_floats(nullptr, 0, 0, nullptr, 0), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_tensor_read(nullptr, 0, 0, nullptr, 0), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_array_count(nullptr), 0U);
  EXPECT_EQ(ggufgate_array_type(nullptr), -1);
  EXPECT_EQ(ggufgate_array_unsigned(nullptr, 0, &index), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_array_strings(nullptr, 0, 0, nullptr, nullptr), GGUFGATE_STATUS_BAD_ARGUMENT);
  ggufgate_array* array = nullptr;
  EXPECT_EQ(ggufgate_array_array(nullptr, 0, &array), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_file_array(nullptr, 0, &array), GGUFGATE_STATUS_BAD_ARGUMENT);
  ggufgate_file_free(nullptr);
  ggufgate_array_free(nullptr);
  const auto bytes = Write(Model::Minimal());
  const File sound = OpenedMemory(bytes);
  ggufgate_key key = {};
  EXPECT_EQ(ggufgate_file_key(sound.get(), 0, &key), GGUFGATE_STATUS_BAD_ARGUMENT) << "no size";
  ggufgate_tensor tensor = {};
  EXPECT_EQ(ggufgate_file_tensor(sound.get(), 0, &tensor), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_tensor_floats(sound.get(), 0, 0, nullptr, 1), GGUFGATE_STATUS_BAD_ARGUMENT);
  EXPECT_EQ(ggufgate_tensor_floats(sound.get(), 9, 0, nullptr, 0), GGUFGATE_STATUS_OUT_OF_RANGE);
}

}  // namespace
}  // namespace ggufgate::testing
