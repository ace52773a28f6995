#pragma once

// What a program wrote, looked at as a terminal, a person and a program would.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace ggufgate::testing {

// IsHarmless holds for text that is UTF-8, and has no control character but the line feed and no
// character that is invisible or reorders others, nor a command that a log has in the middle of a
// line. It keeps its own list of them.
[[nodiscard]] ::testing::AssertionResult IsHarmless(std::string_view text);

// FitsSchema holds for a JSON document that docs/schema/<name>.schema.json describes.
[[nodiscard]] ::testing::AssertionResult FitsSchema(const std::string& document,
                                                    const std::string& name);

// FitsSchemaByLine holds when each line is a JSON document that a definition of that schema
// describes.
[[nodiscard]] ::testing::AssertionResult FitsSchemaByLine(const std::string& document,
                                                          const std::string& name,
                                                          const std::string& definition);

// FitsSarif and FitsJunit ask the standard validators about the published schemas, which
// scripts/fetch-reference fetches. HaveSchemas is false where it could not.
[[nodiscard]] ::testing::AssertionResult FitsSarif(const std::string& document);
[[nodiscard]] ::testing::AssertionResult FitsJunit(const std::string& document);
[[nodiscard]] bool HaveSchemas();
inline constexpr const char* kNoSchemas =
    "no published schemas: scripts/fetch-reference fetches them into build/schemas";

// CanValidate is false where Python has no jsonschema: then FitsSchema() never holds.
[[nodiscard]] bool CanValidate();

// Lines are the lines of a text, without their ends.
[[nodiscard]] std::vector<std::string> Lines(std::string_view text);

// WithoutTimes replaces what differs from run to run ("3.1 ms", "elapsed_ms":4.85, the hour of
// the run) by "TIME".
[[nodiscard]] std::string WithoutTimes(const std::string& text);

}  // namespace ggufgate::testing
