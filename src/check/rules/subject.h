#pragma once

#include <cstdint>
#include <string_view>

#include "check/finding.h"
#include "parse/document.h"

namespace ggufgate {

// Subjects: the records that findings are about.
[[nodiscard]] Subject SubjectOf(const Place& place);
[[nodiscard]] Subject FileSubject();
[[nodiscard]] Subject MetadataSubject(const Document& document, const MetadataEntry& entry,
                                      std::uint64_t element = Place::kNoElement);
[[nodiscard]] Subject TensorSubject(const Document& document, const TensorInfo& tensor);

// TextFact copies text from the file, cut after Subject::kLongestText bytes.
[[nodiscard]] Fact TextFact(std::string_view text);

}  // namespace ggufgate
