// The shared object for AFL++, loaded and called like AFL++ does.

#include <dlfcn.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "parse/model.h"
#include "tests/support/judge.h"

namespace ggufgate::testing {
namespace {

using File = std::vector<std::uint8_t>;

// The functions that AFL++ looks up, with their types.
struct Library {
  void* handle = ::dlopen(GGUFGATE_AFL_MUTATOR, RTLD_NOW | RTLD_LOCAL);

  template <typename Function>
  Function* Symbol(const char* name) const {
    return reinterpret_cast<Function*>(::dlsym(handle, name));
  }

  void* (*init)(void*, unsigned) = Symbol<void*(void*, unsigned)>("afl_custom_init");
  void (*deinit)(void*) = Symbol<void(void*)>("afl_custom_deinit");
  std::size_t (*fuzz)(void*, unsigned char*, std::size_t, unsigned char**, unsigned char*,
                      std::size_t, std::size_t) =
      Symbol<std::size_t(void*, unsigned char*, std::size_t, unsigned char**, unsigned char*,
                         std::size_t, std::size_t)>("afl_custom_fuzz");
  const char* (*describe)(void*, std::size_t) =
      Symbol<const char*(void*, std::size_t)>("afl_custom_describe");
  std::size_t (*havoc)(void*, unsigned char*, std::size_t, unsigned char**, std::size_t) =
      Symbol<std::size_t(void*, unsigned char*, std::size_t, unsigned char**, std::size_t)>(
          "afl_custom_havoc_mutation");
  unsigned char (*havoc_probability)(void*) =
      Symbol<unsigned char(void*)>("afl_custom_havoc_mutation_probability");
  int (*init_trim)(void*, unsigned char*, std::size_t) =
      Symbol<int(void*, unsigned char*, std::size_t)>("afl_custom_init_trim");
  std::size_t (*trim)(void*, unsigned char**) =
      Symbol<std::size_t(void*, unsigned char**)>("afl_custom_trim");
  int (*post_trim)(void*,
                   unsigned char) = Symbol<int(void*, unsigned char)>("afl_custom_post_trim");
};

const Library& Afl() {
  static const Library library;
  return library;
}

// Custom uses the mutator like AFL++.
class Custom {
 public:
  explicit Custom(unsigned seed) : data_(Afl().init(nullptr, seed)) {}
  Custom(const Custom&) = delete;
  Custom& operator=(const Custom&) = delete;
  ~Custom() { Afl().deinit(data_); }

  File Fuzz(File input, File donor, std::size_t max_size) {
    unsigned char* out = nullptr;
    unsigned char* const add = donor.empty() ? nullptr : donor.data();
    const std::size_t size =
        Afl().fuzz(data_, input.data(), input.size(), &out, add, donor.size(), max_size);
    EXPECT_NE(out, nullptr) << "AFL++ would stop";
    EXPECT_LE(size, max_size);
    return {out, out + size};
  }

  File Havoc(File input, std::size_t max_size) {
    unsigned char* out = nullptr;
    const std::size_t size = Afl().havoc(data_, input.data(), input.size(), &out, max_size);
    EXPECT_NE(out, nullptr) << "AFL++ would stop";
    EXPECT_LE(size, max_size);
    return {out, out + size};
  }

  // Trimmed runs the loop of AFL++, which stops if a result is larger than the input.
  template <typename StillGood>
  File Trimmed(File input, StillGood still_good) {
    const std::size_t first_size = input.size();
    const int steps = Afl().init_trim(data_, input.data(), input.size());
    EXPECT_GE(steps, 0);
    std::size_t calls = 0;
    for (int step = 0; step < steps; ++calls) {
      unsigned char* out = nullptr;
      const std::size_t size = Afl().trim(data_, &out);
      EXPECT_NE(out, nullptr);
      EXPECT_LE(size, first_size);
      const File candidate(out, out + size);
      const bool good = still_good(candidate);
      if (good) input = candidate;
      const int next = Afl().post_trim(data_, good ? 1 : 0);
      EXPECT_GE(next, step + (good ? 0 : 1));
      step = next;
    }
    EXPECT_LE(calls, static_cast<std::size_t>(steps) + first_size);
    return input;
  }

  std::string Describe(std::size_t most) { return Afl().describe(data_, most); }

 private:
  void* data_;
};

Model SmallModel() {
  Model model = Model::Minimal();
  model.Set("general.name", "small").Set("llama.block_count", std::uint32_t{1});
  model.Add("a", TensorType::kF32, {8});
  model.Add("needle", TensorType::kQ8_0, {32, 2});
  model.Add("z", TensorType::kF16, {3, 3});
  return model;
}

bool Holds(const File& file, std::string_view text) {
  return std::string_view(reinterpret_cast<const char*>(file.data()), file.size()).find(text) !=
         std::string_view::npos;
}

class AflMutatorTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_NE(Afl().handle, nullptr) << ::dlerror(); }

  Custom custom_{1};
  File seed_ = Write(SmallModel());
};

TEST_F(AflMutatorTest, HasWhatAflLooksFor) {
  for (const char* name : {"afl_custom_init", "afl_custom_fuzz", "afl_custom_deinit",
                           "afl_custom_describe", "afl_custom_init_trim", "afl_custom_trim",
                           "afl_custom_post_trim", "afl_custom_havoc_mutation",
                           "afl_custom_havoc_mutation_probability", "afl_custom_introspection"}) {
    EXPECT_NE(::dlsym(Afl().handle, name), nullptr) << name;
  }
  // If these functions existed, they would remove the second input, change the executed input, or
  // replace the power schedule.
  for (const char* name : {"afl_custom_splice_optout", "afl_custom_post_process",
                           "afl_custom_fuzz_count", "ggufgate_mutator_create"}) {
    EXPECT_EQ(::dlsym(Afl().handle, name), nullptr) << name;
  }
}

TEST_F(AflMutatorTest, MutantsDependOnTheSeedAndTheirNumber) {
  Custom same(1);
  Custom other(2);
  std::set<File> different;
  std::size_t alike = 0;
  for (int i = 0; i < 300; ++i) {
    const File mutant = custom_.Fuzz(seed_, {}, 4096);
    EXPECT_EQ(same.Fuzz(seed_, {}, 4096), mutant);
    alike += other.Fuzz(seed_, {}, 4096) == mutant ? 1U : 0U;
    EXPECT_NE(mutant, seed_);
    different.insert(mutant);
  }
  EXPECT_GT(different.size(), 150U);
  EXPECT_LT(alike, 50U);
}

TEST_F(AflMutatorTest, TakesAnyInputAndAnyRoom) {
  const File large(std::size_t{2} << 20, 'G');
  for (const std::size_t room : {std::size_t{0}, std::size_t{1}, std::size_t{23}, std::size_t{24},
                                 std::size_t{100}, std::size_t{1} << 20}) {
    for (const File& input : {File{}, seed_, large, File{'G'}}) {
      for (const File& donor : {File{}, seed_, large}) custom_.Fuzz(input, donor, room);
      custom_.Havoc(input, room);
    }
  }
}

TEST_F(AflMutatorTest, StacksInHavoc) {
  File file = seed_;
  std::set<File> different;
  for (int i = 0; i < 100; ++i) {
    file = custom_.Havoc(file, 4096);
    different.insert(file);
  }
  EXPECT_GT(different.size(), 50U);
  EXPECT_GT(Afl().havoc_probability(nullptr), 0);
  EXPECT_LE(Afl().havoc_probability(nullptr), 100);
}

TEST_F(AflMutatorTest, DescribesForTheNameOfAFile) {
  EXPECT_GT(custom_.Describe(100).size(), 0U) << "before the first mutant";
  std::set<std::string> words;
  for (int i = 0; i < 300; ++i) {
    custom_.Fuzz(seed_, {}, 4096);
    for (const std::size_t most : {std::size_t{0}, std::size_t{1}, std::size_t{10}, std::size_t{64},
                                   std::size_t{4096}, SIZE_MAX}) {
      const std::string described = custom_.Describe(most);
      EXPECT_LE(described.size(), most);
      EXPECT_EQ(described.find_first_of("/ \n"), std::string::npos) << described;
    }
    words.insert(custom_.Describe(200));
  }
  EXPECT_GT(words.size(), 5U);
}

TEST_F(AflMutatorTest, TrimsToWhatMatters) {
  const File trimmed = custom_.Trimmed(
      seed_, [](const File& file) { return Holds(file, "needle") && Judge(file).Accepted(); });
  EXPECT_LT(trimmed.size(), seed_.size());
  EXPECT_TRUE(Holds(trimmed, "needle"));
  const Judged judged = Judge(trimmed);
  EXPECT_EQ(judged.parsed.document.tensors.size(), 1U);
  EXPECT_TRUE(judged.parsed.document.metadata.empty());
}

TEST_F(AflMutatorTest, TrimsToNothingLessThanAHeaderAndToNothingAtAllWhenAllMatters) {
  EXPECT_EQ(custom_.Trimmed(seed_, [](const File&) { return true; }).size(), 24U);
  EXPECT_EQ(custom_.Trimmed(seed_, [](const File&) { return false; }), seed_);
}

TEST_F(AflMutatorTest, TrimsWhatLies) {
  File lying = seed_;
  lying.at(8) = 200;  // more tensors than exist
  const File trimmed =
      custom_.Trimmed(lying, [](const File& file) { return Holds(file, "needle"); });
  EXPECT_LT(trimmed.size(), lying.size());
  for (std::size_t size = 0; size < seed_.size(); ++size) {
    const File cut(seed_.begin(), seed_.begin() + static_cast<std::ptrdiff_t>(size));
    const File smaller = custom_.Trimmed(cut, [&](const File& file) { return file.size() % 3; });
    EXPECT_LE(smaller.size(), cut.size());
  }
}

TEST_F(AflMutatorTest, TrimIsOverAtOnceWhereThereIsNothingToDo) {
  for (const File& file : {File{}, File{'G'}, File(std::size_t{2} << 20, 'x')}) {
    EXPECT_EQ(custom_.Trimmed(file, [](const File&) { return true; }), file);
  }
}

// The environment determines the mode of a mutator when it is created.
TEST_F(AflMutatorTest, ObeysTheEnvironment) {
  const auto modes = [&](const char* mode) {
    ::setenv("GGUFGATE_MUTATOR_MODE", mode, 1);
    Custom custom(1);
    ::unsetenv("GGUFGATE_MUTATOR_MODE");
    std::set<std::string> found;
    for (int i = 0; i < 200; ++i) {
      custom.Fuzz(seed_, {}, 4096);
      const std::string described = custom.Describe(200);
      found.insert(described.substr(0, described.find(':')));
    }
    return found;
  };
  EXPECT_THAT(modes("one-lie"), ::testing::ElementsAre("one-lie"));
  EXPECT_THAT(modes("consistent"), ::testing::ElementsAre("consistent"));
  EXPECT_THAT(modes("no such mode"),
              ::testing::ElementsAre("consistent", "one-lie", "raw", "semi"));
}

}  // namespace
}  // namespace ggufgate::testing
