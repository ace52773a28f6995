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

// UriOf returns the name of a file as a URI reference: "models/a%20b.gguf",
// "file:///models/x.gguf". It percent-encodes every byte except letters, digits and "-._~/", so
// that the name can be decoded. It does not change "-", standard input.
[[nodiscard]] std::string UriOf(std::string_view path);

// RuleUri returns the address of a rule's description. `base` is the address of the project's
// files. It is empty if the build has no address (GGUFGATE_PROJECT_URL in CMake).
[[nodiscard]] std::string RuleUri(std::string_view slug, std::string_view base);
[[nodiscard]] std::string_view ProjectUrl();

// SarifRule describes a rule (3.49), with its severity in a profile.
[[nodiscard]] nlohmann::ordered_json SarifRule(const Rule& rule, Profile profile,
                                               std::string_view base = ProjectUrl());

// SarifMessage returns plain text (3.11.3). Braces are doubled (3.11.5), and nothing is a link
// (3.11.6).
[[nodiscard]] nlohmann::ordered_json SarifMessage(std::string_view text);

// SarifArtifact describes a checked file (3.24), for any verdict.
[[nodiscard]] nlohmann::ordered_json SarifArtifact(const FileReport& report);

// SarifLocation returns the location of a whole file (3.28). `artifact` is its index in the run's
// artifacts.
[[nodiscard]] nlohmann::ordered_json SarifLocation(std::string_view path, std::size_t artifact);

// RecordKey names the rule and the record of a finding, without their offset or path. It is the
// same in every run, and after edits elsewhere in the file. Several findings may share it.
[[nodiscard]] std::string RecordKey(const Finding& finding);

// Fingerprint combines such a key with a number that distinguishes findings with the same key.
[[nodiscard]] std::string Fingerprint(std::string_view key, std::uint64_t ordinal);

// SarifResult describes a finding (3.27). `ordinal` counts the findings of the file with the same
// RecordKey; the fingerprint combines both.
[[nodiscard]] nlohmann::ordered_json SarifResult(const Finding& finding, std::string_view path,
                                                 std::size_t artifact, std::uint64_t ordinal);

}  // namespace ggufgate
