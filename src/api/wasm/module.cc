// The exports that judge: see bindings/javascript/src/module.js, which is the other side of each.

#include "api/wasm/module.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "policy/policy_text.h"
#include "report/json_value.h"
#include "report/terminal/file_text.h"
#include "words/escape.h"

using namespace ggufgate;
using module::Answer;
using module::Current;

namespace {

// TextAt is text that JavaScript has put into memory from gate_allocate().
std::string_view TextAt(const char* chars, std::uint32_t size) { return {chars, size}; }

template <typename Enum>
void Choose(Enum& value, std::int32_t number) {
  if (number >= 0) value = static_cast<Enum>(number);
}

std::optional<std::string_view> ProblemOf(const Judging& judging) {
  if (judging.verdict().verdict != Verdict::kUndecided) return std::nullopt;
  return judging.problem();
}

}  // namespace

module::Session& module::Current() {
  static Session session;
  return session;
}

std::uint32_t module::Answer(std::string text) {
  Current().text = std::move(text);
  return static_cast<std::uint32_t>(Current().text.size());
}

// --- memory --------------------------------------------------------------------------------------

GGUFGATE_EXPORT(void*, gate_allocate, std::uint32_t size) { return ::operator new(size); }
GGUFGATE_EXPORT(void, gate_release, void* memory) { ::operator delete(memory); }

// gate_text is the text that the last answer is about; it stays until the next.
GGUFGATE_EXPORT(const char*, gate_text) { return Current().text.data(); }

// --- judging -------------------------------------------------------------------------------------

// gate_begin takes numbers of the policy's enumerations, in their order; -1: as the profile has it.
// Which there are is looked at by the caller, who knows their names.
GGUFGATE_EXPORT(void, gate_begin, std::uint64_t size, std::int32_t profile, std::int32_t data,
                std::int32_t fail_on, std::int32_t target, std::int32_t findings_per_rule) {
  Policy policy = PolicyFor(static_cast<Profile>(profile));
  Choose(policy.data, data);
  Choose(policy.fail_on, fail_on);
  Choose(policy.target, target);
  if (findings_per_rule > 0) {
    policy.findings_per_rule =
        std::min(static_cast<std::size_t>(findings_per_rule), kMostFindingsPerRule);
  }
  Current() = {};
  Current().judging = std::make_unique<Judging>(size, std::move(policy));
}

// gate_step gives 0 when the file is judged, 1 when a range is wanted, 2 when it is undecided.
GGUFGATE_EXPORT(std::int32_t, gate_step) {
  return static_cast<std::int32_t>(Current().judging->Step());
}
GGUFGATE_EXPORT(std::uint64_t, gate_wanted_offset) { return Current().judging->wanted().begin; }
GGUFGATE_EXPORT(std::uint32_t, gate_wanted_size) {
  return static_cast<std::uint32_t>(Current().judging->wanted().size);
}
GGUFGATE_EXPORT(std::uint8_t*, gate_room) { return Current().judging->room().data(); }

// --- what a report says besides ------------------------------------------------------------------

GGUFGATE_EXPORT(void, gate_set_path, const char* path, std::uint32_t size) {
  Current().judging->verdict().path = TextAt(path, size);
}
GGUFGATE_EXPORT(void, gate_set_identity, std::uint64_t device, std::uint64_t inode,
                std::int64_t modified_ns, std::int64_t changed_ns) {
  Identity& identity = Current().judging->verdict().identity;
  identity = {.size = identity.size,
              .device = device,
              .inode = inode,
              .modified_ns = modified_ns,
              .changed_ns = changed_ns};
}
GGUFGATE_EXPORT(void, gate_set_elapsed, std::int64_t nanoseconds) {
  Current().judging->verdict().elapsed = std::chrono::nanoseconds(nanoseconds);
}
// gate_set_undecided takes the verdict back: what was read is not one file.
GGUFGATE_EXPORT(void, gate_set_undecided, const char* why, std::uint32_t size) {
  Current().judging->TakeBack(TextAt(why, size));
}

// --- reports, as the command writes them ---------------------------------------------------------

// gate_file_json is the file in `--format json`.
GGUFGATE_EXPORT(std::uint32_t, gate_file_json) {
  const Judging& judging = *Current().judging;
  return Answer(JsonText(JsonOf(judging.verdict(), ProblemOf(judging))));
}
// gate_json_head is what stands before the first file; the facts of the run, where there are any.
GGUFGATE_EXPORT(std::uint32_t, gate_json_head, const char* time, std::uint32_t time_size,
                const char* digest, std::uint32_t digest_size) {
  std::optional<RunFacts> run;
  if (time_size > 0) {
    run = RunFacts{.time = std::string(TextAt(time, time_size)),
                   .policy_sha256 = std::string(TextAt(digest, digest_size))};
  }
  return Answer(JsonHead(Current().judging->policy(), run));
}
// gate_policy is the policy in force, as `ggufgate policy print` writes it.
GGUFGATE_EXPORT(std::uint32_t, gate_policy) {
  return Answer(PolicyText(Current().judging->policy()));
}
// gate_file_text is the file in `--format text`.
GGUFGATE_EXPORT(std::uint32_t, gate_file_text, std::int32_t colour, std::int32_t quiet,
                std::int32_t verbose, std::uint32_t columns) {
  const Judging& judging = *Current().judging;
  std::string out;
  const FileText text(
      {.colour = colour != 0, .quiet = quiet != 0, .verbose = verbose != 0, .columns = columns},
      [&out](std::string_view some) { out += some; });
  text.Add(judging.verdict(), judging.problem());
  return Answer(std::move(out));
}
// gate_escape makes hostile text fit to be shown.
GGUFGATE_EXPORT(std::uint32_t, gate_escape, const char* text, std::uint32_t size) {
  return Answer(EscapeText(TextAt(text, size)));
}
