// C interface of the mutator: mutants of GGUF files for fuzzers of GGUF loaders.
//
// All functions are safe for any bytes, none throws, and none allocates but _create. A mutator
// belongs to one thread at a time; any number of them may be in use.
#ifndef GGUFGATE_MUTATE_GGUFGATE_MUTATOR_H_
#define GGUFGATE_MUTATE_GGUFGATE_MUTATOR_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What kind of mutant is wanted, or was made. Numbers do not change.
enum {
  GGUFGATE_MODE_CONSISTENT = 0,  // sound: a gate accepts it
  GGUFGATE_MODE_ONE_LIE = 1,     // sound but for one lie, which breaks a rule
  GGUFGATE_MODE_SEMI = 2,        // edited and not repaired, several lies
  GGUFGATE_MODE_RAW = 3,         // bytes changed without regard for what they are
  GGUFGATE_MODE_GENERATE = 4,    // sound, and made from the seed alone
  GGUFGATE_MODE_HAVOC = 5,       // a mixture of these, for fuzzing
  GGUFGATE_MODE_REDUCE = 6       // simpler and no larger than the input
};

// What the default profile of ggufgate says of a mutant.
enum {
  GGUFGATE_EXPECT_ACCEPT = 0,
  GGUFGATE_EXPECT_REJECT = 1,  // by one of the rules of the mutant
  GGUFGATE_EXPECT_ANY = 2
};

// How much tensor data must be looked at for a lie to show (ggufgate check --data).
enum { GGUFGATE_DATA_NONE = 0, GGUFGATE_DATA_SCALES = 1, GGUFGATE_DATA_FULL = 2 };

// What functions give back.
enum {
  GGUFGATE_OK = 0,
  GGUFGATE_BAD_ARGUMENT = 1,  // a NULL that may not be, or a number that is none of the above
  GGUFGATE_INTERNAL = 2       // a fault of the mutator; please report it
};

typedef struct ggufgate_mutator ggufgate_mutator;

// A leaf mutator changes `size` bytes in place to at most `most` and gives their new number:
// LLVMFuzzerMutate of libFuzzer.
typedef size_t (*ggufgate_leaf)(uint8_t* data, size_t size, size_t most);

// What a mutant is made from; all zero but for `max_size` is a good start. The same request gives
// the same bytes on every machine, unless a leaf mutator is given.
typedef struct ggufgate_request {
  const uint8_t* input;  // any bytes; may be NULL where input_size is 0
  size_t input_size;
  const uint8_t* donor;  // another input, to borrow from; may be NULL where donor_size is 0
  size_t donor_size;
  int mode;  // GGUFGATE_MODE_...
  int data;  // GGUFGATE_DATA_...; counts in mode one-lie
  uint64_t seed;
  size_t max_size;     // bytes; of that, at most what _create was told
  ggufgate_leaf leaf;  // or NULL
} ggufgate_request;

// A mutant belongs to the mutator and lasts until its next use.
typedef struct ggufgate_mutant {
  const uint8_t* bytes;  // never NULL
  size_t size;           // at most max_size; 0 only where that is 0
  int mode;              // as made, never HAVOC
  int expect;            // GGUFGATE_EXPECT_...
  // Names of what was done, in order: static strings, as in `ggufgate mutate --list`.
  const char* mutations[16];
  size_t mutation_count;
  // Where expect is REJECT: slugs of rules, parted by '|', one of which must answer. Else "".
  const char* rules;
  int64_t lie_at;  // byte offset of the lie, -1 where it has no one place
} ggufgate_mutant;

// The largest size that a mutator can be made for, in bytes.
#define GGUFGATE_MOST_BYTES ((size_t)1 << 30)

// Gives a mutator that makes mutants of at most `max_size` bytes, and cuts larger inputs to that.
// It takes about 8 times that and 2 MB. NULL when there is not so much memory, or when that is more
// than GGUFGATE_MOST_BYTES.
ggufgate_mutator* ggufgate_mutator_create(size_t max_size);

// Frees a mutator; NULL is fine.
void ggufgate_mutator_destroy(ggufgate_mutator* mutator);

// Makes a mutant, which is never the input itself. `mutant` is left alone unless GGUFGATE_OK is
// given back. Input and donor may be what the last mutant was made from, but not its bytes.
int ggufgate_mutator_mutate(ggufgate_mutator* mutator, const ggufgate_request* request,
                            ggufgate_mutant* mutant);

// Writes what the last mutant is, as "one-lie:metadata-add+header-magic", and a NUL. What does not
// fit `size` bytes is left out. Gives the length without the NUL.
size_t ggufgate_mutator_describe(const ggufgate_mutator* mutator, char* text, size_t size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GGUFGATE_MUTATE_GGUFGATE_MUTATOR_H_
