#include "report/terminal/file_text.h"

#include <utility>

#include "report/pages/file_line.h"
#include "report/terminal/wrap.h"
#include "words/escape.h"
#include "words/message.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

constexpr std::size_t kPathColumn = 8;

}  // namespace

void FileText::Add(const FileVerdict& file, std::string_view problem) const {
  if (style_.quiet && file.verdict == Verdict::kAccept) return;
  const std::string path = EscapeText(file.path);
  switch (file.verdict) {
    case Verdict::kAccept:
      put_(paint_.Good("ok") + "      ");
      Put(path + "   " + FileLine(file) + "   " + paint_.Quiet(HumanTime(file.elapsed)),
          kPathColumn, kPathColumn);
      break;
    case Verdict::kReject:
      put_(paint_.Bad("reject") + "  ");
      Put(path, kPathColumn, kPathColumn);
      break;
    case Verdict::kUndecided:
      put_(paint_.Doubtful("undecided") + "  ");
      Put(path + ": " + EscapeText(problem), std::string_view("undecided  ").size(), kPathColumn);
      break;
  }
  if (file.verdict != Verdict::kUndecided) AddFindings(file.findings);
}

void FileText::Put(std::string_view text, std::size_t first, std::size_t indent) const {
  put_(WrappedUnder(text, first, indent, style_.columns) + "\n");
}

void FileText::AddFindings(const Findings& findings) const {
  std::uint64_t notes = 0;
  for (const Finding& finding : findings.list) {
    if (finding.severity == Severity::kNote && !style_.verbose) {
      ++notes;
    } else {
      AddFinding(finding);
    }
  }
  AddOverflow(findings);
  if (notes > 0 && !style_.quiet) {
    put_("  " +
         paint_.Quiet(Grouped(notes) + (notes == 1 ? " note" : " notes") +
                      " (--verbose shows them)") +
         "\n");
  }
}

void FileText::AddFinding(const Finding& finding) const {
  const std::string word =
      std::string(WordFor(finding.severity)) + "[" + std::string(RuleOf(finding.rule).slug) + "]";
  const std::string offset = "0x" + Hex(finding.where.begin);
  const std::string path = PathFor(finding.subject);
  const std::string message = (path.empty() ? "" : path + ": ") + MessageFor(finding);
  const std::size_t indent = offset.size() + 4;
  const std::size_t first = indent + word.size() + 1;
  const std::string blanks(indent, ' ');
  if (finding.suppression) {
    put_("  " + paint_.Quiet(offset + "  " + word) + " ");
    PutQuietly(message, first, indent);
    put_(blanks);
    PutQuietly("suppressed: " + EscapeText(*finding.suppression), indent, indent);
    return;
  }
  const bool bad = finding.severity == Severity::kError;
  put_("  " + offset + "  " + (bad ? paint_.Bad(word) : paint_.Doubtful(word)) + " ");
  Put(message, first, indent);
  if (!finding.cause) return;
  put_(blanks);
  Put(CauseText(finding.cause) + "; " + std::string(AdviceFor(finding.cause)), indent, indent);
}

void FileText::PutQuietly(std::string_view text, std::size_t first, std::size_t indent) const {
  put_(paint_.Quiet(WrappedUnder(text, first, indent, style_.columns)) + "\n");
}

// The findings above the number that is kept for each rule.
void FileText::AddOverflow(const Findings& findings) const {
  for (const Unlisted& unlisted : UnlistedIn(findings)) {
    put_("  … and " + Grouped(unlisted.count) + " more of " + std::string(unlisted.rule) +
         (unlisted.suppressed ? ", suppressed" : "") + "\n");
  }
}

}  // namespace ggufgate
