// A mutator allocates all its memory in its constructor. This is a separate executable, because it
// replaces the operators new and delete.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include "mutate/mutator.h"
#include "mutate/reduce/reduce.h"
#include "tests/mutate/seed_files.h"

namespace {

std::atomic<std::uint64_t> allocations = 0;

void* Allocate(std::size_t size) {
  ++allocations;
  if (void* const memory = std::malloc(size == 0 ? 1 : size); memory != nullptr) return memory;
  throw std::bad_alloc();
}

}  // namespace

// Clang 14 does not declare these two itself.
void operator delete(void* memory, std::size_t) noexcept;
void operator delete[](void* memory, std::size_t) noexcept;

void* operator new(std::size_t size) { return Allocate(size); }
void* operator new[](std::size_t size) { return Allocate(size); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }

namespace ggufgate::mutate {
namespace {

TEST(Allocation, IsCounted) {
  const std::uint64_t before = allocations;
  const std::vector<int> one(1);
  EXPECT_EQ(allocations, before + 1);
}

TEST(Allocation, NoneInAnyMode) {
  const std::vector<File> files = CorpusFiles();
  Mutator mutator(std::size_t{1} << 16);
  const std::uint64_t rounds = Rounds(1'000'000);
  for (const Mode mode : kModes) {
    const std::uint64_t before = allocations;
    for (std::uint64_t i = 0; i < rounds / kModes.size(); ++i) {
      (void)mutator.Make({.input = files[i % files.size()],
                          .donor = i % 2 == 0 ? Bytes() : Bytes(files[i / 2 % files.size()]),
                          .mode = mode,
                          .seed = i,
                          .max_size = i % 3 == 0 ? i % 5000 : SIZE_MAX,
                          .data = DataNeeded::kFull});
    }
    EXPECT_EQ(allocations - before, 0U) << static_cast<int>(mode);
  }
}

TEST(Allocation, NoneWhileReducing) {
  const std::vector<File> files = CorpusFiles();
  Reducer reducer(std::size_t{1} << 20);
  const std::uint64_t before = allocations;
  for (std::uint64_t i = 0; i < Rounds(100'000); ++i) {
    const File& file = files[i % files.size()];
    (void)reducer.Make(file, i * 13 % reducer.Count(file));
  }
  EXPECT_EQ(allocations - before, 0U);
}

}  // namespace
}  // namespace ggufgate::mutate
