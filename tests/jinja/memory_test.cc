// What reading a chat template may cost, in bytes of heap and in steps, whatever the template is
// (SECURITY.md): counted, never timed.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "jinja/template.h"
#include "tests/support/counted_heap/counted_heap.h"

namespace ggufgate {
namespace {

using testing::counted_heap;

constexpr std::size_t kPerByte = 15;                     // bytes of heap for a byte of template
constexpr std::size_t kConstant = std::size_t{4} << 20;  // besides

#ifdef NDEBUG
constexpr std::size_t kBytes = std::size_t{1} << 19;  // of a template
#else                                                 // ten times slower and more
constexpr std::size_t kBytes = std::size_t{1} << 18;
#endif

std::string Times(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

// Numbered repeats a text with another number in the place of each `#`, up to so many bytes.
std::string Numbered(std::string_view text, std::size_t bytes) {
  std::string out;
  for (std::size_t i = 0; out.size() + 2 * text.size() + 16 < bytes; ++i) {
    for (const char c : text) {
      if (c == '#') out += std::to_string(i);
      if (c != '#') out += c;
    }
  }
  return out;
}

void ExpectCheap(const std::string& text) {
  SCOPED_TRACE(text.substr(0, 60));
  const std::size_t before = counted_heap.live;
  counted_heap.peak = counted_heap.live;
  std::uint64_t work = 0;
  static_cast<void>(ReadTemplate(text, &work));
  EXPECT_LE(counted_heap.peak - before, kPerByte * text.size() + kConstant);
  EXPECT_LE(work, WorkFor(text.size()) + (kTemplateReadings + 1) * text.size());
}

TEST(TemplateMemory, OfTheWorstKnown) {
  ExpectCheap("{{ x" + Times("|a", kBytes / 2 - 8) + " }}");
  ExpectCheap(Times("{{ x" + Times("|a", 30'000) + " }}", 17));
  ExpectCheap("{{ " + Times("(", kBytes / 2) + Times(")", kBytes / 2 - 16) + " }}");
  ExpectCheap("{{ " + Times("'a' ", kBytes / 4 - 8) + "}}");
  ExpectCheap(Times("{{ " + Times("'a' ", 60'000) + "}}", 4));
  ExpectCheap(Times("{{a._b}}", kBytes / 8));
  for (const char* piece :
       {"{%set a#=1%}", "{%set a#=b#%}", "{%set n.a#=n.b#%}", "{{a#}}", "{{'\\x41#'}}",
        "{%macro a#()%}{%endmacro%}", "{{'a#'~'b#'}}", "{{'a'|upper}}", "{%for a# in b#%}",
        "{%for a in b%}{%set n.a#=n.b#~n.a#~n.b#%}{%endfor%}", "{{l.append('a#')}}",
        "{%call a#()%}{%endcall%}", "{{n.a#(b#)}}", "{%set a#%}b#{%endset%}", "{{[a#,[b#]]}}"}) {
    ExpectCheap(Numbered(piece, kBytes));
  }
  ExpectCheap("{%macro m(" + Numbered("a#,", kBytes / 2) + "z)%}{%endmacro%}" +
              Times("{{m(1)}}", kBytes / 17));
  ExpectCheap("{%for z in b%}{%set " + Numbered("a#,", kBytes / 2) + "z=" + Numbered("b#~", 200) +
              "z%}{%endfor%}");
}

// A text as long as half the template, looked at by all of the other half.
TEST(TemplateMemory, LongTextsAreNotLookedAtAgainAndAgain) {
  const std::string half(kBytes, 'a');
  for (const char* piece :
       {"{{s[1:]}}", "{{s[x]}}", "{%for i in s%}{%endfor%}", "{{s.format()}}", "{{s%x}}",
        "{{x[s]}}", "{{s|trim}}", "{{s|list}}", "{%set t=s%}", "{{s==x.content}}",
        "{%set t%}{{s}}{%endset%}", "{{x|map(attribute=s)}}", "{{s|int}}", "{{s~s}}", "{{s*2}}"}) {
    for (const char* begin : {"{% set s = '", "{% set s = '{"}) {
      ExpectCheap(begin + half + "' %}" + Times(piece, kBytes / 30));
    }
  }
}

}  // namespace
}  // namespace ggufgate
