#include "cli/check/run_facts.h"

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "bytes/memory_source.h"
#include "gate/confine/confine.h"
#include "gate/reading/digest.h"
#include "policy/policy_text.h"

namespace ggufgate {
namespace {

using Seconds = std::chrono::sys_seconds;

// SetTime returns the value of SOURCE_DATE_EPOCH, or nullopt if it is not a time in the years 1970
// to 9999.
std::optional<Seconds> SetTime() {
  const char* variable = std::getenv("SOURCE_DATE_EPOCH");
  if (variable == nullptr) return std::nullopt;
  constexpr std::uint32_t kDigits = 10;  // more digits would overflow
  const std::string_view text(variable);
  std::int64_t seconds = 0;
  const char* const end = std::to_address(text.end());
  const auto [stop, error] = std::from_chars(std::to_address(text.begin()), end, seconds);
  if (text.size() > kDigits || seconds < 0 || error != std::errc() || stop != end) {
    return std::nullopt;
  }
  return Seconds(std::chrono::seconds(seconds));
}

// InWords formats a time itself, because the C library would read the time zone's file.
std::string InWords(Seconds time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  const auto two = [](auto number) { return absl::Dec(number, absl::kZeroPad2); };
  // Not StrFormat(), which aborts the program if memory runs out.
  return absl::StrCat(absl::Dec(static_cast<int>(date.year()), absl::kZeroPad4), "-",
                      two(static_cast<unsigned>(date.month())), "-",
                      two(static_cast<unsigned>(date.day())), "T", two(clock.hours().count()), ":",
                      two(clock.minutes().count()), ":", two(clock.seconds().count()), "Z");
}

}  // namespace

absl::StatusOr<RunFacts> FactsBefore() {
  const Seconds now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const absl::StatusOr<ConfinementInForce> confinement = AskForConfinement();
  if (!confinement.ok()) return confinement.status();
  return RunFacts{.time = InWords(SetTime().value_or(now)),
                  .policy_sha256 = {},
                  .system_calls_confined = confinement->system_calls,
                  .files_confined = confinement->files};
}

RunFacts WithPolicy(RunFacts facts, const Policy& policy) {
  std::ostringstream text;
  // Otherwise a text that was cut by lack of memory would count as complete.
  text.exceptions(std::ios::badbit);
  PrintPolicy(policy, text);
  const std::string written = text.str();
  facts.policy_sha256 = Sha256Of(MemorySource(AsBytes(written))).value();
  return facts;
}

}  // namespace ggufgate
