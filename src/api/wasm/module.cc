// The exports that check a file. bindings/javascript/src/module.js calls each of them.

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

// TextAt returns a text that JavaScript has copied into memory from gate_allocate().
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

// gate_text returns the text of the last answer. It is valid until the next one.
GGUFGATE_EXPORT(const char*, gate_text) { return Current().text.data(); }

// --- judging -------------------------------------------------------------------------------------

// gate_begin takes the numbers of the policy's enumerators; -1 means the default of the profile.
// The caller, which knows their names, checks that they exist.
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

// gate_step returns 0 if the verdict is known, 1 if it needs a range, 2 if the file is undecided.
GGUFGATE_EXPORT(std::int32_t, gate_step) {
  return static_cast<std::int32_t>(Current().judging->Step());
}
GGUFGATE_EXPORT(std::uint64_t, gate_wanted_offset) { return Current().judging->wanted().begin; }
GGUFGATE_EXPORT(std::uint32_t, gate_wanted_size) {
  return static_cast<std::uint32_t>(Current().judging->wanted().size);
}
GGUFGATE_EXPORT(std::uint8_t*, gate_room) { return Current().judging->room().data(); }

// --- further fields of a report ------------------------------------------------------------------

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
// gate_set_undecided withdraws the verdict: the bytes do not come from one unchanged file.
GGUFGATE_EXPORT(void, gate_set_undecided, const char* why, std::uint32_t size) {
  Current().judging->TakeBack(TextAt(why, size));
}

// --- reports, as the command writes them ---------------------------------------------------------

// gate_file_json returns the file in the format of `--format json`.
GGUFGATE_EXPORT(std::uint32_t, gate_file_json) {
  const Judging& judging = *Current().judging;
  return Answer(JsonText(JsonOf(judging.verdict(), judging.policy(), ProblemOf(judging))));
}
// gate_json_head returns the text before the first file, with the facts of the run if there are
// any.
GGUFGATE_EXPORT(std::uint32_t, gate_json_head, const char* time, std::uint32_t time_size,
                const char* digest, std::uint32_t digest_size) {
  std::optional<RunFacts> run;
  if (time_size > 0) {
    run = RunFacts{.time = std::string(TextAt(time, time_size)),
                   .policy_sha256 = std::string(TextAt(digest, digest_size))};
  }
  return Answer(JsonHead(Current().judging->policy(), run));
}
// gate_policy returns the policy that was used, in the format of `ggufgate policy print`.
GGUFGATE_EXPORT(std::uint32_t, gate_policy) {
  return Answer(PolicyText(Current().judging->policy()));
}
// gate_file_text returns the file in the format of `--format text`.
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
// gate_escape escapes untrusted text for display.
GGUFGATE_EXPORT(std::uint32_t, gate_escape, const char* text, std::uint32_t size) {
  return Answer(EscapeText(TextAt(text, size)));
}
