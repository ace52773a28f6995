// TemplateScope: names that macros, blocks and loops write besides their arguments. A call of them
// in a loop returns such a name: `ns.a = m(ns.a)` doubles if m writes ns.a before its argument.

#include <algorithm>

#include "jinja/scope.h"

namespace ggufgate {

namespace {

// The largest number that fits into a slot; no template is long enough for more.
constexpr std::uint32_t kMostSpaces = (1U << 26U) - 1;

}  // namespace

void TemplateScope::CheckCaller(const TemplateValue& kept) {
  if (kept.caller)
    Add({.kind = TemplateRemark::Kind::kTaken, .at = at, .size = 2, .name = "caller"});
}

void TemplateScope::MakeSpace(std::string_view name, const TemplateValue& value) {
  const std::size_t slot = VariableSlot(name);
  if (slot == kNoSlot) return;
  // If the namespace has another name, the value has that name as a part.
  const bool fresh = value.namespaces > 0 &&
                     std::ranges::none_of(value.parts, [](const TemplateValue::Part& part) {
                       return part.whole && part.inside == 0;
                     });
  slots_.at(slot).space = 0;
  if (!fresh) return;
  slots_.at(slot).space = static_cast<std::uint32_t>(spaces_.size()) & kMostSpaces;
  spaces_.push_back({.branch = branch(), .last = branch_, .at = at, .clean = value.parts.empty()});
}

bool TemplateScope::MadeSpace(std::string_view name) const {
  const std::size_t slot = VariableSlot(name);
  return slot != kNoSlot && macro != kNoSlot && SpaceOf(slot).has_value();
}

std::optional<TemplateScope::NewSpace> TemplateScope::SpaceOf(std::size_t slot) const {
  const NewSpace& space = spaces_.at(slots_.at(slot).space);
  if (space.branch < macro_branch || !std::ranges::binary_search(branches_, space.branch))
    return {};
  return space;
}

void TemplateScope::KeepReads(TemplateMacro& written, const TemplateValue& output) {
  constexpr std::size_t kMostReads = 16;
  constexpr std::uint32_t kMostTimes = 2;  // larger numbers double as well
  for (const TemplateValue::Part& part : output.parts) {
    const bool own =
        part.name % 2 == 0 && std::ranges::count(written.parameters, NameOf(part.name / 2)) > 0;
    // Arguments without a parameter are part of the call, which adds them.
    const bool handed = part.name == 2 * kAnyHanded;
    if (own || handed || part.local || part.times == 0 || !IsEverSet(part.name)) continue;
    const auto name = static_cast<std::uint32_t>(part.name);
    const std::uint32_t times = std::min(part.times, kMostTimes);
    const auto known = std::ranges::find(written.reads, name, &TemplateMacro::Read::name);
    if (known != written.reads.end()) {
      Change(known->times < times);
      known->times = std::max(known->times, times);
    } else if (written.reads.size() < kMostReads) {
      written.reads.push_back({.name = name, .times = times});
      Change(true);
    } else {
      // Names beyond the limit count as further uses of the kept names.
      for (TemplateMacro::Read& read : written.reads) {
        Change(read.times < kMostTimes);
        read.times = kMostTimes;
      }
    }
  }
}

void TemplateScope::AddReads(const TemplateMacro& called, TemplateValue& output) {
  std::uint64_t bytes = 0;
  for (const TemplateMacro::Read& read : called.reads) {
    const std::size_t slot = read.name / 2;
    const TemplateValue value = read.name % 2 == 1 ? Field(NameOf(slot)) : VariableAt(slot);
    bytes = SumOf(bytes, ProductOf(value.bytes, read.times));
    TemplateValue held;
    held.parts = value.parts;
    for (std::uint32_t time = 0; time < read.times; ++time) AddParts(output, held);
  }
  if (macro == kNoSlot) output.bytes = std::max(output.bytes, bytes);
}

void TemplateScope::CountBlock() {
  std::uint64_t& calls = named_blocks > 0 ? calls_in_blocks_ : calls_of_blocks_;
  calls = std::min(SumOf(calls, named_blocks > 0 ? rounds : TimesHere()), kTemplateRounds);
}

std::uint64_t TemplateScope::TimesOfBlock() const {
  const std::uint64_t once = SumOf(calls_of_blocks_, 1);
  return std::clamp(ProductOf(once, SumOf(calls_in_blocks_, 1)), block_times_, kTemplateRounds);
}

void TemplateScope::KeepTimes(std::size_t slot, std::uint64_t times) {
  const std::size_t place = slots_.at(slot).macro;
  if (place == kNoSlot || macros_.at(place).called >= times) return;
  macros_.at(place).called = times;
  Change(true);
}

std::uint64_t TemplateScope::RoundsHere() const {
  // Published templates count in two loops at most.
  constexpr std::size_t kFewLoops = 2;
  const std::uint64_t all = loops_of_data > kFewLoops ? std::max(data_rounds, rounds) : rounds;
  return ProductOf(all, named_blocks > 0 ? block_times_ : 1);
}

std::uint64_t TemplateScope::TimesHere() const {
  const std::uint64_t times = RoundsHere();
  if (macro == kNoSlot || slots_.at(macro).macro == kNoSlot) return times;
  return ProductOf(times, macros_.at(slots_.at(macro).macro).called);
}

void TemplateScope::AddAnyReads(TemplateValue& output) { AddReads(any_, output); }

}  // namespace ggufgate
