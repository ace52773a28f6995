#pragma once

// Detection of other file formats. Not for users of the library.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "bytes/bytes.h"
#include "check/cause/cause.h"

namespace ggufgate {

// ForeignFile recognises other files by their first bytes: a web page or pointer file that was
// saved under the model's name, an archive, another format.
[[nodiscard]] Cause ForeignFile(Bytes head, std::uint64_t file_size);

// IsPickle recognises a Python pickle: its protocol (2 to 5), then an opcode that begins a value.
[[nodiscard]] bool IsPickle(std::string_view text);

// Embedded is a file of another format inside this file; `what` is empty if there is none.
struct Embedded {
  std::string_view what = {};
  bool certain = false;  // the match is too long to be chance in weights
};

// FindEmbedded recognises a zip archive, a program (ELF, PE) or a pickle at the start of `head`.
// The file has `left` bytes from there on. `head` should have kEmbeddedHead bytes.
[[nodiscard]] Embedded FindEmbedded(Bytes head, std::uint64_t left);
inline constexpr std::size_t kEmbeddedHead = 4096;

// ZipEnd is the record at the end of a zip archive.
struct ZipEnd {
  std::uint64_t from_end = 0;         // bytes from the record to the end of the file
  std::uint64_t directory_bytes = 0;  // size of the directory, which ends right before the record
};
// FindZipEnd finds the end record of an archive that has entries and whose comment ends with the
// file.
[[nodiscard]] std::optional<ZipEnd> FindZipEnd(Bytes tail);
inline constexpr std::size_t kZipTail = 22 + 65'535;  // the record, and the longest comment
// IsZipDirectory returns whether `head` begins with an entry of a zip directory.
[[nodiscard]] bool IsZipDirectory(Bytes head);

}  // namespace ggufgate
