// Rules about chat templates. ReadTemplate() finds the remarks that they report.

#include <algorithm>
#include <array>
#include <span>

#include "bytes/checked.h"
#include "check/rules/rule_functions.h"
#include "check/values.h"
#include "jinja/template.h"

namespace ggufgate {
namespace {

// Reading has the remarks on one template of a file.
struct Reading {
  const MetadataEntry* entry;
  std::vector<TemplateRemark> remarks = {};
  std::uint64_t total = 0;  // bytes of all templates up to the end of this one
  bool read = false;
};

// All templates of a file together may have as many bytes as one. They may have up to sixteen times
// as many if the total does not exceed 2 MiB: the worst ones take a quarter of a second per MiB.
constexpr std::uint64_t kTemplatesRead = 16;
constexpr std::uint64_t kBytesOfAll = std::uint64_t{2} << 20;

using Kind = TemplateRemark::Kind;

// Telling defines how a rule reports a kind of remark.
struct Telling {
  Kind kind;
  Wording wording;
  Severity at_most = Severity::kError;
};

// Named templates have separate keys: tokenizer.chat_template.NAME.
bool IsTemplateKey(std::string_view key) {
  constexpr std::string_view kKey = "tokenizer.chat_template";
  return key == kKey || (key.starts_with(kKey) && key.at(kKey.size()) == '.');
}

bool IsChatTemplate(const MetadataEntry& entry) {
  return IsTemplateKey(entry.key) && entry.type == ValueType::kString;
}

// TemplateText returns the part of a template that is read.
std::string_view TemplateText(const Context& context, const MetadataEntry& entry) {
  return context.document.StringOf(entry).value_or("").substr(0,
                                                              context.policy.limits.template_bytes);
}

std::uint64_t LimitOfAll(const Context& context) {
  const std::uint64_t one = context.policy.limits.template_bytes;
  const std::uint64_t all = CheckedMul(one, kTemplatesRead).value_or(UINT64_MAX);
  return std::max(one, std::min(all, kBytesOfAll));
}

std::vector<Reading> ReadAll(const Context& context) {
  std::vector<Reading> readings;
  std::uint64_t total = 0;
  for (const MetadataEntry& entry : context.document.metadata) {
    if (!IsChatTemplate(entry)) continue;
    const std::string_view text = TemplateText(context, entry);
    total += text.size();
    Reading reading{.entry = &entry, .total = total};
    reading.read = total <= LimitOfAll(context);
    if (reading.read) reading.remarks = ReadTemplate(text);
    readings.push_back(std::move(reading));
  }
  return readings;
}

// ReadingsOf returns the readings of all templates.
const std::vector<Reading>& ReadingsOf(const Context& context) {
  return context.cache.Get<std::vector<Reading>>([&] { return ReadAll(context); });
}

void ReportRemark(const Context& context, const MetadataEntry& entry, const TemplateRemark& remark,
                  const Telling& telling, Sink& sink) {
  const std::optional<std::uint64_t> bound = BoundOf(remark.kind);
  sink.Add({.where = {.begin = entry.ElementsRange().begin + remark.at, .size = remark.size},
            .subject = MetadataSubject(context.document, entry),
            .observed = remark.name.empty() ? Fact(remark.number) : TextFact(remark.name),
            .allowed = bound ? Fact(*bound) : Fact(),
            .wording = telling.wording,
            // Code nested deeper than the reader goes may hide anything.
            .at_most = remark.kind == Kind::kNesting && remark.number > kTemplateNestingRead
                           ? Severity::kError
                           : telling.at_most});
}

// ReportRemarks reports the remarks whose kinds are in `tellings`.
void ReportRemarks(const Context& context, std::span<const Telling> tellings, Sink& sink) {
  for (const Reading& reading : ReadingsOf(context)) {
    for (const TemplateRemark& remark : reading.remarks) {
      const auto telling = std::ranges::find(tellings, remark.kind, &Telling::kind);
      if (telling != tellings.end()) ReportRemark(context, *reading.entry, remark, *telling, sink);
    }
  }
}

}  // namespace

void CheckTemplateType(const Context& context, Sink& sink) {
  for (const MetadataEntry& entry : context.document.metadata) {
    if (!IsTemplateKey(entry.key) || entry.type == ValueType::kString) continue;
    sink.Add({.where = entry.TypeRange(),
              .subject = MetadataSubject(context.document, entry),
              .observed = TextFact(TypeText(entry)),
              .allowed = TextFact(InfoOf(ValueType::kString).word)});
  }
}

void CheckTemplateSyntax(const Context& context, Sink& sink) {
  using Says = TemplateSyntaxWording;
  static constexpr auto kTellings = std::to_array<Telling>(
      {{Kind::kUnclosed, Says::kUnclosed}, {Kind::kBracket, Says::kBracket}});
  // If parsing stopped at a fault, a template may be truncated: that is not its author's mistake.
  if (!context.document.fault) ReportRemarks(context, kTellings, sink);
}

void CheckTemplateInjection(const Context& context, Sink& sink) {
  using Says = TemplateInjectionWording;
  static constexpr auto kTellings =
      std::to_array<Telling>({{Kind::kInternalName, Says::kInternalName},
                              {Kind::kAssembledName, Says::kAssembledName},
                              {Kind::kAttrFilter, Says::kAttrFilter},
                              {Kind::kHelper, Says::kHelper},
                              {Kind::kFormatString, Says::kFormatString},
                              {Kind::kComputedName, Says::kComputedName},
                              {Kind::kComputedPattern, Says::kComputedPattern},
                              {Kind::kForeignName, Says::kForeignName},
                              {Kind::kTaken, Says::kTaken},
                              {Kind::kCalled, Says::kCalled},
                              {Kind::kAmbiguous, Says::kAmbiguous},
                              {Kind::kTarget, Says::kTarget},
                              {Kind::kRebound, Says::kRebound}});
  ReportRemarks(context, kTellings, sink);
}

void CheckTemplateLimit(const Context& context, Sink& sink) {
  using Says = TemplateLimitWording;
  const std::uint64_t limit = context.policy.limits.template_bytes;
  for (const Reading& reading : ReadingsOf(context)) {
    const std::uint64_t bytes = reading.entry->ElementsRange().size;
    if (reading.read && bytes <= limit) continue;
    sink.Add({.where = reading.entry->ElementsRange(),
              .subject = MetadataSubject(context.document, *reading.entry),
              .observed = reading.read ? bytes : reading.total,
              .allowed = reading.read ? limit : LimitOfAll(context),
              .wording = reading.read ? Says::kBytes : Says::kBytesOfAll});
  }
  // Templates that are not read completely, or that can crash llama.cpp, are an error in every
  // profile. Expensive ones are an error only in profile `gate`.
  const Severity most =
      context.policy.profile == Profile::kGate ? Severity::kError : Severity::kWarning;
  const auto tellings =
      std::to_array<Telling>({{Kind::kNesting, Says::kNesting},
                              {Kind::kSelfCall, Says::kSelfCall},
                              {Kind::kCircle, Says::kCircle},
                              {Kind::kRange, Says::kRange, most},
                              {Kind::kRepeat, Says::kRepeat, most},
                              {Kind::kMade, Says::kMade, most},
                              {Kind::kDoubling, Says::kDoubling, most},
                              {Kind::kOwnList, Says::kOwnList, most},
                              {Kind::kTokens, Says::kTokens},
                              {Kind::kChain, Says::kChain},
                              {Kind::kFolding, Says::kFolding, most},
                              {Kind::kSteps, Says::kSteps, most},
                              {Kind::kOwnHeld, Says::kOwnHeld},
                              {Kind::kFar, Says::kFar},
                              {Kind::kDivisor, Says::kDivisor},
                              {Kind::kSelfCallBlind, Says::kSelfCallBlind, most},
                              {Kind::kComputedWidth, Says::kComputedWidth, most},
                              {Kind::kOutput, Says::kOutput, most},
                              {Kind::kPopped, Says::kPopped, most},
                              {Kind::kSelfCallIf, Says::kSelfCallIf, Severity::kNote}});
  ReportRemarks(context, tellings, sink);
}

namespace {

TemplateHiddenWording WordingFor(HiddenText::Kind kind) {
  switch (kind) {
    case HiddenText::Kind::kInvisible:
      return TemplateHiddenWording::kInvisible;
    case HiddenText::Kind::kDirection:
      return TemplateHiddenWording::kDirection;
    case HiddenText::Kind::kAddress:
      break;
  }
  return TemplateHiddenWording::kAddress;
}

}  // namespace

void CheckTemplateHidden(const Context& context, Sink& sink) {
  using Says = TemplateHiddenWording;
  static constexpr auto kTellings =
      std::to_array<Telling>({{Kind::kPhrase, Says::kPhrase},
                              {Kind::kOtherTemplate, Says::kOtherTemplate},
                              {Kind::kPhraseOfOther, Says::kPhraseOfOther, Severity::kNote}});
  ReportRemarks(context, kTellings, sink);
  for (const Reading& reading : ReadingsOf(context)) {
    if (!reading.read) continue;
    const MetadataEntry& entry = *reading.entry;
    for (const HiddenText& hidden : FindHidden(TemplateText(context, entry))) {
      sink.Add({.where = {.begin = entry.ElementsRange().begin + hidden.at, .size = hidden.size},
                .subject = MetadataSubject(context.document, entry),
                .observed = TextFact(hidden.name),
                .other = hidden.count,
                .wording = WordingFor(hidden.kind),
                .at_most = hidden.plain ? Severity::kNote : Severity::kError});
    }
  }
}

}  // namespace ggufgate
