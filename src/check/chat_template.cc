// Rules about chat templates. What they report is found by ReadTemplate().

#include <algorithm>
#include <array>

#include "check/sink.h"
#include "check/template_hidden.h"
#include "check/template_remarks.h"
#include "check/values.h"

namespace ggufgate {
namespace {

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

Fact AllowedBy(Kind kind, std::size_t bytes) {
  if (kind == Kind::kNesting) return kTemplateNesting;
  if (kind == Kind::kRange || kind == Kind::kRepeat) return kTemplateRounds;
  if (kind == Kind::kConstants) return WorkFor(bytes);
  return {};
}

void Report(const Context& context, const MetadataEntry& entry, const TemplateRemark& remark,
            const Wording& wording, Sink& sink) {
  sink.Add({.where = {.begin = entry.ElementsRange().begin + remark.at, .size = remark.size},
            .subject = MetadataSubject(context.document, entry),
            .observed = remark.name.empty() ? Fact(remark.number) : TextFact(remark.name),
            .allowed = AllowedBy(remark.kind, TemplateText(context, entry).size()),
            .wording = wording.wording,
            .at_most = wording.at_most});
}

// ReportRemarks tells of the remarks on each template that are among `wordings`.
template <std::size_t kCount>
void ReportRemarks(const Context& context, const std::array<Wording, kCount>& wordings,
                   Sink& sink) {
  for (const MetadataEntry& entry : context.document.metadata) {
    if (!IsChatTemplate(entry)) continue;
    for (const TemplateRemark& remark : ReadTemplate(TemplateText(context, entry))) {
      const auto* const wording = std::ranges::find(wordings, remark.kind, &Wording::kind);
      if (wording != wordings.end()) Report(context, entry, remark, *wording, sink);
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
  static constexpr std::array<Wording, 5> kWordings = {{{Kind::kInternalName, 0},
                                                        {Kind::kAssembledName, 1},
                                                        {Kind::kAttrFilter, 2},
                                                        {Kind::kHelper, 3},
                                                        {Kind::kFormatString, 4}}};
  ReportRemarks(context, kWordings, sink);
}

void CheckTemplateLimit(const Context& context, Sink& sink) {
  const std::uint64_t limit = context.policy.limits.template_bytes;
  for (const MetadataEntry& entry : context.document.metadata) {
    const std::uint64_t bytes = entry.ElementsRange().size;
    if (!IsChatTemplate(entry) || bytes <= limit) continue;
    sink.Add({.where = entry.ElementsRange(),
              .subject = MetadataSubject(context.document, entry),
              .observed = bytes,
              .allowed = limit});
  }
  // What is not read is an error in every profile; what costs much is one to the gate.
  const Severity most =
      context.policy.profile == Profile::kGate ? Severity::kError : Severity::kWarning;
  const std::array<Wording, 7> wordings = {{{Kind::kNesting, 1, most},
                                            {Kind::kSelfCall, 2, most},
                                            {Kind::kCircle, 3, most},
                                            {Kind::kRange, 4, most},
                                            {Kind::kRepeat, 5, most},
                                            {Kind::kConstants, 6, most},
                                            {Kind::kSelfCallIf, 7, Severity::kNote}}};
  ReportRemarks(context, wordings, sink);
}

void CheckTemplateHidden(const Context& context, Sink& sink) {
  static constexpr std::array<Wording, 2> kWordings = {
      {{Kind::kPhrase, 3}, {Kind::kOtherTemplate, 4}}};
  ReportRemarks(context, kWordings, sink);
  for (const MetadataEntry& entry : context.document.metadata) {
    if (!IsChatTemplate(entry)) continue;
    const auto report = [&](const HiddenText& hidden) {
      sink.Add({.where = {.begin = entry.ElementsRange().begin + hidden.at, .size = hidden.size},
                .subject = MetadataSubject(context.document, entry),
                .observed = TextFact(hidden.name),
                .other = hidden.count,
                .wording = static_cast<std::uint8_t>(hidden.kind)});
    };
    const std::string_view text = TemplateText(context, entry);
    std::ranges::for_each(FindInvisible(text), report);
    std::ranges::for_each(FindAddresses(text), report);
  }
}

}  // namespace ggufgate
