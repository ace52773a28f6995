#pragma once

// Not for users of the library.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "bytes/bytes.h"
#include "check/cause/cause.h"

namespace ggufgate {

// ForeignFile recognises, by its first bytes, what is no GGUF file at all: a page or pointer that
// was saved under the model's name, an archive, another format.
[[nodiscard]] Cause ForeignFile(Bytes head, std::uint64_t file_size);

// IsPickle: a Python pickle says its protocol, 2 to 5, and goes on with what can begin a value.
[[nodiscard]] bool IsPickle(std::string_view text);

// Embedded is another kind of file that begins within this one; `what` is empty where none does.
struct Embedded {
  std::string_view what = {};
  bool certain = false;  // more agrees than chance would give in weights
};

// FindEmbedded recognises what `head` begins with: a zip archive, a program (ELF, PE), a pickle. Of
// `left` bytes of the file from there on, `head` should hold kEmbeddedHead.
[[nodiscard]] Embedded FindEmbedded(Bytes head, std::uint64_t left);
inline constexpr std::size_t kEmbeddedHead = 4096;

// ZipEnd is the record at the end of a zip archive, as it stands in the last bytes of a file.
struct ZipEnd {
  std::uint64_t from_end = 0;         // bytes from the record to the end of the file
  std::uint64_t directory_bytes = 0;  // of the directory, which stands right before the record
};
// FindZipEnd looks for one of an archive with entries, whose comment ends with the file.
[[nodiscard]] std::optional<ZipEnd> FindZipEnd(Bytes tail);
inline constexpr std::size_t kZipTail = 22 + 65'535;  // the record, and the longest comment
// IsZipDirectory tells whether `head` begins with an entry of the directory.
[[nodiscard]] bool IsZipDirectory(Bytes head);

}  // namespace ggufgate
