#pragma once

// What the targets ask the gate, and what holds of every answer.

#include <array>

#include "bytes/bytes.h"
#include "check/check.h"
#include "parse/document.h"

namespace ggufgate {

// By number, so that a new profile is among them.
inline constexpr std::array kAllProfiles = [] {
  std::array<Profile, kProfileCount> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all.at(i) = static_cast<Profile>(i);
  return all;
}();

}  // namespace ggufgate

namespace ggufgate::fuzz {

// Judgement is a verdict with the document it is about, which views the file.
struct Judgement {
  Document document;
  CheckResult checked;

  [[nodiscard]] bool Rejected() const { return checked.Worst() >= Severity::kError; }
};

[[nodiscard]] Judgement Judge(Bytes file, const Policy& policy = {});

// RequireSound asserts what holds of every verdict, whatever the bytes.
void RequireSound(const Judgement& judged, Bytes file, const Policy& policy = {});

// RequireSame asserts that two verdicts are one.
void RequireSame(const CheckResult& a, const CheckResult& b);

}  // namespace ggufgate::fuzz
