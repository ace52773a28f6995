// C++ interface of the gate: is a GGUF file safe to load, and if not, which byte is wrong?
//
// Nothing here throws but std::bad_alloc. Only kAccept means: load it, and load what was judged: by
// the descriptor that was checked, or from the memory. A path may name another file by then.
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
  kReject,     // a fact about the bytes speaks against loading
  kUndecided,  // the machine failed: input and output, memory, a file that changed meanwhile
};

enum class Severity : std::uint8_t { kNote, kWarning, kError };

// Finding is one breach of a rule. All text is escaped: safe for a terminal, with nothing of the
// file in it that could be taken for something else.
struct Finding {
  std::string rule;  // its stable name, as in docs/rules.md
  Severity severity = Severity::kError;
  std::uint64_t offset = 0;  // of the byte that is wrong
  std::string place;         // the record: "tokenizer.ggml.tokens[431]"
  std::string message;       // what was found, and what is allowed
};

struct Report {
  Verdict verdict = Verdict::kUndecided;
  std::string problem;  // why kUndecided
  std::vector<Finding> findings;
};

// Tensors tells how much of the tensor data is looked at.
enum class Tensors : std::uint8_t { kNone, kScales, kFull };

struct Options {
  Tensors tensors = Tensors::kNone;
};

// CheckPath judges the regular file that a path names.
[[nodiscard]] Report CheckPath(const std::string& path, const Options& options = {});
// CheckDescriptor judges what an open descriptor gives: a regular file or a pipe, which is read to
// its end. The descriptor stays open and belongs to the caller.
[[nodiscard]] Report CheckDescriptor(int descriptor, const Options& options = {});
// CheckMemory judges bytes that nobody changes meanwhile.
[[nodiscard]] Report CheckMemory(std::span<const std::byte> file, const Options& options = {});

}  // namespace ggufgate::gate

#endif  // GGUFGATE_GATE_H_
