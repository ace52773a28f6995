// Custom mutator for AFL++ 4.04c and later, according to docs/custom_mutators.md of AFL++:
//
//   AFL_CUSTOM_MUTATOR_LIBRARY=$PWD/ggufgate-afl-mutator.so afl-fuzz -i seeds -o out -- ./loader @@
//
// These functions are missing on purpose, because their existence changes the behaviour of AFL++:
//   afl_custom_splice_optout  would withhold the second input; the mutator needs its records
//   afl_custom_fuzz_count     would replace the number of mutants of the power schedule
//   afl_custom_post_process   is not needed: the mutants are files already
//
// settings.h lists the environment variables.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "fuzz/engines/settings.h"
#include "mutate/mutator.h"
#include "mutate/naming.h"
#include "mutate/reduce/trim.h"

namespace ggufgate::fuzz {
namespace {

// The maximum input size of AFL++, MAX_FILE of its config.h.
constexpr std::size_t kMostBytes = std::size_t{1} << 20;

// How often, in percent, the havoc stage of AFL++ calls this mutator among its byte mutations.
constexpr unsigned char kHavocShare = 20;

class AflMutator {
 public:
  explicit AflMutator(unsigned int seed)
      : settings_(SettingsFromEnvironment()),
        seed_(seed),
        mutator_(kMostBytes),
        trim_(kMostBytes) {}

  // Mutate returns a mutant that is valid until the next call of any function.
  Bytes Mutate(Bytes input, Bytes donor, std::size_t max_size) {
    last_ = mutator_.Make({.input = input,
                           .donor = donor,
                           .mode = settings_.mode,
                           .seed = mutate::SeedOf(seed_, made_++),
                           .max_size = max_size,
                           .data = settings_.data});
    return last_.bytes;
  }

  // Describe returns words for the name of a file, at most `most` characters.
  const char* Describe(std::size_t most) {
    const std::size_t room = std::min(most, words_.size() - 1);
    words_.at(mutate::Describe(last_, std::span(words_).first(room))) = 0;
    return reinterpret_cast<const char*>(words_.data());
  }

  mutate::Trim& trim() { return trim_; }
  int trim_steps = 0;  // for the file that is being trimmed

 private:
  Settings settings_;
  std::uint64_t seed_;
  std::uint64_t made_ = 0;
  mutate::Mutator mutator_;
  mutate::Trim trim_;
  mutate::Mutant last_ = {.bytes = {}, .mutations = {}};
  std::array<std::uint8_t, 256> words_{};
};

AflMutator& Self(void* data) { return *static_cast<AflMutator*>(data); }

// Lend passes this object's bytes to AFL++, which does not change them, although its types allow
// it.
std::size_t Lend(Bytes bytes, unsigned char** out) {
  *out = const_cast<unsigned char*>(bytes.data());
  return bytes.size();
}

}  // namespace
}  // namespace ggufgate::fuzz

using ggufgate::fuzz::AflMutator;
using ggufgate::fuzz::kHavocShare;
using ggufgate::fuzz::Lend;
using ggufgate::fuzz::Self;

extern "C" {

// afl_mutator.map hides all other symbols.
void* afl_custom_init(void* afl, unsigned int seed);
std::size_t afl_custom_fuzz(void* data, unsigned char* buf, std::size_t buf_size,
                            unsigned char** out_buf, unsigned char* add_buf,
                            std::size_t add_buf_size, std::size_t max_size);
const char* afl_custom_describe(void* data, std::size_t max_description_len);
std::size_t afl_custom_havoc_mutation(void* data, unsigned char* buf, std::size_t buf_size,
                                      unsigned char** out_buf, std::size_t max_size);
unsigned char afl_custom_havoc_mutation_probability(void* data);
int afl_custom_init_trim(void* data, unsigned char* buf, std::size_t buf_size);
std::size_t afl_custom_trim(void* data, unsigned char** out_buf);
int afl_custom_post_trim(void* data, unsigned char success);
const char* afl_custom_introspection(void* data);
void afl_custom_deinit(void* data);

void* afl_custom_init(void* /*afl*/, unsigned int seed) {
  try {
    return new AflMutator(seed);
  } catch (...) {
    return nullptr;  // AFL++ stops with a message
  }
}

void afl_custom_deinit(void* data) { delete &Self(data); }

std::size_t afl_custom_fuzz(void* data, unsigned char* buf, std::size_t buf_size,
                            unsigned char** out_buf, unsigned char* add_buf,
                            std::size_t add_buf_size, std::size_t max_size) {
  return Lend(Self(data).Mutate({buf, buf_size}, {add_buf, add_buf_size}, max_size), out_buf);
}

std::size_t afl_custom_havoc_mutation(void* data, unsigned char* buf, std::size_t buf_size,
                                      unsigned char** out_buf, std::size_t max_size) {
  return Lend(Self(data).Mutate({buf, buf_size}, {}, max_size), out_buf);
}

unsigned char afl_custom_havoc_mutation_probability(void* /*data*/) { return kHavocShare; }

const char* afl_custom_describe(void* data, std::size_t max_description_len) {
  return Self(data).Describe(max_description_len);
}

const char* afl_custom_introspection(void* data) { return Self(data).Describe(SIZE_MAX); }

// Trimming continues until the step number equals the number of steps.
int afl_custom_init_trim(void* data, unsigned char* buf, std::size_t buf_size) {
  ggufgate::mutate::Trim& trim = Self(data).trim();
  Self(data).trim_steps = static_cast<int>(trim.Begin({buf, buf_size}));
  return trim.done() ? 0 : Self(data).trim_steps;
}

std::size_t afl_custom_trim(void* data, unsigned char** out_buf) {
  const ggufgate::mutate::Trim& trim = Self(data).trim();
  return Lend(trim.done() ? trim.best() : trim.candidate(), out_buf);
}

int afl_custom_post_trim(void* data, unsigned char success) {
  ggufgate::mutate::Trim& trim = Self(data).trim();
  trim.Answer(success != 0);
  // A smaller file has fewer steps, but AFL++ counts up to those of the first.
  const int last = Self(data).trim_steps;
  return trim.done() ? last : std::min(static_cast<int>(trim.step()), last - 1);
}

}  // extern "C"
