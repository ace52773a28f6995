// Loaders with every kind of misbehaviour that Outcome names.

#include "fuzz/external/harness.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <thread>

#include "fuzz/external/attack.h"
#include "tests/support/command.h"

namespace ggufgate::external {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::kSanitized;
using ::testing::Not;

constexpr std::uint64_t kRoom = std::uint64_t{64} << 20;  // bytes
constexpr Bounds kBounds{.patience = std::chrono::seconds(20), .memory = kRoom};

[[noreturn]] void Sleep() {
  while (true) std::this_thread::sleep_for(std::chrono::seconds(1));
}

// EatSlowly allocates memory in small steps, and uses it.
void EatSlowly() {
  std::vector<std::unique_ptr<std::string>> eaten;
  for (int i = 0; i < 2000; ++i) {
    eaten.push_back(std::make_unique<std::string>(std::size_t{1} << 20, 'x'));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

// The first byte of a file selects the behaviour of this loader.
bool Obey(const char* path) {
  const File file = BytesOf(path);
  switch (file.empty() ? 'r' : file.front()) {
    case 'l':
      return true;
    case 's':
      std::raise(SIGSEGV);
      return true;
    case 'a':
      std::fputs("an assertion failed\n", stderr);
      std::abort();
    case 'e':
      std::_Exit(3);
    case 't':
      throw std::runtime_error("nobody catches this");
    case 'h':
      Sleep();
    case 'm':
      EatSlowly();
      return true;
    case 'b': {  // requests much at once, and refuses the file if that fails
      void* volatile much = std::malloc(std::size_t{1} << 38);
      const bool got = much != nullptr;
      std::free(much);
      return got;
    }
    case 'w':
      std::fputs("words of one that loads\n", stderr);
      return true;
    default:
      return false;
  }
}

constexpr Loader kObedient{.name = "obedient", .what = "", .load = Obey};

File FileOf(char c) { return {static_cast<std::uint8_t>(c)}; }

Answer Ask(char c, Bounds bounds = kBounds) {
  Harness harness(kObedient, bounds);
  return harness.Ask(FileOf(c));
}

TEST(HarnessTest, LoadsAndRefuses) {
  EXPECT_EQ(Ask('l').outcome, Outcome::kLoads);
  EXPECT_EQ(Ask('r').outcome, Outcome::kRefuses);
}

TEST(HarnessTest, DiesOfASignal) {
  const Answer answer = Ask('s');
  EXPECT_EQ(answer.outcome, Outcome::kCrashes);
  if (!kSanitized) {
    EXPECT_EQ(answer.signal, SIGSEGV);
  }
  const Answer aborted = Ask('a');
  EXPECT_EQ(aborted.outcome, Outcome::kCrashes);
  EXPECT_THAT(aborted.words, HasSubstr("an assertion failed"));
}

TEST(HarnessTest, AnExceptionThatLeavesTheLoaderIsACrash) {
  const Answer answer = Ask('t');
  EXPECT_EQ(answer.outcome, Outcome::kCrashes);
  EXPECT_THAT(answer.words, HasSubstr("nobody catches this"));
}

TEST(HarnessTest, EndsTheProcess) {
  const Answer answer = Ask('e');
  EXPECT_EQ(answer.outcome, Outcome::kCrashes);
  EXPECT_EQ(answer.exit_code, 3);
  EXPECT_EQ(answer.signal, 0);
}

TEST(HarnessTest, ALoaderThatWantsEachFileAloneTellsWhereItWas) {
  constexpr Loader kAlone{.name = "alone", .what = "", .load = Obey, .alone = true, .stage = [] {
                            return std::string_view("obeying");
                          }};
  Harness harness(kAlone, kBounds);
  const std::vector<Answer> answers = harness.AskAll({{FileOf('l'), FileOf('a'), FileOf('l')}});
  ASSERT_EQ(answers.size(), 3U);
  EXPECT_EQ(harness.children(), 3U);
  EXPECT_EQ(answers.at(1).outcome, Outcome::kCrashes);
  EXPECT_EQ(answers.at(2).outcome, Outcome::kLoads);
  EXPECT_EQ(answers.at(1).stage, "obeying");
  EXPECT_EQ(Ask('a').stage, "");
}

TEST(HarnessTest, NeverAnswers) {
  const Answer answer = Ask('h', {.patience = std::chrono::milliseconds(100), .memory = kRoom});
  EXPECT_EQ(answer.outcome, Outcome::kHangs);
}

TEST(HarnessTest, TakesTooMuchMemoryBitByBit) { EXPECT_EQ(Ask('m').outcome, Outcome::kMemory); }

TEST(HarnessTest, AsksForTooMuchMemoryAtOnceAndRefuses) {
  if (kSanitized) GTEST_SKIP() << "a sanitizer has an allocator of its own";
  EXPECT_EQ(Ask('b').outcome, Outcome::kMemory);
}

TEST(HarnessTest, ManyFilesEachHaveTheirOwnOutcome) {
  Harness harness(kObedient, kBounds);
  std::vector<File> files;
  for (const char c : std::string("lrslaerlwl")) files.push_back(FileOf(c));
  files.emplace_back();  // an empty file
  std::string outcomes;
  const std::vector<Answer> answers = harness.AskAll(files);
  for (const Answer& answer : answers) outcomes += WordFor(answer.outcome).front();
  EXPECT_EQ(outcomes, "lrclccrlllr");
  EXPECT_EQ(harness.children(), 4U) << "a child for every death, and one for the rest";
  EXPECT_THAT(answers.at(2).words, Not(HasSubstr("an assertion failed")));
  EXPECT_THAT(answers.at(4).words, HasSubstr("an assertion failed"));
  EXPECT_THAT(answers.at(5).words, Not(HasSubstr("an assertion failed")));
}

TEST(HarnessTest, WordsOfTheLivingAreKeptWhenAskedAlone) {
  EXPECT_THAT(Ask('w').words, HasSubstr("words of one that loads"));
}

// The environment that a loader observes.
bool LooksAround(const char* path) {
  const File file = BytesOf(path);
  char byte = 0;
  if (::read(STDIN_FILENO, &byte, 1) != 0) return false;
  std::puts("this must not be seen");
  for (int descriptor = 5; descriptor < 1024; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) != -1) return false;
  }
  return file == File{1, 2, 3} && std::string(path).ends_with(".gguf");
}

TEST(HarnessTest, AChildHasNothingButTheFile) {
  const int stray = ::open("/dev/null", O_RDONLY);
  ASSERT_GE(stray, 0);
  const Loader loader{.name = "", .what = "", .load = LooksAround};
  Harness harness(loader, kBounds);
  ::testing::internal::CaptureStdout();
  const Answer answer = harness.Ask({1, 2, 3});
  EXPECT_THAT(::testing::internal::GetCapturedStdout(), IsEmpty());
  EXPECT_EQ(answer.outcome, Outcome::kLoads) << answer.words;
  ::close(stray);
}

// Every second answer comes after the previous file was dropped.
bool IsOneByte(const char* path) { return BytesOf(path).size() == 1; }

TEST(HarnessTest, AShorterFileDoesNotHaveTheEndOfALongerOne) {
  const Loader loader{.name = "", .what = "", .load = IsOneByte};
  Harness harness(loader, kBounds);
  const std::vector<File> files = {File(5000), File(1), File(3), File(1)};
  const std::vector<Answer> answers = harness.AskAll(files);
  ASSERT_EQ(answers.size(), 4U);
  EXPECT_EQ(answers.at(0).outcome, Outcome::kRefuses);
  EXPECT_EQ(answers.at(1).outcome, Outcome::kLoads);
  EXPECT_EQ(answers.at(2).outcome, Outcome::kRefuses);
  EXPECT_EQ(answers.at(3).outcome, Outcome::kLoads);
}

}  // namespace
}  // namespace ggufgate::external
