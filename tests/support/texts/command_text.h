#pragma once

// Checks of a program's output, from the view of a terminal, a person and a program.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace ggufgate::testing {

// IsHarmless holds for UTF-8 text without control characters except the line feed, without
// characters that are invisible or reorder others, and without commands in the middle of a line. It
// has a separate list of these.
[[nodiscard]] ::testing::AssertionResult IsHarmless(std::string_view text);

// FitsSchema holds for a JSON document that matches docs/schema/<name>.schema.json.
[[nodiscard]] ::testing::AssertionResult FitsSchema(const std::string& document,
                                                    const std::string& name);

// FitsSchemaByLine holds if each line is a JSON document that matches a definition of that schema.
[[nodiscard]] ::testing::AssertionResult FitsSchemaByLine(const std::string& document,
                                                          const std::string& name,
                                                          const std::string& definition);

// FitsSarif and FitsJunit use the standard validators with the published schemas, which
// scripts/fetch-reference fetches. HaveSchemas returns false if it could not fetch them.
[[nodiscard]] ::testing::AssertionResult FitsSarif(const std::string& document);
[[nodiscard]] ::testing::AssertionResult FitsJunit(const std::string& document);
[[nodiscard]] bool HaveSchemas();
inline constexpr const char* kNoSchemas =
    "no published schemas: scripts/fetch-reference fetches them into build/schemas";

// CanValidate returns false if Python lacks jsonschema: then FitsSchema() never holds.
[[nodiscard]] bool CanValidate();

// Lines returns the lines of a text, without their ends.
[[nodiscard]] std::vector<std::string> Lines(std::string_view text);

// WithoutTimes replaces the parts that differ from run to run ("3.1 ms", "elapsed_ms":4.85, the
// time of the run) by "TIME".
[[nodiscard]] std::string WithoutTimes(const std::string& text);

}  // namespace ggufgate::testing
