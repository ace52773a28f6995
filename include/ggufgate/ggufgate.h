/*
 * C interface of ggufgate: is a GGUF file safe to load, and if not, which byte is wrong? It also
 * reads the contents of files that were checked. For C11, C++11, and languages that can call C.
 *
 * VERDICT. Load a file only after GGUFGATE_STATUS_OK together with GGUFGATE_VERDICT_ACCEPT. Load
 * the bytes that were checked: by the descriptor that was checked, from memory, or with
 * ggufgate_open_... After the check, the path may name another file. Anybody with write access can
 * change a file after its verdict.
 *
 * LIMITS. A check runs in the calling process and thread, without confinement: a bug in the check
 * is a bug in that process. Only ggufgate_check_confined() forks and confines. Only that function
 * has a time limit, and runs a second, independent check (by default for files with up to 512 KiB
 * of metadata). The library does not protect a file against writers; `ggufgate run` does. The
 * library checks each file separately; the command also checks the shards of a model as a set.
 *
 * OWNERSHIP. The caller owns each object (policy, text, report, file, array) that a function
 * returns through a parameter. The caller frees it with the function of that type; NULL may be
 * freed. The function sets such a parameter to NULL if it returns no object there. All other
 * returned pointers belong to the object that was passed in, and are valid until that object is
 * freed. Objects are independent, with two exceptions: an array needs its file, and a file needs
 * the memory that it was opened from.
 *
 * ERRORS. Functions that can fail return a ggufgate_status. No C++ exception leaves the library.
 * Functions return GGUFGATE_STATUS_BAD_ARGUMENT if an object is NULL, or if a number is not one of
 * the values below. For NULL, functions that return a number or text return 0 or "", unless their
 * comment names another value. A function that fails leaves outputs unchanged, except those for
 * objects. The library does not detect freed objects or invalid pointers.
 * Any function that returns an object may return OUT_OF_MEMORY, or INTERNAL for a bug of the
 * library. Other errors are documented with each function. A failed assertion in the library aborts
 * the process, except in the child processes of ggufgate_check_confined().
 *
 * THREADS. There is no global state. Policies, reports, texts and files are immutable: any number
 * of threads may use them at the same time. Use an array in one thread at a time. Do not free an
 * object while another thread uses it.
 *
 * TEXT. "Text" is UTF-8 and ends with a NUL. If it comes from a file, it is escaped and safe for a
 * terminal or a log. "Bytes" come with a length, have no NUL at the end, and are copied from the
 * file unchanged.
 *
 * MEMORY use grows with the metadata that are present, not with tensor data, and never with a count
 * or length that the file only claims.
 *
 * COMPATIBILITY. Numbers, names and the order of members never change. New members are added at the
 * end of structs that begin with their size, new functions under a new symbol version.
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
  GGUFGATE_STATUS_WRONG_TYPE = 5,   /* the value has another type */
  GGUFGATE_STATUS_NOT_ACCEPTED = 6, /* the file was checked, and not accepted */
  GGUFGATE_STATUS_BAD_POLICY = 7,   /* the policy text is invalid */
  GGUFGATE_STATUS_IO = 8,           /* a read failed, or the file has changed */
  GGUFGATE_STATUS_UNSUPPORTED = 9,  /* not in this build, or not for this kind of file */
  GGUFGATE_STATUS_INTERNAL = 10     /* a bug of the library; please report it */
};

/* Returns the name of a status, such as "out of memory". The text is never freed. */
GGUFGATE_API const char* ggufgate_status_text(ggufgate_status status) GGUFGATE_NOEXCEPT;
/* Returns the version of the library, such as "0.1.0". */
GGUFGATE_API const char* ggufgate_version(void) GGUFGATE_NOEXCEPT;
/* Returns whether this build can confine. If not, ggufgate_check_confined() returns UNSUPPORTED. */
GGUFGATE_API int ggufgate_can_confine(void) GGUFGATE_NOEXCEPT;

/* --- text that the caller owns -------------------------------------------------------------------
 */

/* A text that the caller must free. */
typedef struct ggufgate_text ggufgate_text;
/* Returns the text, which is valid until it is freed. */
GGUFGATE_API const char* ggufgate_text_chars(const ggufgate_text* text) GGUFGATE_NOEXCEPT;
/* Returns the number of bytes, without the NUL. */
GGUFGATE_API size_t ggufgate_text_size(const ggufgate_text* text) GGUFGATE_NOEXCEPT;
GGUFGATE_API void ggufgate_text_free(ggufgate_text* text) GGUFGATE_NOEXCEPT;

/* Escapes bytes so that they are safe to print: control characters, invalid UTF-8, invisible
 * characters, characters that change the text direction, combining marks after the fourth in a row
 * (the eighth if some are spacing marks), and `##[`. It does not escape `::` at the start, which is
 * a command for GitHub runners at the start of a line. `bytes` may be NULL if `size` is 0. */
GGUFGATE_API ggufgate_status ggufgate_escape(const void* bytes, size_t size,
                                             ggufgate_text** text) GGUFGATE_NOEXCEPT;

/* --- policy: docs/policy.md ----------------------------------------------------------------------
 */

typedef struct ggufgate_policy ggufgate_policy;

/* Returns the policy of a profile: "gate" (the default everywhere), "llama.cpp", "spec" or
 * "diffusion". NOT_FOUND for other names. The caller owns the policy, and may free it when no call
 * uses it: reports and files keep a copy. */
GGUFGATE_API ggufgate_status ggufgate_policy_of_profile(const char* profile,
                                                        ggufgate_policy** policy) GGUFGATE_NOEXCEPT;
/* Parses the text of a policy file. `profile`, unless NULL, overrides the profile of the text.
 * `name` is the name of the policy in reports; it may be NULL. NOT_FOUND: the profile does not
 * exist. BAD_POLICY: the text is invalid; `problems`, unless NULL, receives one line per problem,
 * which begins with line and column. Otherwise it is set to NULL.
 */
GGUFGATE_API ggufgate_status ggufgate_policy_parse(const char* toml, size_t size,
                                                   const char* profile, const char* name,
                                                   ggufgate_text** problems,
                                                   ggufgate_policy** policy) GGUFGATE_NOEXCEPT;
GGUFGATE_API void ggufgate_policy_free(ggufgate_policy* policy) GGUFGATE_NOEXCEPT;

/* --- options -------------------------------------------------------------------------------------
 */

/* How much of the tensor data is read and checked. */
enum {
  GGUFGATE_DATA_LEVEL_OF_POLICY = 0,
  GGUFGATE_DATA_LEVEL_NONE = 1, /* header, metadata and tensor directory only */
  GGUFGATE_DATA_LEVEL_SCALES =
      2,                       /* scales of quantised blocks, and float tensors of one dimension */
  GGUFGATE_DATA_LEVEL_FULL = 3 /* all tensors, but integers only in expert tables */
};
enum {
  GGUFGATE_SEVERITY_OF_POLICY = 0, /* allowed only in options */
  GGUFGATE_SEVERITY_NOTE = 1,
  GGUFGATE_SEVERITY_WARNING = 2,
  GGUFGATE_SEVERITY_ERROR = 3
};
enum {
  GGUFGATE_SECOND_OPINION_SMALL = 0, /* only files with up to 512 KiB of metadata */
  GGUFGATE_SECOND_OPINION_ALWAYS = 1,
  GGUFGATE_SECOND_OPINION_NEVER = 2
};

/* Options of a check. NULL means default options: all members except `size` are 0. Options are
 * read only during the call. */
typedef struct ggufgate_options {
  size_t size;                   /* sizeof(ggufgate_options) */
  const ggufgate_policy* policy; /* NULL: the policy of profile "gate" */
  const char* name;              /* name in reports; if NULL: the path, or "" if there is no path */
  int32_t data;                  /* GGUFGATE_DATA_LEVEL_... */
  int32_t fail_on;               /* GGUFGATE_SEVERITY_...: findings at or above it reject */
  uint32_t jobs;          /* threads that check tensor data; 0 and 1: only the caller's thread */
  int32_t sha256;         /* not 0: the report contains the SHA-256 of all bytes */
  int32_t open_rejected;  /* not 0: ggufgate_open_... also opens rejected files, as far as they can
                             be read */
  int32_t second_opinion; /* GGUFGATE_SECOND_OPINION_...; only for ggufgate_check_confined() */
  uint32_t timeout_ms;    /* for ggufgate_check_confined(): after it, undecided; 0: no limit */
} ggufgate_options;

#define GGUFGATE_OPTIONS_INIT {sizeof(ggufgate_options), NULL, NULL, 0, 0, 0, 0, 0, 0, 0}

/* --- checks --------------------------------------------------------------------------------------
 */

typedef struct ggufgate_report ggufgate_report;

/* A check returns OK and a report for every verdict. A file that cannot be opened is undecided.
 * With any other status than OK there is no report. */

/* Checks a regular file. */
GGUFGATE_API ggufgate_status ggufgate_check_path(const char* path, const ggufgate_options* options,
                                                 ggufgate_report** report) GGUFGATE_NOEXCEPT;
/* Checks a regular file or a pipe. The file offset of a regular file must be 0. A pipe is read to
 * its end and checked while it is read. If the policy has suppressions by SHA-256, all bytes of the
 * pipe are kept in memory (at most 16 GiB). The descriptor stays open and belongs to the caller. */
GGUFGATE_API ggufgate_status ggufgate_check_descriptor(int descriptor,
                                                       const ggufgate_options* options,
                                                       ggufgate_report** report) GGUFGATE_NOEXCEPT;
/* Checks bytes in memory. They must not change during the call. `bytes` may be NULL if `size` is
 * 0. */
GGUFGATE_API ggufgate_status ggufgate_check_memory(const void* bytes, size_t size,
                                                   const ggufgate_options* options,
                                                   ggufgate_report** report) GGUFGATE_NOEXCEPT;

/* A file that the caller reads: from a web server, an archive, an object store. */
typedef struct ggufgate_reader {
  size_t size;        /* sizeof(ggufgate_reader) */
  uint64_t file_size; /* all bytes of the file; at most 2^63 - 1 */
  void* context;      /* passed to `read` */
  /* Reads `size` bytes of the file at `offset` into `bytes`. Returns 0, an errno, or a negative
   * number for an error without errno. After an error the file is undecided. The library never asks
   * for 0 bytes or for bytes beyond the end. The function must not throw or call `longjmp`. */
  int (*read)(void* context, uint64_t offset, void* bytes, size_t size);
} ggufgate_reader;

/* Checks a file through a function that reads it. The library first reads 64 KiB, and then the
 * estimated rest of the metadata. The estimate is seldom more than a tenth too large, or 64 KiB for
 * a small file. It also reads 4 KiB at the end, padding between tensors, and the tensor data that
 * it checks. With `sha256`, or a policy with suppressions by SHA-256, it may read the whole file.
 * It makes one call at a time; with `jobs` above 1, calls may come from other threads.
 *
 * The verdict is about the bytes that `read` returned. Metadata and tensor directory are read once.
 * Other places may be read twice; if the two reads differ, the file is undecided with `sha256`, and
 * otherwise this is not detected. The caller must ensure that it loads the same bytes: by the
 * version of the file (an ETag), or by reading with ggufgate_open_reader(). */
GGUFGATE_API ggufgate_status ggufgate_check_reader(const ggufgate_reader* reader,
                                                   const ggufgate_options* options,
                                                   ggufgate_report** report) GGUFGATE_NOEXCEPT;

/* Checks a file as the command does: in confined child processes that can only read this file. If a
 * second, independent check (see `second_opinion`) finds an error in a file that the first accepts,
 * the file is undecided. It is also undecided if a child crashes or stops early.
 *
 * The function forks, and waits only for that child. The caller may have any number of threads, but
 * its allocator must be that of the C library, or one that works after fork(). Until the function
 * returns, the child has copies of the caller's descriptors; the processes that check do not. The
 * caller may handle SIGCHLD in any way, and gets no SIGPIPE. UNSUPPORTED in builds without
 * confinement; undecided if the system does not allow confinement. */
GGUFGATE_API ggufgate_status ggufgate_check_confined(const char* path,
                                                     const ggufgate_options* options,
                                                     ggufgate_report** report) GGUFGATE_NOEXCEPT;

/* --- reports -------------------------------------------------------------------------------------
 */

enum {
  GGUFGATE_VERDICT_ACCEPT = 0,
  GGUFGATE_VERDICT_REJECT = 1,   /* a fact about the bytes makes loading unsafe */
  GGUFGATE_VERDICT_UNDECIDED = 2 /* the check failed; do not load the file either */
};

/* The wrong value of a finding, or its limit. */
enum { GGUFGATE_FACT_NONE = 0, GGUFGATE_FACT_NUMBER = 1, GGUFGATE_FACT_TEXT = 2 };
typedef struct ggufgate_fact {
  int32_t kind;     /* GGUFGATE_FACT_... */
  uint64_t number;  /* for kind NUMBER */
  const char* text; /* for kind TEXT; otherwise "" */
} ggufgate_fact;

/* One violation of one rule. */
typedef struct ggufgate_finding {
  size_t size;         /* sizeof(ggufgate_finding), set by the caller */
  const char* rule;    /* name of the rule: docs/rules.md */
  int32_t severity;    /* GGUFGATE_SEVERITY_... */
  uint64_t offset;     /* file offset that the finding is about */
  uint64_t length;     /* number of bytes, from there on, that the finding is about */
  const char* place;   /* the record: "tokenizer.ggml.tokens[431]" */
  const char* message; /* the wrong value, and the limit */
  ggufgate_fact observed;
  ggufgate_fact allowed;
  const char* suppressed; /* the policy's reason not to count it for the verdict, or NULL */
  const char* cause; /* name of the cause, such as damage in transfer, if known; otherwise NULL */
  const char* cause_message;
  const char* advice;
} ggufgate_finding;

/* Pointers that the functions of a report return are valid until the report is freed. For NULL, the
 * verdict is GGUFGATE_VERDICT_UNDECIDED. */
GGUFGATE_API int32_t ggufgate_report_verdict(const ggufgate_report* report) GGUFGATE_NOEXCEPT;
/* Returns the reason for UNDECIDED; for other verdicts "". */
GGUFGATE_API const char* ggufgate_report_problem(const ggufgate_report* report) GGUFGATE_NOEXCEPT;
/* Returns the number of listed findings, which are in the order of the file. For each rule and
 * severity, at most the policy's findings_per_rule are listed. Further ones are only counted. */
GGUFGATE_API size_t ggufgate_report_finding_count(const ggufgate_report* report) GGUFGATE_NOEXCEPT;
/* Returns how many findings a rule has, listed or not; 0 for an unknown rule. */
GGUFGATE_API uint64_t ggufgate_report_total(const ggufgate_report* report,
                                            const char* rule) GGUFGATE_NOEXCEPT;
/* Returns finding `index`. OUT_OF_RANGE if there are fewer. */
GGUFGATE_API ggufgate_status ggufgate_report_finding(const ggufgate_report* report, size_t index,
                                                     ggufgate_finding* finding) GGUFGATE_NOEXCEPT;
/* Returns 64 hexadecimal digits if the options asked for them; otherwise "". */
GGUFGATE_API const char* ggufgate_report_sha256(const ggufgate_report* report) GGUFGATE_NOEXCEPT;
/* Returns the size of the file in bytes. */
GGUFGATE_API uint64_t ggufgate_report_file_size(const ggufgate_report* report) GGUFGATE_NOEXCEPT;
/* Returns the report as `ggufgate check --format json` prints it: docs/formats.md. If memory runs
 * out, the process may abort, because the JSON library cannot handle failed allocations. */
GGUFGATE_API ggufgate_status ggufgate_report_json(const ggufgate_report* report,
                                                  ggufgate_text** json) GGUFGATE_NOEXCEPT;
GGUFGATE_API void ggufgate_report_free(ggufgate_report* report) GGUFGATE_NOEXCEPT;

/* --- reading a checked file ----------------------------------------------------------------------
 */

typedef struct ggufgate_file ggufgate_file;

/* Opening a file checks it. If the verdict is accept (or, with open_rejected, reject), the function
 * returns OK and the file; otherwise NOT_ACCEPTED. `report`, unless NULL, receives the report in
 * both cases. Metadata and tensor directory are kept as they were checked, even if the
 * file changes. Tensor data are read on demand, from the same descriptor or memory. */
GGUFGATE_API ggufgate_status ggufgate_open_path(const char* path, const ggufgate_options* options,
                                                ggufgate_report** report,
                                                ggufgate_file** file) GGUFGATE_NOEXCEPT;
/* The descriptor belongs to the caller, who may close it after the call. */
GGUFGATE_API ggufgate_status ggufgate_open_descriptor(int descriptor,
                                                      const ggufgate_options* options,
                                                      ggufgate_report** report,
                                                      ggufgate_file** file) GGUFGATE_NOEXCEPT;
/* The bytes must stay valid and unchanged until the file is freed. */
GGUFGATE_API ggufgate_status ggufgate_open_memory(const void* bytes, size_t size,
                                                  const ggufgate_options* options,
                                                  ggufgate_report** report,
                                                  ggufgate_file** file) GGUFGATE_NOEXCEPT;
/* Like ggufgate_check_reader(). The library uses `read` and its context for tensor data until the
 * file is freed. If `read` then returns other bytes than before, those bytes were not checked.
 */
GGUFGATE_API ggufgate_status ggufgate_open_reader(const ggufgate_reader* reader,
                                                  const ggufgate_options* options,
                                                  ggufgate_report** report,
                                                  ggufgate_file** file) GGUFGATE_NOEXCEPT;
GGUFGATE_API void ggufgate_file_free(ggufgate_file* file) GGUFGATE_NOEXCEPT;

/* Returns the version in the header. */
GGUFGATE_API uint32_t ggufgate_file_version(const ggufgate_file* file) GGUFGATE_NOEXCEPT;
/* Returns whether numbers in the file have their most significant byte first. */
GGUFGATE_API int ggufgate_file_is_big_endian(const ggufgate_file* file) GGUFGATE_NOEXCEPT;
/* Returns the alignment in bytes; 0 for a rejected file without a valid one. */
GGUFGATE_API uint64_t ggufgate_file_alignment(const ggufgate_file* file) GGUFGATE_NOEXCEPT;
/* Returns how many records were read; in a rejected file, maybe fewer than its header claims. */
GGUFGATE_API uint64_t ggufgate_file_key_count(const ggufgate_file* file) GGUFGATE_NOEXCEPT;
GGUFGATE_API uint64_t ggufgate_file_tensor_count(const ggufgate_file* file) GGUFGATE_NOEXCEPT;

/* --- keys ----------------------------------------------------------------------------------------
 */

/* Types of values, with their numbers in the file. */
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
  int32_t element_type; /* for an array; otherwise equal to `type` */
  uint64_t count;       /* elements of an array; otherwise 1 */
  uint64_t offset;      /* file offset of the record */
  uint64_t length;      /* bytes of the record */
} ggufgate_key;

/* Returns key `index`. Its name is valid until the file is freed. OUT_OF_RANGE if there are fewer
 * keys. */
GGUFGATE_API ggufgate_status ggufgate_file_key(const ggufgate_file* file, uint64_t index,
                                               ggufgate_key* key) GGUFGATE_NOEXCEPT;
/* Finds a key by its name, in constant time. If several keys have that name, which is possible only
 * in a rejected file, it returns the first. */
GGUFGATE_API ggufgate_status ggufgate_file_find_key(const ggufgate_file* file, const char* name,
                                                    size_t name_size,
                                                    uint64_t* index) GGUFGATE_NOEXCEPT;

/* Value of a key, by its index. Each function accepts the types that it can return without loss:
 * unsigned and signed accept all integers (OUT_OF_RANGE if the number does not fit), real accepts
 * f32 and f64. WRONG_TYPE for other types, OUT_OF_RANGE if there are fewer keys. The bytes of a
 * string are valid until the file is freed. */
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

/* A view of an array. Creating it does not read the elements. */
typedef struct ggufgate_array ggufgate_array;

/* `file` must outlive all use of the array, except ggufgate_array_free(). WRONG_TYPE if the value
 * is not an array, OUT_OF_RANGE if there are fewer keys. */
GGUFGATE_API ggufgate_status ggufgate_file_array(const ggufgate_file* file, uint64_t key,
                                                 ggufgate_array** array) GGUFGATE_NOEXCEPT;
/* Returns element `index` of an array of arrays. The result does not need the outer array. */
GGUFGATE_API ggufgate_status ggufgate_array_array(ggufgate_array* array, uint64_t index,
                                                  ggufgate_array** inner) GGUFGATE_NOEXCEPT;
GGUFGATE_API void ggufgate_array_free(ggufgate_array* array) GGUFGATE_NOEXCEPT;
GGUFGATE_API uint64_t ggufgate_array_count(const ggufgate_array* array) GGUFGATE_NOEXCEPT;
/* Returns GGUFGATE_TYPE_...; for NULL -1. */
GGUFGATE_API int32_t ggufgate_array_type(const ggufgate_array* array) GGUFGATE_NOEXCEPT;
/* Element `index`, with the same errors as for a key above. The first access to a string reads all
 * strings before it. Later accesses to these strings take constant time.
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
/* Returns `count` strings, from string `first` on. `bytes` and `sizes` need room for `count`
 * elements. */
GGUFGATE_API ggufgate_status ggufgate_array_strings(ggufgate_array* array, uint64_t first,
                                                    size_t count, const char** bytes,
                                                    size_t* sizes) GGUFGATE_NOEXCEPT;
/* Returns all elements of an array of numbers or bools as stored in the file: in its byte order,
 * and without alignment. */
GGUFGATE_API ggufgate_status ggufgate_array_view(const ggufgate_array* array, const void** bytes,
                                                 size_t* size) GGUFGATE_NOEXCEPT;

/* --- tensors -------------------------------------------------------------------------------------
 */

enum { GGUFGATE_MOST_DIMENSIONS = 5 };

typedef struct ggufgate_tensor {
  size_t size;      /* sizeof(ggufgate_tensor), set by the caller */
  const char* name; /* bytes */
  size_t name_size;
  uint32_t type;           /* number of the type in the file */
  const char* type_name;   /* text: "Q4_K"; "" for an unknown type */
  uint32_t block_elements; /* 0 for an unknown type */
  uint32_t block_bytes;
  uint32_t dimension_count;
  uint64_t dimensions[GGUFGATE_MOST_DIMENSIONS]; /* the fastest first; unused ones are 1 */
  uint64_t offset;                               /* file offset of its data */
  uint64_t bytes;                                /* size of its data */
  uint64_t elements;                             /* product of the dimensions */
  int32_t readable; /* whether all its data lie in the file. If not (only in rejected files),
                       `offset`, `bytes` and `elements` are 0 */
} ggufgate_tensor;

/* Returns tensor `index`. Its name is valid until the file is freed. OUT_OF_RANGE if there are
 * fewer tensors. */
GGUFGATE_API ggufgate_status ggufgate_file_tensor(const ggufgate_file* file, uint64_t index,
                                                  ggufgate_tensor* tensor) GGUFGATE_NOEXCEPT;
/* Like ggufgate_file_find_key(). */
GGUFGATE_API ggufgate_status ggufgate_file_find_tensor(const ggufgate_file* file, const char* name,
                                                       size_t name_size,
                                                       uint64_t* index) GGUFGATE_NOEXCEPT;
/* Errors of all functions below: OUT_OF_RANGE for a tensor, bytes or elements that do not exist,
 * NOT_ACCEPTED for a tensor that is not readable, IO if a read fails or the file was truncated. */

/* Returns a view of the data of a tensor, valid as long as the memory that the file was opened
 * from. UNSUPPORTED for files that were not opened from memory: use ggufgate_tensor_read(). */
GGUFGATE_API ggufgate_status ggufgate_tensor_view(const ggufgate_file* file, uint64_t tensor,
                                                  const void** bytes,
                                                  size_t* size) GGUFGATE_NOEXCEPT;
/* Reads `size` bytes of the data, from byte `offset` on, into the caller's buffer. */
GGUFGATE_API ggufgate_status ggufgate_tensor_read(const ggufgate_file* file, uint64_t tensor,
                                                  uint64_t offset, void* bytes,
                                                  size_t size) GGUFGATE_NOEXCEPT;
/* Decodes `count` elements, from element `first` on, into the caller's buffer, bit for bit as ggml
 * does. The range need not be aligned to blocks. After an error, the contents of the buffer are
 * unspecified. */
GGUFGATE_API ggufgate_status ggufgate_tensor_floats(const ggufgate_file* file, uint64_t tensor,
                                                    uint64_t first, float* floats,
                                                    size_t count) GGUFGATE_NOEXCEPT;

#if defined(__cplusplus)
}  // extern "C"
#endif

#endif /* GGUFGATE_GGUFGATE_H_ */
