#include "mutate/build/template_text.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "mutate/build/template_words.h"

namespace ggufgate::mutate {
namespace {

using namespace std::string_view_literals;

// Pen writes into memory that was taken; what does not fit is left out.
class Pen {
 public:
  Pen(MutableBytes room, Random& random) : room_(room), random_(random) {}

  [[nodiscard]] std::string_view Text() const { return AsText(room_.first(at_)); }
  [[nodiscard]] bool Full() const { return at_ + kPieceRoom > room_.size(); }

  void Put(std::string_view text) {
    if (text.size() > room_.size() - at_) return;
    std::ranges::copy(AsBytes(text), room_.subspan(at_).begin());
    at_ += text.size();
  }

  // Fill writes a line of a table.
  void Fill(std::string_view pattern) {
    for (const char c : pattern) {
      if (c == '@') {
        Expression();
      } else {
        PutWithAtom(c);
      }
    }
  }

  // Expression writes operands with what is in front of them, behind them and between them.
  void Expression() {
    std::array<char, 4> open{};  // closing brackets, innermost last
    std::size_t depth = 0;
    for (std::size_t i = 0; i < kMostOperands && !Full(); ++i) {
      if (i > 0) Put(depth > 0 && random_.OneIn(2) ? ", "sv : random_.Pick(jinja::kOperators));
      if (depth < open.size() && random_.OneIn(3)) {
        const std::string_view prefix = random_.Pick(jinja::kPrefixes);
        PutPattern(prefix);
        if (const char close = ClosingOf(prefix.front()); close != '\0') open[depth++] = close;
      }
      PutOperand();
      while (random_.OneIn(2) && !Full()) PutPattern(random_.Pick(jinja::kSuffixes));
      if (depth > 0 && random_.OneIn(2)) Put({&open[--depth], 1});
      if (random_.OneIn(2)) break;
    }
    while (depth > 0) Put({&open[--depth], 1});
  }

  // Tag writes `{% pattern %}` or `{{ pattern }}`, now and then with signs that eat blanks.
  void Tag(std::string_view begin, std::string_view pattern, std::string_view end) {
    Put(begin);
    Put(random_.OneIn(4) ? "- " : " ");
    Fill(pattern);
    Put(random_.OneIn(4) ? " -" : " ");
    Put(end);
  }

 private:
  static constexpr std::size_t kPieceRoom = 128;
  static constexpr std::size_t kMostOperands = 6;

  static char ClosingOf(char open) {
    return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : '\0';
  }

  void PutPattern(std::string_view pattern) {
    for (const char c : pattern) PutWithAtom(c);
  }
  void PutWithAtom(char c) {
    if (c == '$') {
      PutAtom();
    } else {
      Put({&c, 1});
    }
  }
  void PutOperand() {
    if (random_.OneIn(6)) {
      PutPattern(random_.Pick(jinja::kCalls));
    } else {
      PutAtom();
    }
  }
  void PutAtom() {
    switch (random_.Below(4)) {
      case 0:
        return Put(random_.Pick(jinja::kNames));
      case 1:
        return Put(random_.Pick(jinja::kNumbers));
      default:
        return PutLiteral();
    }
  }
  void PutLiteral() {
    const std::string_view quote = random_.OneIn(4) ? "\"" : "'";
    Put(quote);
    do {
      Put(random_.Pick(jinja::kPieces));
    } while (random_.OneIn(3));
    Put(quote);
  }

  MutableBytes room_;
  Random& random_;
  std::size_t at_ = 0;
};

// Blocks are the ones that are open; what closes them, innermost last.
struct Blocks {
  std::array<std::string_view, 4> close{};
  std::size_t depth = 0;
};

// PutPiece writes one text, output or statement.
void PutPiece(Pen& pen, Blocks& blocks, Random& random) {
  switch (random.Below(4)) {
    case 0:
      return pen.Put(random.Pick(jinja::kTexts));
    case 1:
      return pen.Tag("{{", "@", "}}");
    case 2:
      if (blocks.depth > 0) pen.Tag("{%", blocks.close[--blocks.depth], "%}");
      return;
    default:
      break;
  }
  const jinja::Statement& statement = random.Pick(jinja::kStatements);
  const bool opens = !statement.close.empty();
  if (opens && blocks.depth == blocks.close.size()) return;
  pen.Tag("{%", statement.open, "%}");
  if (opens) blocks.close[blocks.depth++] = statement.close;
}

// Pieces writes pieces, and closes most of the blocks that they open.
std::string_view Pieces(MutationContext& context, std::size_t longest, std::uint64_t mean) {
  Random& random = context.random;
  Pen pen(context.arena.Take(std::min(longest, context.room() / 2)), random);
  Blocks blocks;
  do {
    PutPiece(pen, blocks, random);
  } while (!pen.Full() && (pen.Text().empty() || !random.OneIn(mean)));
  while (blocks.depth > 0 && !random.OneIn(16)) {
    pen.Tag("{%", blocks.close[--blocks.depth], "%}");
  }
  return pen.Text();
}

}  // namespace

std::string_view TemplateText(MutationContext& context) { return Pieces(context, 1024, 6); }

std::string_view TemplatePart(MutationContext& context) { return Pieces(context, 384, 2); }

}  // namespace ggufgate::mutate
