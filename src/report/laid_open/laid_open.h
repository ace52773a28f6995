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

// These functions show the bytes of a file with their meaning. `report` is the verdict on the file.

// LayOpenAsHtml writes one self-contained page. For a large file it includes only the beginning,
// the bytes around findings and the beginnings of tensors, up to a few megabytes, and says so. It
// returns an error if the bytes cannot be read.
[[nodiscard]] absl::Status LayOpenAsHtml(const Document& document, const ByteSource& source,
                                         const FileReport& report, std::ostream& out);

// ShowAtAsText and ShowAtAsJson describe one byte of the file, which must exist: region, field,
// meaning, and the bytes around it. The JSON is one object with schema ggufgate.at/1.
[[nodiscard]] absl::Status ShowAtAsText(const Document& document, const ByteSource& source,
                                        const std::string& path, std::uint64_t offset,
                                        std::ostream& out);
[[nodiscard]] absl::Status ShowAtAsJson(const Document& document, const ByteSource& source,
                                        const std::string& path, std::uint64_t offset,
                                        std::ostream& out);

}  // namespace ggufgate
