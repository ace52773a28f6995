// C++ interface of the gate: is a GGUF file safe to load, and if not, which byte is wrong?
//
// If memory runs out, a function returns kUndecided or throws std::bad_alloc. It throws nothing
// else. A check runs in the calling process, without confinement, second opinion or time limit. A
// failed assertion aborts the process. Load a file only after kAccept, and load the bytes that were
// checked: by the descriptor that was checked, or from memory. After the check, the path may name
// another file.
#ifndef GGUFGATE_GATE_H_
#define GGUFGATE_GATE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ggufgate::gate {

enum class Verdict : std::uint8_t {
  kAccept,     // no error found
  kReject,     // a fact about the bytes makes loading unsafe
  kUndecided,  // no answer: I/O error, out of memory, or the file changed during the check
};

enum class Severity : std::uint8_t { kNote, kWarning, kError };

// Finding is one violation of a rule. All text is escaped, so it is safe to print on a terminal,
// and text from the file cannot be mistaken for text of the report.
struct Finding {
  std::string rule;  // name of the rule (docs/rules.md); stable within a major version
  Severity severity = Severity::kError;
  std::uint64_t offset = 0;  // file offset that the finding is about
  std::string place;         // the record: "tokenizer.ggml.tokens[431]"
  std::string message;       // the wrong value, and the limit
};

struct Report {
  Verdict verdict = Verdict::kUndecided;
  std::string problem;  // the reason for kUndecided
  std::vector<Finding> findings;
};

// Tensors selects how much of the tensor data is checked.
enum class Tensors : std::uint8_t { kNone, kScales, kFull };

struct Options {
  Tensors tensors = Tensors::kNone;
};

// CheckPath checks a regular file.
[[nodiscard]] Report CheckPath(const std::string& path, const Options& options = {});
// CheckDescriptor checks a regular file or a pipe. The file offset of a regular file must be 0. A
// pipe is read to its end. The descriptor stays open and belongs to the caller.
[[nodiscard]] Report CheckDescriptor(int descriptor, const Options& options = {});
// CheckMemory checks bytes in memory. They must not change during the call.
[[nodiscard]] Report CheckMemory(std::span<const std::byte> file, const Options& options = {});

}  // namespace ggufgate::gate

#endif  // GGUFGATE_GATE_H_
