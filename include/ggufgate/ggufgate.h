/*
 * C interface of ggufgate: is a GGUF file safe to load, and if not, which byte is wrong? And what
 * is in a file that was judged. For C11 and C++11, and whatever can call C.
 *
 * VERDICT. Only GGUFGATE_STATUS_OK together with GGUFGATE_VERDICT_ACCEPT means: load it. Load what
 * was judged: by the descriptor that was checked, or from the memory, or read it with
 * ggufgate_open_... A path may name another file by then, and whoever may write a file may change
 * it after its verdict.
 *
 * WHAT IT DOES NOT DO. It does not confine itself: the check runs in the calling process and
 * thread, and a bug in it is a bug in that process; ggufgate_check_confined() forks and confines.
 * It does not pin a file against writers; `ggufgate run` does. It judges each file by itself: the
 * shards of one model are judged as a set by the command alone. There is no second reading of a
 * file but by ggufgate_check_confined().
 *
 * OWNERSHIP. A function that gives an object through its last parameter gives it to the caller, who
 * frees it with the function of that type; NULL may be freed. That parameter is set to NULL where
 * nothing is given. All other pointers that come back belong to the object that was asked, and last
 * until that is freed. Objects do not depend on one another, but an array on its file, and a file
 * on the memory that it was opened from.
 *
 * ERRORS. Functions that can fail give a ggufgate_status. No C++ exception leaves the library. A
 * NULL where an object belongs, and a number that is none of those below, are
 * GGUFGATE_STATUS_BAD_ARGUMENT; functions that give a number or text give 0 or "" of NULL. Outputs
 * are left alone unless GGUFGATE_STATUS_OK is given back, but for those that give an object. Freed
 * objects and wild pointers are the caller's to avoid.
 * Any function that gives an object may give OUT_OF_MEMORY, and INTERNAL for what should not
 * happen; what else a function gives stands beside it.
 *
 * THREADS. There is no global state. Policies, reports, texts and files do not change once they are
 * made: any number of threads may use them at once. An array belongs to one thread at a time.
 * Nobody may use what another thread frees.
 *
 * TEXT. What is called text is UTF-8, ends with a NUL, and is escaped where it comes from a file:
 * fit for a terminal or a log. What is called bytes has a length beside it, no NUL behind it, and
 * is as the file has it: anything.
 *
 * MEMORY grows with the bytes that are there, never by what a count or length in the file claims.
 *
 * COMPATIBILITY. Numbers, names and the order of members stay. New members are added at the end of
 * structs that begin with their size, new functions under a new symbol version.
 */
#ifndef GGUFGATE_GGUFGATE_H_
#define GGUFGATE_GGUFGATE_H_

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define GGUFGATE_API __attribute__((visibility("default")))
#else
#define GGUFGATE_API
#endif
#if defined(__cplusplus)
#define GGUFGATE_NOEXCEPT noexcept
extern "C" {
#else
#define GGUFGATE_NOEXCEPT
#endif

typedef int32_t ggufgate_status;
enum {
  GGUFGATE_STATUS_OK = 0,
  GGUFGATE_STATUS_BAD_ARGUMENT = 1,
  GGUFGATE_STATUS_OUT_OF_MEMORY = 2,
  GGUFGATE_STATUS_NOT_FOUND = 3, /* no such key, tensor or profile */
  GGUFGATE_STATUS_OUT_OF_RANGE =
      4, /* an index or range beyond the end, or a number that does not fit */
  GGUFGATE_STATUS_WRONG_TYPE = 5,   /* the value is of another type */
  GGUFGATE_STATUS_NOT_ACCEPTED = 6, /* the file was judged, and not accepted */
  GGUFGATE_STATUS_BAD_POLICY = 7,   /* the text is no policy */
  GGUFGATE_STATUS_IO = 8,           /* the system could not read, or the file has changed */
  GGUFGATE_STATUS_UNSUPPORTED = 9,  /* not in this build, or not for this kind of file */
  GGUFGATE_STATUS_INTERNAL = 10     /* a fault of the library; please report it */
};

/* The name of a status, as text that lasts for ever: "out of memory". */
GGUFGATE_API const char* ggufgate_status_text(ggufgate_status status) GGUFGATE_NOEXCEPT;
/* The version of the library: "0.1.0". */
GGUFGATE_API const char* ggufgate_version(void) GGUFGATE_NOEXCEPT;
/* Whether this build can confine: ggufgate_check_confined() is UNSUPPORTED where it cannot. */
GGUFGATE_API int ggufgate_can_confine(void) GGUFGATE_NOEXCEPT;

/* --- text that is handed over --------------------------------------------------------------------
 */

/* Owned by whoever was given it. */
typedef struct ggufgate_text ggufgate_text;
/* The text, which lasts until it is freed. */
GGUFGATE_API const char* ggufgate_text_chars(const ggufgate_text* text) GGUFGATE_NOEXCEPT;
/* The number of bytes, without the NUL. */
GGUFGATE_API size_t ggufgate_text_size(const ggufgate_text* text) GGUFGATE_NOEXCEPT;
GGUFGATE_API void ggufgate_text_free(ggufgate_text* text) GGUFGATE_NOEXCEPT;

/* Makes bytes fit to be shown: control characters, what is not UTF-8, what is invisible or turns
 * text round, and combining marks from the fifth in a row on are escaped. `bytes` may be NULL where
 * `size` is 0. */
GGUFGATE_API ggufgate_status ggufgate_escape(const void* bytes, size_t size,
                                             ggufgate_text** text) GGUFGATE_NOEXCEPT;

/* --- policy: docs/policy.md ----------------------------------------------------------------------
 */

typedef struct ggufgate_policy ggufgate_policy;

/* The policy of a profile: "gate" (the default everywhere), "llama.cpp", "spec" or "diffusion".
 * NOT_FOUND for other words. The caller owns the policy, and may free it when no call uses it:
 * reports and files have what they need of it. */
GGUFGATE_API ggufgate_status ggufgate_policy_of_profile(const char* profile,
                                                        ggufgate_policy** policy) GGUFGATE_NOEXCEPT;
/* Reads the text of a policy file. `profile`, unless NULL, wins over that of the text. `name` is
 * what reports call the policy; NULL: it has none. BAD_POLICY: `problems`, unless NULL, is given
 * all that is wrong, one line each, that begins with line and column; NOT_FOUND: there is no such
 * profile; otherwise it is set to NULL.
 */
GGUFGATE_API ggufgate_status ggufgate_policy_parse(const char* toml, size_t size,
                                                   const char* profile, const char* name,
                                                   ggufgate_text** problems,
                                                   ggufgate_policy** policy) GGUFGATE_NOEXCEPT;
GGUFGATE_API void ggufgate_policy_free(ggufgate_policy* policy) GGUFGATE_NOEXCEPT;

/* --- options -------------------------------------------------------------------------------------
 */

/* How much of the tensor data is read and judged. */
enum {
  GGUFGATE_DATA_LEVEL_OF_POLICY = 0,
  GGUFGATE_DATA_LEVEL_NONE = 1, /* header, metadata and tensor directory only */
  GGUFGATE_DATA_LEVEL_SCALES =
      2,                       /* scales of quantised blocks, and float tensors of one dimension */
  GGUFGATE_DATA_LEVEL_FULL = 3 /* every value */
};
enum {
  GGUFGATE_SEVERITY_OF_POLICY = 0, /* in options only */
  GGUFGATE_SEVERITY_NOTE = 1,
  GGUFGATE_SEVERITY_WARNING = 2,
  GGUFGATE_SEVERITY_ERROR = 3
};
enum {
  GGUFGATE_SECOND_OPINION_SMALL = 0, /* of files with up to 512 KiB of metadata */
  GGUFGATE_SECOND_OPINION_ALWAYS = 1,
  GGUFGATE_SECOND_OPINION_NEVER = 2
};

/* What is wanted of a check. Where options are NULL all are the defaults, which are zeros but for
 * the size. Read during the call only. */
typedef struct ggufgate_options {
  size_t size;                   /* sizeof(ggufgate_options) */
  const ggufgate_policy* policy; /* NULL: that of profile "gate" */
  const char* name; /* what reports call the file; NULL: its path, "" for a descriptor or memory */
  int32_t data;     /* GGUFGATE_DATA_LEVEL_... */
  int32_t fail_on;  /* GGUFGATE_SEVERITY_...: findings at or above it reject */
  uint32_t
      jobs; /* threads that judge tensor data; 0 and 1: the caller's alone, no others are started */
  int32_t sha256;         /* not 0: the report has the SHA-256 of all bytes */
  int32_t open_rejected;  /* not 0: ggufgate_open_... opens what was rejected, too, as far as it can
                             be read */
  int32_t second_opinion; /* GGUFGATE_SECOND_OPINION_...; ggufgate_check_confined() only */
  uint32_t timeout_ms;    /* of ggufgate_check_confined(): undecided after so long; 0: none */
} ggufgate_options;

#define GGUFGATE_OPTIONS_INIT {sizeof(ggufgate_options), NULL, NULL, 0, 0, 0, 0, 0, 0, 0}

/* --- checks --------------------------------------------------------------------------------------
 */

typedef struct ggufgate_report ggufgate_report;

/* A check gives a report, and OK, whatever the verdict is: that a file cannot be opened is a
 * report, too, and undecided. Any other status gives no report. */

/* Judges the regular file that a path names. */
GGUFGATE_API ggufgate_status ggufgate_check_path(const char* path, const ggufgate_options* options,
                                                 ggufgate_report** report) GGUFGATE_NOEXCEPT;
/* Judges what a descriptor gives: a regular file, which nobody has read a part of, or a pipe, which
 * is read to its end and judged as it passes; only for a policy with exceptions by SHA-256 all of
 * it (16 GiB at most) is kept in memory meanwhile. It stays open and belongs to the caller. */
GGUFGATE_API ggufgate_status ggufgate_check_descriptor(int descriptor,
                                                       const ggufgate_options* options,
                                                       ggufgate_report** report) GGUFGATE_NOEXCEPT;
/* Judges bytes that nobody changes meanwhile. `bytes` may be NULL where `size` is 0. */
GGUFGATE_API ggufgate_status ggufgate_check_memory(const void* bytes, size_t size,
                                                   const ggufgate_options* options,
                                                   ggufgate_report** report) GGUFGATE_NOEXCEPT;

/* A file that the caller reads: from a web server, an archive, a store of objects. */
typedef struct ggufgate_reader {
  size_t size;        /* sizeof(ggufgate_reader) */
  uint64_t file_size; /* all bytes of the file; at most 2^63 - 1 */
  void* context;      /* given to `read` */
  /* Puts `size` bytes of the file, from `offset` on, at `bytes`, and gives 0; or gives an errno, or
   * a negative number for an error that has none: then the file is undecided. Is asked for what
   * lies within the file alone, and never for nothing. It throws nothing, and does not jump out. */
  int (*read)(void* context, uint64_t offset, void* bytes, size_t size);
} ggufgate_reader;

/* Judges what a function reads. It is asked for the beginning, piece by piece: 64 KiB, and then
 * what is likely needed, so that seldom more than a tenth (of a small file, 64 KiB) is read in
 * vain; besides for 4 KiB at the end, padding between tensors, and tensor data where these are
 * judged. With `sha256` or a policy's exceptions by SHA-256 all of the file may be read. Calls come
 * one at a time; with more than one of `jobs` from other threads, too.
 *
 * The verdict is about the bytes that were given. Metadata and tensor directory are asked for once;
 * other places maybe twice, and what is not the same then leaves no trace but with `sha256`, which
 * makes it undecided. Whether the bytes given are those of the file that is loaded is the caller's
 * to see to: by its version (an ETag), or by reading with ggufgate_open_reader(). */
GGUFGATE_API ggufgate_status ggufgate_check_reader(const ggufgate_reader* reader,
                                                   const ggufgate_options* options,
                                                   ggufgate_report** report) GGUFGATE_NOEXCEPT;

/* Judges as the command does: in child processes that have given up everything but reading this
 * file, with a second reading by another judge, which must find nothing against what the first
 * accepts. What ends a child, an error in the judge included, is undecided.
 *
 * It forks, and waits for that child alone. The caller may have any number of threads, but
 * allocations must be served by the C library, or by an allocator that can be used after fork().
 * Until it returns, the child holds what descriptors the caller has; those that judge do not. It
 * works whatever the caller does with SIGCHLD, and raises no SIGPIPE. UNSUPPORTED in builds without
 * confinement; undecided where the system does not let it confine. */
GGUFGATE_API ggufgate_status ggufgate_check_confined(const char* path,
                                                     const ggufgate_options* options,
                                                     ggufgate_report** report) GGUFGATE_NOEXCEPT;

/* --- reports -------------------------------------------------------------------------------------
 */

enum {
  GGUFGATE_VERDICT_ACCEPT = 0,
  GGUFGATE_VERDICT_REJECT = 1,   /* a fact about the bytes speaks against loading */
  GGUFGATE_VERDICT_UNDECIDED = 2 /* the machine failed; do not load it either */
};

/* What a finding found, or what would be allowed. */
enum { GGUFGATE_FACT_NONE = 0, GGUFGATE_FACT_NUMBER = 1, GGUFGATE_FACT_TEXT = 2 };
typedef struct ggufgate_fact {
  int32_t kind;     /* GGUFGATE_FACT_... */
  uint64_t number;  /* of kind NUMBER */
  const char* text; /* of kind TEXT; else "" */
} ggufgate_fact;

/* One breach of one rule. */
typedef struct ggufgate_finding {
  size_t size;         /* sizeof(ggufgate_finding), set by the caller */
  const char* rule;    /* its stable name: docs/rules.md */
  int32_t severity;    /* GGUFGATE_SEVERITY_... */
  uint64_t offset;     /* of the byte that is wrong */
  uint64_t length;     /* bytes from there on that the finding is about */
  const char* place;   /* the record: "tokenizer.ggml.tokens[431]" */
  const char* message; /* what was found, and what is allowed */
  ggufgate_fact observed;
  ggufgate_fact allowed;
  const char* suppressed; /* the policy's reason to let it pass; NULL: it counts */
  const char* cause; /* what happened to the file, where its bytes show it: a name; else NULL */
  const char* cause_message;
  const char* advice;
} ggufgate_finding;

/* What functions of a report give lasts until it is freed. GGUFGATE_VERDICT_UNDECIDED of NULL. */
GGUFGATE_API int32_t ggufgate_report_verdict(const ggufgate_report* report) GGUFGATE_NOEXCEPT;
/* Why it is undecided; "" where it is not. */
GGUFGATE_API const char* ggufgate_report_problem(const ggufgate_report* report) GGUFGATE_NOEXCEPT;
/* Findings that are listed, in the order of the file. Of each rule and severity those beyond the
 * policy's findings_per_rule are counted, and not listed. */
GGUFGATE_API size_t ggufgate_report_finding_count(const ggufgate_report* report) GGUFGATE_NOEXCEPT;
/* How often a rule fired, listed or not; 0 for a rule that there is not. */
GGUFGATE_API uint64_t ggufgate_report_total(const ggufgate_report* report,
                                            const char* rule) GGUFGATE_NOEXCEPT;
/* Finding `index`. OUT_OF_RANGE beyond the last. */
GGUFGATE_API ggufgate_status ggufgate_report_finding(const ggufgate_report* report, size_t index,
                                                     ggufgate_finding* finding) GGUFGATE_NOEXCEPT;
/* 64 hexadecimal digits where options asked for them; else "". */
GGUFGATE_API const char* ggufgate_report_sha256(const ggufgate_report* report) GGUFGATE_NOEXCEPT;
/* The bytes of the file. */
GGUFGATE_API uint64_t ggufgate_report_file_size(const ggufgate_report* report) GGUFGATE_NOEXCEPT;
/* What `ggufgate check --format json` prints of this file: docs/formats.md. Where memory ends while
 * it is made, the process may end, too: the JSON library allocates where it must not fail. */
GGUFGATE_API ggufgate_status ggufgate_report_json(const ggufgate_report* report,
                                                  ggufgate_text** json) GGUFGATE_NOEXCEPT;
GGUFGATE_API void ggufgate_report_free(ggufgate_report* report) GGUFGATE_NOEXCEPT;

/* --- reading what was judged
 * ---------------------------------------------------------------------- */

typedef struct ggufgate_file ggufgate_file;

/* Opening judges, and gives a file only where the verdict is to accept: else NOT_ACCEPTED (or OK
 * for a rejected file, with open_rejected). `report`, unless NULL, is given the report in both
 * cases. Metadata and tensor directory are kept as they were judged, whatever becomes of the file;
 * tensor data are read when they are asked for, from the same descriptor or memory. */
GGUFGATE_API ggufgate_status ggufgate_open_path(const char* path, const ggufgate_options* options,
                                                ggufgate_report** report,
                                                ggufgate_file** file) GGUFGATE_NOEXCEPT;
/* The descriptor stays open and belongs to the caller, who may close it at once. */
GGUFGATE_API ggufgate_status ggufgate_open_descriptor(int descriptor,
                                                      const ggufgate_options* options,
                                                      ggufgate_report** report,
                                                      ggufgate_file** file) GGUFGATE_NOEXCEPT;
/* The bytes stay where and what they are until the file is freed. */
GGUFGATE_API ggufgate_status ggufgate_open_memory(const void* bytes, size_t size,
                                                  const ggufgate_options* options,
                                                  ggufgate_report** report,
                                                  ggufgate_file** file) GGUFGATE_NOEXCEPT;
/* As ggufgate_check_reader(). `read` and its context are used until the file is freed, for the data
 * of tensors; other data than were judged is what a reader gives that does not stand by its word.
 */
GGUFGATE_API ggufgate_status ggufgate_open_reader(const ggufgate_reader* reader,
                                                  const ggufgate_options* options,
                                                  ggufgate_report** report,
                                                  ggufgate_file** file) GGUFGATE_NOEXCEPT;
GGUFGATE_API void ggufgate_file_free(ggufgate_file* file) GGUFGATE_NOEXCEPT;

/* What the header of the file says. */
GGUFGATE_API uint32_t ggufgate_file_version(const ggufgate_file* file) GGUFGATE_NOEXCEPT;
/* Whether its numbers have their most significant byte first. */
GGUFGATE_API int ggufgate_file_is_big_endian(const ggufgate_file* file) GGUFGATE_NOEXCEPT;
/* In bytes; 0 in a rejected file that has none that can be used. */
GGUFGATE_API uint64_t ggufgate_file_alignment(const ggufgate_file* file) GGUFGATE_NOEXCEPT;
/* Those that were read: of a rejected file maybe fewer than its header claims. */
GGUFGATE_API uint64_t ggufgate_file_key_count(const ggufgate_file* file) GGUFGATE_NOEXCEPT;
GGUFGATE_API uint64_t ggufgate_file_tensor_count(const ggufgate_file* file) GGUFGATE_NOEXCEPT;

/* --- keys ----------------------------------------------------------------------------------------
 */

/* Types of values, numbered as in the file. */
enum {
  GGUFGATE_TYPE_U8 = 0,
  GGUFGATE_TYPE_I8 = 1,
  GGUFGATE_TYPE_U16 = 2,
  GGUFGATE_TYPE_I16 = 3,
  GGUFGATE_TYPE_U32 = 4,
  GGUFGATE_TYPE_I32 = 5,
  GGUFGATE_TYPE_F32 = 6,
  GGUFGATE_TYPE_BOOL = 7,
  GGUFGATE_TYPE_STRING = 8,
  GGUFGATE_TYPE_ARRAY = 9,
  GGUFGATE_TYPE_U64 = 10,
  GGUFGATE_TYPE_I64 = 11,
  GGUFGATE_TYPE_F64 = 12
};

typedef struct ggufgate_key {
  size_t size;      /* sizeof(ggufgate_key), set by the caller */
  const char* name; /* bytes */
  size_t name_size;
  int32_t type;         /* GGUFGATE_TYPE_... */
  int32_t element_type; /* of an array; else that of the value */
  uint64_t count;       /* elements of an array; else 1 */
  uint64_t offset;      /* of the record, in the file */
  uint64_t length;      /* bytes of the record */
} ggufgate_key;

/* Key `index`, whose name lasts until the file is freed. OUT_OF_RANGE beyond the last. */
GGUFGATE_API ggufgate_status ggufgate_file_key(const ggufgate_file* file, uint64_t index,
                                               ggufgate_key* key) GGUFGATE_NOEXCEPT;
/* Looks a name up in a time that does not depend on how many there are. Of keys with one name,
 * which only a rejected file has, the first. */
GGUFGATE_API ggufgate_status ggufgate_file_find_key(const ggufgate_file* file, const char* name,
                                                    size_t name_size,
                                                    uint64_t* index) GGUFGATE_NOEXCEPT;

/* The value of a key, by its index. Each of these takes the types that it can give without loss:
 * unsigned and signed take all integers (OUT_OF_RANGE where the number does not fit), real takes
 * f32 and f64. WRONG_TYPE for others, OUT_OF_RANGE for a key that there is not. The bytes of a
 * string last until the file is freed. */
GGUFGATE_API ggufgate_status ggufgate_file_unsigned(const ggufgate_file* file, uint64_t key,
                                                    uint64_t* value) GGUFGATE_NOEXCEPT;
GGUFGATE_API ggufgate_status ggufgate_file_signed(const ggufgate_file* file, uint64_t key,
                                                  int64_t* value) GGUFGATE_NOEXCEPT;
GGUFGATE_API ggufgate_status ggufgate_file_real(const ggufgate_file* file, uint64_t key,
                                                double* value) GGUFGATE_NOEXCEPT;
GGUFGATE_API ggufgate_status ggufgate_file_bool(const ggufgate_file* file, uint64_t key,
                                                int* value) GGUFGATE_NOEXCEPT;
GGUFGATE_API ggufgate_status ggufgate_file_string(const ggufgate_file* file, uint64_t key,
                                                  const char** bytes,
                                                  size_t* size) GGUFGATE_NOEXCEPT;

/* --- arrays --------------------------------------------------------------------------------------
 */

/* A view of an array, made without a look at its elements. */
typedef struct ggufgate_array ggufgate_array;

/* `file` must outlive all use of the array but its freeing. WRONG_TYPE where the value is no array,
 * OUT_OF_RANGE for a key that there is not. */
GGUFGATE_API ggufgate_status ggufgate_file_array(const ggufgate_file* file, uint64_t key,
                                                 ggufgate_array** array) GGUFGATE_NOEXCEPT;
/* The array that is element `index` of an array of arrays; it does not need the outer one. */
GGUFGATE_API ggufgate_status ggufgate_array_array(ggufgate_array* array, uint64_t index,
                                                  ggufgate_array** inner) GGUFGATE_NOEXCEPT;
GGUFGATE_API void ggufgate_array_free(ggufgate_array* array) GGUFGATE_NOEXCEPT;
GGUFGATE_API uint64_t ggufgate_array_count(const ggufgate_array* array) GGUFGATE_NOEXCEPT;
/* GGUFGATE_TYPE_...; -1 of NULL. */
GGUFGATE_API int32_t ggufgate_array_type(const ggufgate_array* array) GGUFGATE_NOEXCEPT;
/* Element `index`, as of a key above. To find a string for the first time takes a walk over those
 * before it.
 */
GGUFGATE_API ggufgate_status ggufgate_array_unsigned(const ggufgate_array* array, uint64_t index,
                                                     uint64_t* value) GGUFGATE_NOEXCEPT;
GGUFGATE_API ggufgate_status ggufgate_array_signed(const ggufgate_array* array, uint64_t index,
                                                   int64_t* value) GGUFGATE_NOEXCEPT;
GGUFGATE_API ggufgate_status ggufgate_array_real(const ggufgate_array* array, uint64_t index,
                                                 double* value) GGUFGATE_NOEXCEPT;
GGUFGATE_API ggufgate_status ggufgate_array_bool(const ggufgate_array* array, uint64_t index,
                                                 int* value) GGUFGATE_NOEXCEPT;
GGUFGATE_API ggufgate_status ggufgate_array_string(ggufgate_array* array, uint64_t index,
                                                   const char** bytes,
                                                   size_t* size) GGUFGATE_NOEXCEPT;
/* `count` strings from number `first` on, into room for as many. */
GGUFGATE_API ggufgate_status ggufgate_array_strings(ggufgate_array* array, uint64_t first,
                                                    size_t count, const char** bytes,
                                                    size_t* sizes) GGUFGATE_NOEXCEPT;
/* All elements of an array of numbers or bools, as the file has them: in its byte order, and with
 * no particular alignment. */
GGUFGATE_API ggufgate_status ggufgate_array_view(const ggufgate_array* array, const void** bytes,
                                                 size_t* size) GGUFGATE_NOEXCEPT;

/* --- tensors -------------------------------------------------------------------------------------
 */

enum { GGUFGATE_MOST_DIMENSIONS = 5 };

typedef struct ggufgate_tensor {
  size_t size;      /* sizeof(ggufgate_tensor), set by the caller */
  const char* name; /* bytes */
  size_t name_size;
  uint32_t type;           /* its number in the file */
  const char* type_name;   /* text: "Q4_K"; "" for a number that is no type */
  uint32_t block_elements; /* 0 for a number that is no type */
  uint32_t block_bytes;
  uint32_t dimension_count;
  uint64_t dimensions[GGUFGATE_MOST_DIMENSIONS]; /* the fastest first; 1 behind the last */
  uint64_t offset;                               /* of its data, from the start of the file */
  uint64_t bytes;                                /* of its data */
  uint64_t elements;                             /* product of the dimensions */
  int32_t readable; /* whether all its data lie in the file. If not, which is so in rejected files
                       only, the last three are 0 */
} ggufgate_tensor;

/* Tensor `index`, whose name lasts until the file is freed. OUT_OF_RANGE beyond the last. */
GGUFGATE_API ggufgate_status ggufgate_file_tensor(const ggufgate_file* file, uint64_t index,
                                                  ggufgate_tensor* tensor) GGUFGATE_NOEXCEPT;
/* As ggufgate_file_find_key(). */
GGUFGATE_API ggufgate_status ggufgate_file_find_tensor(const ggufgate_file* file, const char* name,
                                                       size_t name_size,
                                                       uint64_t* index) GGUFGATE_NOEXCEPT;
/* All functions below: OUT_OF_RANGE for a tensor, bytes or elements that there are not,
 * NOT_ACCEPTED for a tensor that is not readable, IO where a read fails or the file has become
 * shorter. */

/* Its data, which last as the memory does that the file was opened from; UNSUPPORTED where not:
 * read them. */
GGUFGATE_API ggufgate_status ggufgate_tensor_view(const ggufgate_file* file, uint64_t tensor,
                                                  const void** bytes,
                                                  size_t* size) GGUFGATE_NOEXCEPT;
/* Reads `size` bytes from byte `offset` of its data on into the caller's memory. */
GGUFGATE_API ggufgate_status ggufgate_tensor_read(const ggufgate_file* file, uint64_t tensor,
                                                  uint64_t offset, void* bytes,
                                                  size_t size) GGUFGATE_NOEXCEPT;
/* Decodes `count` elements from number `first` on into the caller's memory, bit for bit as ggml
 * does. They need begin or end no block. What is in that memory after an error is not defined. */
GGUFGATE_API ggufgate_status ggufgate_tensor_floats(const ggufgate_file* file, uint64_t tensor,
                                                    uint64_t first, float* floats,
                                                    size_t count) GGUFGATE_NOEXCEPT;

#if defined(__cplusplus)
}  // extern "C"
#endif

#endif /* GGUFGATE_GGUFGATE_H_ */
