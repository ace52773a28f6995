// The C interface over Mutator.

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <span>

#include "bytes/bytes.h"
#include "ggufgate/mutator.h"
#include "mutate/mutator.h"
#include "mutate/naming.h"

using ggufgate::Bytes;
using ggufgate::MutableBytes;
using ggufgate::mutate::DataNeeded;
using ggufgate::mutate::Expectation;
using ggufgate::mutate::Mode;
using ggufgate::mutate::Mutant;
using ggufgate::mutate::Mutation;
using ggufgate::mutate::Mutator;

struct ggufgate_mutator {
  explicit ggufgate_mutator(std::size_t max_size) : mutator(max_size) {}

  Mutator mutator;
  Mutant last = {.bytes = {}, .mutations = {}};
};

namespace {

// The constants of the header equal those of the enums.
static_assert(GGUFGATE_MODE_CONSISTENT == static_cast<int>(Mode::kConsistent));
static_assert(GGUFGATE_MODE_ONE_LIE == static_cast<int>(Mode::kOneLie));
static_assert(GGUFGATE_MODE_SEMI == static_cast<int>(Mode::kSemi));
static_assert(GGUFGATE_MODE_RAW == static_cast<int>(Mode::kRaw));
static_assert(GGUFGATE_MODE_GENERATE == static_cast<int>(Mode::kGenerate));
static_assert(GGUFGATE_MODE_HAVOC == static_cast<int>(Mode::kMixed));
static_assert(GGUFGATE_MODE_REDUCE == static_cast<int>(Mode::kReduce));
static_assert(GGUFGATE_EXPECT_ACCEPT == static_cast<int>(Expectation::kAccept));
static_assert(GGUFGATE_EXPECT_REJECT == static_cast<int>(Expectation::kReject));
static_assert(GGUFGATE_EXPECT_ANY == static_cast<int>(Expectation::kAny));
static_assert(GGUFGATE_DATA_NONE == static_cast<int>(DataNeeded::kNone));
static_assert(GGUFGATE_DATA_SCALES == static_cast<int>(DataNeeded::kScales));
static_assert(GGUFGATE_DATA_FULL == static_cast<int>(DataNeeded::kFull));

constexpr std::size_t kMostBytes = std::size_t{1} << 30;  // GGUFGATE_MOST_BYTES, without its cast
constexpr std::uint8_t kNothing = 0;                      // what an empty mutant points to

template <typename T>
std::span<T> SpanOf(T* data, std::size_t size) {
  GGUFGATE_AUDITED_BEGIN  // the caller passes both
      return {data, size};
  GGUFGATE_AUDITED_END
}

bool IsGood(const ggufgate_request& request) {
  return (request.input != nullptr || request.input_size == 0) &&
         (request.donor != nullptr || request.donor_size == 0) &&
         request.mode >= GGUFGATE_MODE_CONSISTENT && request.mode <= GGUFGATE_MODE_REDUCE &&
         request.data >= GGUFGATE_DATA_NONE && request.data <= GGUFGATE_DATA_FULL;
}

// Slugs and rules are literals of the .def files, so a NUL follows them.
ggufgate_mutant InC(const Mutant& mutant) {
  ggufgate_mutant made = {};
  made.bytes = mutant.bytes.empty() ? &kNothing : mutant.bytes.data();
  made.size = mutant.bytes.size();
  made.mode = static_cast<int>(mutant.mode);
  made.expect = static_cast<int>(mutant.expect);
  const std::span<const char*> names(made.mutations);
  made.mutation_count = std::min(mutant.mutations.size(), names.size());
  std::ranges::transform(mutant.mutations.first(made.mutation_count), names.begin(),
                         [](const Mutation* mutation) { return mutation->slug.data(); });
  made.rules = mutant.rules.empty() ? "" : mutant.rules.data();
  made.lie_at = mutant.lie_at ? static_cast<std::int64_t>(*mutant.lie_at) : -1;
  return made;
}

}  // namespace

extern "C" {

ggufgate_mutator* ggufgate_mutator_create(std::size_t max_size) {
  if (max_size > kMostBytes) return nullptr;
  try {
    return std::make_unique<ggufgate_mutator>(max_size).release();
  } catch (...) {  // bad_alloc
    return nullptr;
  }
}

void ggufgate_mutator_destroy(ggufgate_mutator* mutator) {
  const std::unique_ptr<ggufgate_mutator> freed(mutator);
}

int ggufgate_mutator_mutate(ggufgate_mutator* mutator, const ggufgate_request* request,
                            ggufgate_mutant* mutant) {
  if (mutator == nullptr || request == nullptr || mutant == nullptr || !IsGood(*request)) {
    return GGUFGATE_BAD_ARGUMENT;
  }
  try {
    mutator->last = mutator->mutator.Make({.input = SpanOf(request->input, request->input_size),
                                           .donor = SpanOf(request->donor, request->donor_size),
                                           .mode = static_cast<Mode>(request->mode),
                                           .seed = request->seed,
                                           .max_size = request->max_size,
                                           .data = static_cast<DataNeeded>(request->data),
                                           .leaf = request->leaf});
  } catch (...) {
    return GGUFGATE_INTERNAL;
  }
  *mutant = InC(mutator->last);
  return GGUFGATE_OK;
}

std::size_t ggufgate_mutator_describe(const ggufgate_mutator* mutator, char* text,
                                      std::size_t size) {
  if (mutator == nullptr || text == nullptr || size == 0) return 0;
  const MutableBytes out = SpanOf(reinterpret_cast<std::uint8_t*>(text), size);
  const bool made = mutator->last.bytes.data() != nullptr;
  const std::size_t length =
      made ? ggufgate::mutate::Describe(mutator->last, out.first(size - 1)) : 0;
  out[length] = 0;
  return length;
}

}  // extern "C"
