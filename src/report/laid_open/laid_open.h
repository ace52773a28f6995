#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "bytes/byte_source.h"
#include "gate/file_report.h"
#include "parse/document.h"

namespace ggufgate {

// A file laid open: its bytes with what they mean. `report` is the verdict on the file.

// LayOpenAsHtml writes one page that holds all it needs. Of a large file it has the beginning, and
// the bytes around findings and where tensors begin, up to a few megabytes, and says so. An error
// when the bytes cannot be read.
[[nodiscard]] absl::Status LayOpenAsHtml(const Document& document, const ByteSource& source,
                                         const FileReport& report, std::ostream& out);

// ShowAt tells of one byte of the file, which there must be: region, field, meaning, and the bytes
// around; as text, or as one JSON object of schema ggufgate.at/1.
[[nodiscard]] absl::Status ShowAtAsText(const Document& document, const ByteSource& source,
                                        const std::string& path, std::uint64_t offset,
                                        std::ostream& out);
[[nodiscard]] absl::Status ShowAtAsJson(const Document& document, const ByteSource& source,
                                        const std::string& path, std::uint64_t offset,
                                        std::ostream& out);

}  // namespace ggufgate
