// C interface of the mutator: mutants of GGUF files for fuzzers of GGUF loaders.
//
// Inputs may have any bytes. No function throws. Only ggufgate_mutator_create() allocates. Use a
// mutator in one thread at a time. A process may have any number of mutators.
#ifndef GGUFGATE_MUTATE_GGUFGATE_MUTATOR_H_
#define GGUFGATE_MUTATE_GGUFGATE_MUTATOR_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Kinds of mutants. The numbers never change.
enum {
  GGUFGATE_MODE_CONSISTENT = 0,  // valid: a gate accepts it
  GGUFGATE_MODE_ONE_LIE = 1,     // valid except for one lie; `rules` has the rules for it
  GGUFGATE_MODE_SEMI = 2,        // edited without repair, several lies
  GGUFGATE_MODE_RAW = 3,         // random changes of bytes, regardless of their meaning
  GGUFGATE_MODE_GENERATE = 4,    // valid, and made from the seed alone
  GGUFGATE_MODE_HAVOC = 5,       // a mixture of CONSISTENT, ONE_LIE, SEMI and RAW
  GGUFGATE_MODE_REDUCE = 6       // simpler, and not larger than the input
};

// The verdict that a check with the default profile and the same `data` must give.
enum {
  GGUFGATE_EXPECT_ACCEPT = 0,
  GGUFGATE_EXPECT_REJECT = 1,  // by one of the rules in ggufgate_mutant.rules
  GGUFGATE_EXPECT_ANY = 2
};

// How much tensor data a checker must read to find the lie (ggufgate check --data).
enum { GGUFGATE_DATA_NONE = 0, GGUFGATE_DATA_SCALES = 1, GGUFGATE_DATA_FULL = 2 };

// Return values.
enum {
  GGUFGATE_OK = 0,
  GGUFGATE_BAD_ARGUMENT = 1,  // NULL where it is not allowed, or a number out of range
  GGUFGATE_INTERNAL = 2       // a bug of the mutator; please report it
};

typedef struct ggufgate_mutator ggufgate_mutator;

// A function that changes a small field of `size` bytes (a leaf) in place. It returns the new size,
// at most `most`. An example is LLVMFuzzerMutate of libFuzzer.
typedef size_t (*ggufgate_leaf)(uint8_t* data, size_t size, size_t most);

// A request for a mutant. To start, set only `max_size`, and the rest to zero. The same request
// gives the same bytes on every machine, unless `leaf` is set.
typedef struct ggufgate_request {
  const uint8_t* input;  // any bytes; may be NULL if input_size is 0
  size_t input_size;
  const uint8_t* donor;  // another input, to copy parts from; may be NULL if donor_size is 0
  size_t donor_size;
  int mode;  // GGUFGATE_MODE_...
  int data;  // GGUFGATE_DATA_...; for lies of modes one-lie and havoc
  uint64_t seed;
  size_t max_size;     // bytes; the limit given to ggufgate_mutator_create() also applies
  ggufgate_leaf leaf;  // or NULL
} ggufgate_request;

// A mutant. Its memory belongs to the mutator and is valid until the next use of the mutator.
typedef struct ggufgate_mutant {
  const uint8_t* bytes;  // never NULL
  size_t size;           // at most max_size; 0 only if max_size is 0
  int mode;              // the mode used, never HAVOC
  int expect;            // GGUFGATE_EXPECT_...
  // Names of the mutations, in order of application. They are static strings, as in
  // `ggufgate mutate --list`.
  const char* mutations[16];
  size_t mutation_count;
  // If `expect` is REJECT: names of rules, separated by '|'. One of them must reject. Otherwise "".
  const char* rules;
  int64_t lie_at;  // file offset of the lie, or -1 if it has no single place
} ggufgate_mutant;

// The largest `max_size` of a mutator, in bytes.
#define GGUFGATE_MOST_BYTES ((size_t)1 << 30)

// Returns a mutator that makes mutants of at most `max_size` bytes, and uses at most that many
// bytes of an input. It allocates about 8 times `max_size` and 2 MB. Returns NULL if the allocation
// fails, or if `max_size` exceeds GGUFGATE_MOST_BYTES.
ggufgate_mutator* ggufgate_mutator_create(size_t max_size);

// Frees a mutator. NULL is allowed.
void ggufgate_mutator_destroy(ggufgate_mutator* mutator);

// Makes a mutant. It differs from the input, unless both are empty. `mutant` is unchanged unless
// the function returns GGUFGATE_OK. You may pass the same buffers again as `input` and `donor`, but
// not `bytes` of a mutant of this mutator.
int ggufgate_mutator_mutate(ggufgate_mutator* mutator, const ggufgate_request* request,
                            ggufgate_mutant* mutant);

// Writes a description of the last mutant, such as "one-lie:metadata-add+header-magic", and a NUL.
// The text is cut to fit into `size` bytes. Returns the length without the NUL.
size_t ggufgate_mutator_describe(const ggufgate_mutator* mutator, char* text, size_t size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GGUFGATE_MUTATE_GGUFGATE_MUTATOR_H_
