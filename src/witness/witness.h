#pragma once

// A second reader and judge of GGUF files, deliberately naive: slow, obvious, and written from the
// published format and docs/rules.md alone. It shares nothing with the other rooms, not even a
// header, so that what one of the two has wrong the other has not. fuzz/targets/differential.cc
// holds them against each other, and `ggufgate check --second-opinion` accepts nothing that it does
// not.
//
// It names what it finds by the rules of docs/rules.md, of which it knows those about the
// structure: container, metadata, tensor directory and data layout.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace witness {

// Numbers in which no product or sum of two 64-bit numbers wraps.
__extension__ typedef unsigned __int128 Wide;

// Reading is by whose rules a file is judged: the profiles of the gate.
enum class Reading : std::uint8_t { kGate, kLlamaCpp, kSpec, kDiffusion };

// Entry is one metadata record that was read whole. Places are counted from the start of the file.
struct Entry {
  std::string key;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint32_t type = 0;
  std::uint64_t contents = 0;        // where the number, the characters or the elements begin
  std::uint32_t element_type = 0;    // arrays
  std::uint64_t count = 0;           // arrays
  std::uint32_t depth = 0;           // arrays: 1; arrays of arrays: 2; …
  std::vector<std::string> texts;    // the string, or the strings in arrays
  std::vector<std::uint64_t> bools;  // the same of bools
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

// File is what was understood, up to where nothing could be understood any more.
struct File {
  std::uint32_t version = 0;
  bool big_endian = false;
  std::uint64_t tensor_count = 0;
  std::uint64_t metadata_count = 0;
  std::vector<Entry> entries;
  std::vector<Tensor> tensors;
  std::uint64_t end = 0;  // of what was read
  bool whole = false;     // everything up to the end of the tensor directory was read
  bool beyond = false;    // reading came to bytes that it was not given
  bool aligned = false;   // whether `alignment` is known
  std::uint64_t alignment = 0;
  std::uint64_t data = 0;  // where the data section begins; of a whole file with an alignment
};

// Complaint is one breach of one rule.
struct Complaint {
  const char* rule;          // its name in docs/rules.md
  std::uint64_t record = 0;  // of the metadata entry or tensor, counted from 0
  bool fatal = true;         // makes the file unsound; otherwise a warning or a note
};

struct Verdict {
  File file;
  std::vector<Complaint> complaints;

  [[nodiscard]] bool Sound() const;
  // Says tells whether a rule is complained of; only as fatal, if so asked.
  [[nodiscard]] bool Says(const std::string& rule, bool fatal = false) const;
  // SaysOf asks for a complaint about one record.
  [[nodiscard]] bool SaysOf(const std::string& rule, std::uint64_t record) const;
};

// IsTypeOfOllama is true of a complaint about tensor type 4 in a model of "gptoss": Ollama's MXFP4.
[[nodiscard]] bool IsTypeOfOllama(const Complaint& complaint, const File& file);

// Judge reads and judges any bytes.
[[nodiscard]] Verdict Judge(std::span<const std::uint8_t> bytes, Reading reading = Reading::kGate);

// JudgeFront judges a file of `file_size` bytes by those at its front. When the front ends before
// the metadata do, the verdict is about what it holds and file.beyond is set. Padding and what
// follows the model are looked at only when the front is all of the file.
[[nodiscard]] Verdict JudgeFront(std::span<const std::uint8_t> front, std::uint64_t file_size,
                                 Reading reading = Reading::kGate);

// Rules are the names of all rules that Judge knows.
[[nodiscard]] std::vector<std::string> Rules();

// What Judge is made of. Read complains of what cannot be read, the others of what can.
void Read(std::span<const std::uint8_t> front, std::uint64_t file_size, Verdict& verdict);
void JudgeNames(Reading reading, Verdict& verdict);
void JudgeLayout(std::span<const std::uint8_t> front, std::uint64_t file_size, Reading reading,
                 Verdict& verdict);

// Say adds a complaint, unless the rule is off in this reading.
void Say(const char* rule, std::uint64_t record, bool at_most_note, Reading reading,
         Verdict& verdict);

}  // namespace witness
