#pragma once

// Calls of the gate by the fuzz targets, and properties of every answer.

#include <array>

#include "bytes/bytes.h"
#include "check/check.h"
#include "parse/document.h"

namespace ggufgate {

// By number, so that it includes new profiles.
inline constexpr std::array kAllProfiles = [] {
  std::array<Profile, kProfileCount> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all.at(i) = static_cast<Profile>(i);
  return all;
}();

}  // namespace ggufgate

namespace ggufgate::fuzz {

// Judgement is a verdict with its document, which views the file.
struct Judgement {
  Document document;
  CheckResult checked;

  [[nodiscard]] bool Rejected() const { return checked.Worst() >= Severity::kError; }
};

[[nodiscard]] Judgement Judge(Bytes file, const Policy& policy = {});

// RequireSound asserts properties of every verdict, for any bytes.
void RequireSound(const Judgement& judged, Bytes file, const Policy& policy = {});

// RequireSame asserts that two verdicts are equal.
void RequireSame(const CheckResult& a, const CheckResult& b);

}  // namespace ggufgate::fuzz
