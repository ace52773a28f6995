// Custom mutator for AFL++ 4.04c and later, as docs/custom_mutators.md of AFL++ describes it:
//
//   AFL_CUSTOM_MUTATOR_LIBRARY=$PWD/ggufgate-afl-mutator.so afl-fuzz -i seeds -o out -- ./loader @@
//
// Left out on purpose, because being there is enough to change what AFL++ does:
//   afl_custom_splice_optout  would keep from us the second input, which we borrow records from
//   afl_custom_fuzz_count     would replace the number of mutants that the power schedule gives
//   afl_custom_post_process   the mutants are files already
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

// The largest input of AFL++, MAX_FILE of its config.h.
constexpr std::size_t kMostBytes = std::size_t{1} << 20;

// How often, in hundredths, the havoc stage of AFL++ calls us among its own byte mutations.
constexpr unsigned char kHavocShare = 20;

class AflMutator {
 public:
  explicit AflMutator(unsigned int seed)
      : settings_(SettingsFromEnvironment()),
        seed_(seed),
        mutator_(kMostBytes),
        trim_(kMostBytes) {}

  // Mutate gives a mutant that lasts until the next call of anything.
  Bytes Mutate(Bytes input, Bytes donor, std::size_t max_size) {
    last_ = mutator_.Make({.input = input,
                           .donor = donor,
                           .mode = settings_.mode,
                           .seed = mutate::SeedOf(seed_, made_++),
                           .max_size = max_size,
                           .data = settings_.data});
    return last_.bytes;
  }

  // Describe gives words for the name of a file, of at most `most` characters.
  const char* Describe(std::size_t most) {
    const std::size_t room = std::min(most, words_.size() - 1);
    words_.at(mutate::Describe(last_, std::span(words_).first(room))) = 0;
    return reinterpret_cast<const char*>(words_.data());
  }

  mutate::Trim& trim() { return trim_; }
  int trim_steps = 0;  // of the file that is being trimmed

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

// Lend hands bytes of ours to AFL++, which does not change them but whose types do not say so.
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

// Everything else is hidden by afl_mutator.map.
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
    return nullptr;  // AFL++ ends with a message
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

// Trimming goes on until the number of the step is that of all steps.
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
  // A smaller file has fewer steps; AFL++ counts up to those of the first.
  const int last = Self(data).trim_steps;
  return trim.done() ? last : std::min(static_cast<int>(trim.step()), last - 1);
}

}  // extern "C"
