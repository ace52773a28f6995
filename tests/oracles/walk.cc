#include "tests/oracles/walk.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

namespace ggufgate::fuzz {
namespace {

struct FreeArray {
  void operator()(ggufgate_array* array) const { ggufgate_array_free(array); }
};
using Array = std::unique_ptr<ggufgate_array, FreeArray>;

class Walker {
 public:
  explicit Walker(const ggufgate_file& file) : file_(&file) {}

  Walked Take() {
    for (std::uint64_t i = 0; i < ggufgate_file_key_count(file_); ++i) Key(i);
    for (std::uint64_t i = 0; i < ggufgate_file_tensor_count(file_); ++i) Tensor(i);
    return walked_;
  }

 private:
  void Require(bool holds, const char* what) {
    if (!holds && walked_.failure.empty()) walked_.failure = what;
  }

  void Key(std::uint64_t index) {
    ggufgate_key key = {};
    key.size = sizeof(key);
    Require(ggufgate_file_key(file_, index, &key) == GGUFGATE_STATUS_OK, "a key that is counted");
    std::uint64_t found = UINT64_MAX;
    Require(ggufgate_file_find_key(file_, key.name, key.name_size, &found) == GGUFGATE_STATUS_OK &&
                found <= index,
            "a key is found by its name");
    std::uint64_t u = 0;
    std::int64_t i = 0;
    double f = 0;
    int b = 0;
    const char* text = nullptr;
    std::size_t size = 0;
    const int given = (ggufgate_file_unsigned(file_, index, &u) != GGUFGATE_STATUS_WRONG_TYPE) +
                      (ggufgate_file_real(file_, index, &f) == GGUFGATE_STATUS_OK) +
                      (ggufgate_file_bool(file_, index, &b) == GGUFGATE_STATUS_OK) +
                      (ggufgate_file_string(file_, index, &text, &size) == GGUFGATE_STATUS_OK);
    Require((ggufgate_file_signed(file_, index, &i) == GGUFGATE_STATUS_WRONG_TYPE) ==
                (ggufgate_file_unsigned(file_, index, &u) == GGUFGATE_STATUS_WRONG_TYPE),
            "integers are signed and unsigned");
    ggufgate_array* array = nullptr;
    const bool is_array = ggufgate_file_array(file_, index, &array) == GGUFGATE_STATUS_OK;
    Require(given + (is_array ? 1 : 0) == 1, "a value is of one kind");
    if (is_array) Elements(Array(array));
  }

  // Walks inner arrays in order, without recursion.
  void Elements(Array outermost) {
    std::vector<Array> todo;
    todo.push_back(std::move(outermost));
    while (!todo.empty()) {
      const Array array = std::move(todo.back());
      todo.pop_back();
      const std::uint64_t count = ggufgate_array_count(array.get());
      for (std::uint64_t i = 0; i < count; ++i) {
        ggufgate_array* inner = nullptr;
        if (ggufgate_array_type(array.get()) == GGUFGATE_TYPE_ARRAY) {
          Require(ggufgate_array_array(array.get(), i, &inner) == GGUFGATE_STATUS_OK,
                  "an inner array");
          todo.emplace_back(inner);
        } else {
          Element(array.get(), i);
        }
      }
      walked_.elements += count;
    }
  }

  void Element(ggufgate_array* array, std::uint64_t index) {
    std::uint64_t u = 0;
    double f = 0;
    int b = 0;
    const char* text = nullptr;
    std::size_t size = 0;
    const int given = (ggufgate_array_unsigned(array, index, &u) != GGUFGATE_STATUS_WRONG_TYPE) +
                      (ggufgate_array_real(array, index, &f) == GGUFGATE_STATUS_OK) +
                      (ggufgate_array_bool(array, index, &b) == GGUFGATE_STATUS_OK) +
                      (ggufgate_array_string(array, index, &text, &size) == GGUFGATE_STATUS_OK);
    Require(given == 1, "an element is of one kind");
    touched_ += size > 0 ? static_cast<unsigned char>(*text) : 0U;
  }

  void Tensor(std::uint64_t index) {
    ggufgate_tensor tensor = {};
    tensor.size = sizeof(tensor);
    Require(ggufgate_file_tensor(file_, index, &tensor) == GGUFGATE_STATUS_OK,
            "a tensor that is counted");
    std::array<float, 300> floats{};
    if (tensor.readable == 0) {
      ++walked_.unreadable_tensors;
      Require(ggufgate_tensor_floats(file_, index, 0, floats.data(), 1) != GGUFGATE_STATUS_OK,
              "what is not readable is not read");
      return;
    }
    const std::size_t some = std::min<std::uint64_t>(floats.size(), tensor.elements);
    for (const std::uint64_t first : {std::uint64_t{0}, tensor.elements - some}) {
      Require(
          ggufgate_tensor_floats(file_, index, first, floats.data(), some) == GGUFGATE_STATUS_OK,
          "elements that are there");
      walked_.floats += some;
    }
    Require(ggufgate_tensor_floats(file_, index, tensor.elements, floats.data(), 1) ==
                GGUFGATE_STATUS_OUT_OF_RANGE,
            "there is nothing behind the last element");
    const void* view = nullptr;
    std::size_t size = 0;
    const ggufgate_status viewed = ggufgate_tensor_view(file_, index, &view, &size);
    Require(viewed == GGUFGATE_STATUS_UNSUPPORTED ||
                (viewed == GGUFGATE_STATUS_OK && size == tensor.bytes),
            "a view is all of the data");
  }

  const ggufgate_file* file_;
  Walked walked_ = {};
  std::uint64_t touched_ = 0;
};

}  // namespace

Walked Walk(const ggufgate_file& file) { return Walker(file).Take(); }

}  // namespace ggufgate::fuzz
