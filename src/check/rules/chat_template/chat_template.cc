// Rules about chat templates. What they report is found by ReadTemplate().

#include <algorithm>
#include <array>

#include "bytes/checked.h"
#include "check/sink.h"
#include "check/values.h"
#include "jinja/hidden.h"
#include "jinja/remarks.h"
#include "jinja/syntax/tokens.h"

namespace ggufgate {

// TemplateReadings are the remarks on each template of a file.
struct TemplateReadings {
  struct Reading {
    const MetadataEntry* entry;
    std::vector<TemplateRemark> remarks = {};
    std::uint64_t total = 0;  // bytes of templates up to this one's end
    bool read = false;
  };
  std::vector<Reading> list;
};

namespace {

// All templates of a file together may have as many bytes as one, or else up to sixteen times as
// many and no more than this: the worst take a quarter of a second for a MiB.
constexpr std::uint64_t kTemplatesRead = 16;
constexpr std::uint64_t kBytesOfAll = std::uint64_t{2} << 20;

using Kind = TemplateRemark::Kind;

// Wording says how a rule puts a kind of remark.
struct Wording {
  Kind kind;
  std::uint8_t wording;
  Severity at_most = Severity::kError;
};

// Named templates have keys of their own: tokenizer.chat_template.NAME.
bool IsTemplateKey(std::string_view key) {
  constexpr std::string_view kKey = "tokenizer.chat_template";
  return key == kKey || (key.starts_with(kKey) && key.at(kKey.size()) == '.');
}

bool IsChatTemplate(const MetadataEntry& entry) {
  return IsTemplateKey(entry.key) && entry.type == ValueType::kString;
}

// TemplateText is a template's text as far as it is read.
std::string_view TemplateText(const Context& context, const MetadataEntry& entry) {
  return context.document.StringOf(entry).value_or("").substr(0,
                                                              context.policy.limits.template_bytes);
}

std::uint64_t LimitOfAll(const Context& context) {
  const std::uint64_t one = context.policy.limits.template_bytes;
  const std::uint64_t all = CheckedMul(one, kTemplatesRead).value_or(UINT64_MAX);
  return std::max(one, std::min(all, kBytesOfAll));
}

// ReadingsOf reads the templates when the first rule asks, for all of them.
const TemplateReadings& ReadingsOf(const Context& context) {
  if (context.templates) return *context.templates;
  auto readings = std::make_shared<TemplateReadings>();
  std::uint64_t total = 0;
  for (const MetadataEntry& entry : context.document.metadata) {
    if (!IsChatTemplate(entry)) continue;
    const std::string_view text = TemplateText(context, entry);
    total += text.size();
    TemplateReadings::Reading reading{.entry = &entry, .total = total};
    reading.read = total <= LimitOfAll(context);
    if (reading.read) reading.remarks = ReadTemplate(text);
    readings->list.push_back(std::move(reading));
  }
  context.templates = std::move(readings);
  return *context.templates;
}

Fact AllowedBy(Kind kind) {
  if (kind == Kind::kNesting) return kTemplateNesting;
  if (kind == Kind::kRange || kind == Kind::kRepeat) return kTemplateRounds;
  if (kind == Kind::kMade) return kTemplateMade;
  if (kind == Kind::kTokens) return kMostTokens;
  return {};
}

void Report(const Context& context, const MetadataEntry& entry, const TemplateRemark& remark,
            const Wording& wording, Sink& sink) {
  sink.Add({.where = {.begin = entry.ElementsRange().begin + remark.at, .size = remark.size},
            .subject = MetadataSubject(context.document, entry),
            .observed = remark.name.empty() ? Fact(remark.number) : TextFact(remark.name),
            .allowed = AllowedBy(remark.kind),
            .wording = wording.wording,
            // What is nested deeper than is read may hide anything.
            .at_most = remark.kind == Kind::kNesting && remark.number > kTemplateNestingRead
                           ? Severity::kError
                           : wording.at_most});
}

// ReportRemarks tells of the remarks on each template that are among `wordings`.
template <std::size_t kCount>
void ReportRemarks(const Context& context, const std::array<Wording, kCount>& wordings,
                   Sink& sink) {
  for (const TemplateReadings::Reading& reading : ReadingsOf(context).list) {
    for (const TemplateRemark& remark : reading.remarks) {
      const auto* const wording = std::ranges::find(wordings, remark.kind, &Wording::kind);
      if (wording != wordings.end()) Report(context, *reading.entry, remark, *wording, sink);
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
  static constexpr std::array<Wording, 2> kWordings = {{{Kind::kUnclosed, 0}, {Kind::kBracket, 1}}};
  // Where reading went wrong, a text may be cut short: that is no mistake of its author's.
  if (!context.document.fault) ReportRemarks(context, kWordings, sink);
}

void CheckTemplateInjection(const Context& context, Sink& sink) {
  static constexpr std::array<Wording, 7> kWordings = {{{Kind::kInternalName, 0},
                                                        {Kind::kAssembledName, 1},
                                                        {Kind::kAttrFilter, 2},
                                                        {Kind::kHelper, 3},
                                                        {Kind::kFormatString, 4},
                                                        {Kind::kComputedName, 5},
                                                        {Kind::kComputedPattern, 6}}};
  ReportRemarks(context, kWordings, sink);
}

void CheckTemplateLimit(const Context& context, Sink& sink) {
  const std::uint64_t limit = context.policy.limits.template_bytes;
  for (const TemplateReadings::Reading& reading : ReadingsOf(context).list) {
    const std::uint64_t bytes = reading.entry->ElementsRange().size;
    if (reading.read && bytes <= limit) continue;
    sink.Add({.where = reading.entry->ElementsRange(),
              .subject = MetadataSubject(context.document, *reading.entry),
              .observed = reading.read ? bytes : reading.total,
              .allowed = reading.read ? limit : LimitOfAll(context),
              .wording = static_cast<std::uint8_t>(reading.read ? 0 : 8)});
  }
  // What is not read is an error in every profile; what costs much is one to the gate.
  const Severity most =
      context.policy.profile == Profile::kGate ? Severity::kError : Severity::kWarning;
  const std::array<Wording, 10> wordings = {{{Kind::kNesting, 1, most},
                                             {Kind::kSelfCall, 2, most},
                                             {Kind::kCircle, 3, most},
                                             {Kind::kRange, 4, most},
                                             {Kind::kRepeat, 5, most},
                                             {Kind::kMade, 6, most},
                                             {Kind::kDoubling, 9, most},
                                             {Kind::kOwnList, 10, most},
                                             {Kind::kTokens, 11},
                                             {Kind::kSelfCallIf, 7, Severity::kNote}}};
  ReportRemarks(context, wordings, sink);
}

void CheckTemplateHidden(const Context& context, Sink& sink) {
  static constexpr std::array<Wording, 3> kWordings = {
      {{Kind::kPhrase, 3}, {Kind::kOtherTemplate, 4}, {Kind::kPhraseOfOther, 5, Severity::kNote}}};
  ReportRemarks(context, kWordings, sink);
  for (const TemplateReadings::Reading& reading : ReadingsOf(context).list) {
    if (!reading.read) continue;
    const MetadataEntry& entry = *reading.entry;
    const auto report = [&](const HiddenText& hidden) {
      sink.Add({.where = {.begin = entry.ElementsRange().begin + hidden.at, .size = hidden.size},
                .subject = MetadataSubject(context.document, entry),
                .observed = TextFact(hidden.name),
                .other = hidden.count,
                .wording = static_cast<std::uint8_t>(hidden.kind),
                .at_most = hidden.plain ? Severity::kNote : Severity::kError});
    };
    const std::string_view text = TemplateText(context, entry);
    std::ranges::for_each(FindInvisible(text), report);
    std::ranges::for_each(FindAddresses(text), report);
  }
}

}  // namespace ggufgate
