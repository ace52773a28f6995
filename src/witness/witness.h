#pragma once

// A second parser and checker of GGUF files. It is deliberately simple and slow, and written only
// from the published format and docs/rules.md. It shares no code with the other modules, not even a
// header, so that it does not repeat their errors. fuzz/targets/differential.cc compares both, and
// `ggufgate check --second-opinion` accepts only files that both accept.
//
// It reports the rules of docs/rules.md, and knows only those about the structure: container,
// metadata, tensor directory and data layout.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace witness {

// A number type in which products and sums of two 64-bit numbers cannot overflow.
__extension__ typedef unsigned __int128 Wide;

// Reading selects the rules: the profiles of the gate.
enum class Reading : std::uint8_t { kGate, kLlamaCpp, kSpec, kDiffusion };

// Entry is one completely read metadata record. Offsets are counted from the start of the file.
struct Entry {
  std::string key;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint32_t type = 0;
  std::uint64_t contents = 0;        // offset of the number, the characters or the elements
  std::uint32_t element_type = 0;    // arrays
  std::uint64_t count = 0;           // arrays
  std::uint32_t depth = 0;           // arrays: 1; arrays of arrays: 2; and so on
  std::vector<std::string> texts;    // the string, or the strings in arrays
  std::vector<std::uint64_t> bools;  // the bool, or the bools in arrays
  bool has_natural = false;          // a bool, or an integer of 0 or more
  std::uint64_t natural = 0;
};

struct Tensor {
  std::string name;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::vector<std::uint64_t> dims;
  std::uint32_t type = 0;
  std::uint64_t offset = 0;
  bool sized = false;  // whether `bytes` is known
  std::uint64_t bytes = 0;
};

// File is the parsed part of a file, up to the first error.
struct File {
  std::uint32_t version = 0;
  bool big_endian = false;
  std::uint64_t tensor_count = 0;
  std::uint64_t metadata_count = 0;
  std::vector<Entry> entries;
  std::vector<Tensor> tensors;
  std::uint64_t end = 0;  // end of the parsed part
  bool whole = false;     // everything up to the end of the tensor directory was read
  bool beyond = false;    // parsing needs bytes after the front
  bool aligned = false;   // whether `alignment` is known
  std::uint64_t alignment = 0;
  std::uint64_t data = 0;  // offset of the data section; only if whole and aligned
};

// Complaint is one violation of one rule.
struct Complaint {
  const char* rule;          // its name in docs/rules.md
  std::uint64_t record = 0;  // of the metadata entry or tensor, counted from 0
  bool fatal = true;         // rejects the file; otherwise a warning or a note
};

struct Verdict {
  File file;
  std::vector<Complaint> complaints;

  [[nodiscard]] bool Sound() const;
  // Says tells whether there is a complaint about a rule; with `fatal`, a fatal one.
  [[nodiscard]] bool Says(const std::string& rule, bool fatal = false) const;
  // SaysOf tells whether there is a complaint about one record.
  [[nodiscard]] bool SaysOf(const std::string& rule, std::uint64_t record) const;
};

// IsTypeOfOllama is true of a complaint about tensor type 4 in a model of "gptoss": Ollama's MXFP4.
[[nodiscard]] bool IsTypeOfOllama(const Complaint& complaint, const File& file);

// Judge reads and judges any bytes.
[[nodiscard]] Verdict Judge(std::span<const std::uint8_t> bytes, Reading reading = Reading::kGate);

// JudgeFront checks a file of `file_size` bytes by the bytes at its front. If the front ends before
// the metadata do, the verdict covers only the front, and file.beyond is set. It checks padding,
// and bytes after the model, only if the front is the whole file.
[[nodiscard]] Verdict JudgeFront(std::span<const std::uint8_t> front, std::uint64_t file_size,
                                 Reading reading = Reading::kGate);

// Rules returns the names of all rules that Judge knows.
[[nodiscard]] std::vector<std::string> Rules();

// The steps of Judge. Read reports parse errors; the others check the parsed file.
void Read(std::span<const std::uint8_t> front, std::uint64_t file_size, Verdict& verdict);
void JudgeNames(Reading reading, Verdict& verdict);
void JudgeLayout(std::span<const std::uint8_t> front, std::uint64_t file_size, Reading reading,
                 Verdict& verdict);

// Say adds a complaint, unless the rule is off in this reading.
void Say(const char* rule, std::uint64_t record, bool at_most_note, Reading reading,
         Verdict& verdict);

}  // namespace witness
