// Running out of memory is a status: every allocation of a check, of opening and of reading fails
// once. This excludes ggufgate_report_json(), because nlohmann's destructors allocate, as the
// header says.

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <vector>

#include "parse/model.h"
#include "tests/api/handles.h"

namespace {

// Number of allocations that succeed before one fails; -1: all succeed.
long left = -1;

void* Allocate(std::size_t size) {
  if (left == 0) return nullptr;
  if (left > 0) --left;
  return std::malloc(size > 0 ? size : 1);
}

void* AllocateOrThrow(std::size_t size) {
  void* const memory = Allocate(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// Clang 14 does not declare these two itself.
void operator delete(void* memory, std::size_t) noexcept;
void operator delete[](void* memory, std::size_t) noexcept;

void* operator new(std::size_t size) { return AllocateOrThrow(size); }
void* operator new[](std::size_t size) { return AllocateOrThrow(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace ggufgate::testing {
namespace {

// Use performs all operations that allocate, and returns the first status that is not OK.
ggufgate_status Use(const std::vector<std::uint8_t>& file, const std::string& toml) {
  ggufgate_policy* policy = nullptr;
  ggufgate_status status =
      ggufgate_policy_parse(toml.data(), toml.size(), nullptr, "p", nullptr, &policy);
  const PolicyHandle owned_policy(policy);
  if (status != GGUFGATE_STATUS_OK) return status;
  ggufgate_options options = Options();
  options.policy = policy;
  options.sha256 = 1;
  options.data = GGUFGATE_DATA_LEVEL_FULL;
  options.name = "a name that is too long for a short string of the standard library";
  ggufgate_report* report = nullptr;
  ggufgate_file* opened = nullptr;
  status = ggufgate_open_memory(file.data(), file.size(), &options, &report, &opened);
  const Report owned_report(report);
  const File owned_file(opened);
  if (status != GGUFGATE_STATUS_OK) return status;
  ggufgate_array* array = nullptr;
  status = ggufgate_file_array(opened, 1, &array);
  const Array owned_array(array);
  if (status != GGUFGATE_STATUS_OK) return status;
  const char* text = nullptr;
  std::size_t size = 0;
  status = ggufgate_array_string(array, 99, &text, &size);
  if (status != GGUFGATE_STATUS_OK) return status;
  float number = 0;
  return ggufgate_tensor_floats(opened, 0, 3, &number, 1);
}

TEST(MemoryC, EveryAllocationMayFail) {
  const auto file = Write(
      Model::Minimal().Set("list", std::vector<std::string>(100, "element")).Set("text", "\xFF"));
  const std::string toml = "schema = \"ggufgate.policy/1\"\n";
  ASSERT_EQ(Use(file, toml), GGUFGATE_STATUS_OK);
  long failed = 0;
  for (long n = 0;; ++n) {
    left = n;
    const ggufgate_status status = Use(file, toml);
    const bool all_given = left > 0;
    left = -1;
    if (all_given) break;
    ++failed;
    // A report with the verdict undecided is a valid result, too. Then the file was not opened.
    ASSERT_TRUE(status == GGUFGATE_STATUS_OUT_OF_MEMORY || status == GGUFGATE_STATUS_NOT_ACCEPTED ||
                status == GGUFGATE_STATUS_OK)
        << "allocation " << n << ": " << ggufgate_status_text(status);
  }
  EXPECT_GT(failed, 50);
}

}  // namespace
}  // namespace ggufgate::testing
