#pragma once

// The parts of a SARIF log. Source: Static Analysis Results Interchange Format (SARIF)
// Version 2.1.0 Plus Errata 01, OASIS; the numbers in comments are its sections.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "check/finding.h"
#include "check/policy.h"
#include "check/rule.h"
#include "gate/file_report.h"

namespace ggufgate {

// UriOf is the name of a file as a URI reference: "models/a%20b.gguf", "file:///models/x.gguf". All
// but letters, digits and "-._~/" is percent-encoded, byte for byte, so that the name can be told
// from it. "-", standard input, stays.
[[nodiscard]] std::string UriOf(std::string_view path);

// RuleUri is where a rule is described, on the page that `base`, the address of the project's
// files, has of them. Empty where the build was not told of an address (GGUFGATE_PROJECT_URL in
// CMake).
[[nodiscard]] std::string RuleUri(std::string_view slug, std::string_view base);
[[nodiscard]] std::string_view ProjectUrl();

// SarifRule describes a rule (3.49), with its severity in a profile.
[[nodiscard]] nlohmann::ordered_json SarifRule(const Rule& rule, Profile profile,
                                               std::string_view base = ProjectUrl());

// SarifMessage is plain text (3.11.3), in which braces are doubled (3.11.5) and nothing reads as a
// link (3.11.6).
[[nodiscard]] nlohmann::ordered_json SarifMessage(std::string_view text);

// SarifArtifact is a file that was judged (3.24), whatever the verdict.
[[nodiscard]] nlohmann::ordered_json SarifArtifact(const FileReport& report);

// SarifLocation is a file as a whole (3.28). `artifact` is its index in the run's artifacts.
[[nodiscard]] nlohmann::ordered_json SarifLocation(std::string_view path, std::size_t artifact);

// RecordKey names rule and record of a finding, wherever the file and the record lie: the same in
// every run, and after edits elsewhere in the file. Findings may share it.
[[nodiscard]] std::string RecordKey(const Finding& finding);

// Fingerprint is made of such a key and a number that tells apart what shares it.
[[nodiscard]] std::string Fingerprint(std::string_view key, std::uint64_t ordinal);

// SarifResult is a finding (3.27). `ordinal` counts those of the file that share its RecordKey; the
// fingerprint is made of both.
[[nodiscard]] nlohmann::ordered_json SarifResult(const Finding& finding, std::string_view path,
                                                 std::size_t artifact, std::uint64_t ordinal);

}  // namespace ggufgate
