// libggufgate.so in a program that replaces operators new and delete. The program's delete accepts
// only its own memory (its operators are those below, or those of AddressSanitizer). So the library
// must free its own objects.

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <new>

#include "tests/api/handles.h"

#if defined(__SANITIZE_ADDRESS__)
#define GGUFGATE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GGUFGATE_ASAN 1
#endif
#endif

#ifndef GGUFGATE_ASAN

namespace {

// Precedes all memory of new, as in pools and leak checkers.
struct alignas(std::max_align_t) Header {
  std::uint64_t mark;
};
constexpr std::uint64_t kMade = 0x6D61'6465'6279'6E65;

void* Allocate(std::size_t size) {
  auto* const header = static_cast<Header*>(std::malloc(sizeof(Header) + size));
  if (header == nullptr) std::abort();
  header->mark = kMade;
  return header + 1;
}

void Free(void* memory) {
  if (memory == nullptr) return;
  Header* const header = static_cast<Header*>(memory) - 1;
  if (header->mark != kMade) {
    std::fputs("delete was given what new did not make\n", stderr);
    std::abort();
  }
  header->mark = 0;
  std::free(header);
}

}  // namespace

// Clang 14 does not declare these two itself.
void operator delete(void* memory, std::size_t) noexcept;
void operator delete[](void* memory, std::size_t) noexcept;

void* operator new(std::size_t size) { return Allocate(size); }
void* operator new[](std::size_t size) { return Allocate(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return Allocate(size); }
void operator delete(void* memory) noexcept { Free(memory); }
void operator delete[](void* memory) noexcept { Free(memory); }
void operator delete(void* memory, std::size_t) noexcept { Free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { Free(memory); }

#endif

namespace ggufgate::testing {
namespace {

#ifdef GGUFGATE_ASAN
constexpr std::size_t kHeaderBytes = 0;
constexpr const char* kRefusal = "alloc-dealloc-mismatch";
// The run-time of the sanitizer sometimes makes system calls that a confined check may not make.
// The check is then undecided. Whether it does so depends on timing.
constexpr bool kCallsMoreThanConfinedChecksMay = true;
#else
constexpr std::size_t kHeaderBytes = sizeof(Header);
constexpr const char* kRefusal = "what new did not make";
constexpr bool kCallsMoreThanConfinedChecksMay = false;
#endif

const std::string kCorpus = GGUFGATE_SOURCE_DIR "/corpus/";
const std::string kSound = kCorpus + "valid/sample-llama.gguf";
const std::string kBroken = kCorpus + "invalid/damage-cut-short.gguf";

ggufgate_options AllOptions() {
  ggufgate_options options = Options();
  options.name = "a name that is too long for a short string of the standard library";
  options.data = GGUFGATE_DATA_LEVEL_FULL;
  options.jobs = 2;
  options.sha256 = 1;
  return options;
}

std::vector<std::uint8_t> BytesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Otherwise the tests below prove nothing.
TEST(OwnHeap, RefusesWhatNewDidNotMake) {
  const auto free_what_malloc_made = [] {
    // The pointer is after a header's size, so that the bytes before it are valid memory.
    char* const memory = static_cast<char*>(std::malloc(64));
    void* volatile given = memory + kHeaderBytes;
    ::operator delete(given);
  };
  EXPECT_DEATH(free_what_malloc_made(), kRefusal);
}

TEST(OwnHeap, TakesBackWhatItGave) {
  void* volatile memory = ::operator new(64);
  ::operator delete(memory);
}

TEST(OwnHeap, ReportsOfPaths) {
  EXPECT_EQ(ggufgate_report_verdict(CheckedPath(kSound).get()), GGUFGATE_VERDICT_ACCEPT);
  const Report sound = CheckedPath(kSound, AllOptions());
  EXPECT_EQ(ggufgate_report_verdict(sound.get()), GGUFGATE_VERDICT_ACCEPT);
  EXPECT_EQ(std::string(ggufgate_report_sha256(sound.get())).size(), 64U);
  EXPECT_NE(JsonOf(sound), "");
  const Report broken = CheckedPath(kBroken, AllOptions());
  EXPECT_EQ(ggufgate_report_verdict(broken.get()), GGUFGATE_VERDICT_REJECT);
  EXPECT_NE(JsonOf(broken), "");
  const Report none = CheckedPath(kCorpus + "of/this/name/there/is/no/file.gguf", AllOptions());
  EXPECT_EQ(ggufgate_report_verdict(none.get()), GGUFGATE_VERDICT_UNDECIDED);
  EXPECT_NE(JsonOf(none), "");
}

TEST(OwnHeap, ReportOfAConfinedCheck) {
  if (ggufgate_can_confine() == 0) GTEST_SKIP() << "no confinement here";
  const ggufgate_options options = AllOptions();
  ggufgate_report* report = nullptr;
  ASSERT_EQ(ggufgate_check_confined(kSound.c_str(), &options, &report), GGUFGATE_STATUS_OK);
  const Report owned(report);
  const std::int32_t verdict = ggufgate_report_verdict(report);
  if (kCallsMoreThanConfinedChecksMay && verdict == GGUFGATE_VERDICT_UNDECIDED) return;
  EXPECT_EQ(verdict, GGUFGATE_VERDICT_ACCEPT);
}

TEST(OwnHeap, ReportOfAReaderThatFails) {
  const ggufgate_reader reader = {sizeof reader, 1 << 20, nullptr,
                                  [](void*, std::uint64_t, void*, std::size_t) { return 5; }};
  ggufgate_report* report = nullptr;
  ASSERT_EQ(ggufgate_check_reader(&reader, nullptr, &report), GGUFGATE_STATUS_OK);
  const Report owned(report);
  EXPECT_EQ(ggufgate_report_verdict(report), GGUFGATE_VERDICT_UNDECIDED);
  EXPECT_STRNE(ggufgate_report_problem(report), "");
}

TEST(OwnHeap, PoliciesAndTheirProblems) {
  EXPECT_NE(Parsed("schema = \"ggufgate.policy/1\"\n"), nullptr);
  const std::string wrong = "schema = \"ggufgate.policy/1\"\na-key-that-no-policy-has = 1\n";
  ggufgate_text* problems = nullptr;
  ggufgate_policy* policy = nullptr;
  EXPECT_EQ(
      ggufgate_policy_parse(wrong.data(), wrong.size(), nullptr, "a.toml", &problems, &policy),
      GGUFGATE_STATUS_BAD_POLICY);
  const Text owned(problems);
  EXPECT_NE(ggufgate_text_size(problems), 0U);
}

TEST(OwnHeap, OpenedFile) {
  const std::vector<std::uint8_t> bytes = BytesOf(kSound);
  const File file = OpenedMemory(bytes, AllOptions());
  ASSERT_NE(file, nullptr);
  const std::string name = "general.architecture";
  std::uint64_t key = 0;
  EXPECT_EQ(ggufgate_file_find_key(file.get(), name.data(), name.size(), &key), GGUFGATE_STATUS_OK);
  float first = 0;
  EXPECT_EQ(ggufgate_tensor_floats(file.get(), 0, 0, &first, 1), GGUFGATE_STATUS_OK);
}

}  // namespace
}  // namespace ggufgate::testing
