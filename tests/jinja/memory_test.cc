// Limits of the analysis of any chat template, in bytes of heap and in steps (SECURITY.md). They
// are counted, not timed.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "jinja/syntax/tokens.h"
#include "jinja/template.h"
#include "tests/support/counted_heap/counted_heap.h"

namespace ggufgate {
namespace {

using testing::counted_heap;

constexpr std::size_t kPerByte = 18;                     // bytes of heap per byte of template
constexpr std::size_t kConstant = std::size_t{4} << 20;  // in addition

std::string Times(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

// Numbered repeats a text up to `bytes` bytes, with a new number instead of each `#`.
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

// Tags of the maximum length, as many as fit.
std::string Tags(std::string_view begin, std::string_view piece, std::size_t tokens_each,
                 std::string_view end, std::size_t bytes) {
  const std::string tag =
      std::string(begin) + Times(piece, (kMostTokens - 64) / tokens_each) + std::string(end);
  return Times(tag, std::max<std::size_t>(1, bytes / tag.size()));
}

// For several sizes: the cost of one tag is a larger part of a smaller template.
class TemplateMemory : public ::testing::TestWithParam<std::size_t> {};

#ifdef NDEBUG
INSTANTIATE_TEST_SUITE_P(Bytes, TemplateMemory,
                         ::testing::Values(1U << 14, 3U << 14, 1U << 16, 3U << 16, 1U << 18,
                                           1U << 19),
                         ::testing::PrintToStringParamName());
#else  // ten times slower or more
INSTANTIATE_TEST_SUITE_P(Bytes, TemplateMemory, ::testing::Values(3U << 14, 1U << 16),
                         ::testing::PrintToStringParamName());
#endif

TEST_P(TemplateMemory, OfTheWorstKnown) {
  const std::size_t bytes = GetParam();
  ExpectCheap("{{ x" + Times("|a", bytes / 2 - 8) + " }}");
  ExpectCheap(Tags("{{ x", "|a", 2, " }}", bytes));
  ExpectCheap(Tags("{{ f(", "a,", 2, "a) }}", bytes));
  ExpectCheap(Tags("{{ [", "[],", 3, "a] }}", bytes));
  ExpectCheap(Tags("{{ {", "a:b,", 4, "a:b} }}", bytes));
  ExpectCheap(Tags("{% set x=namespace(", "a=b,", 4, "c=d) %}", bytes));
  ExpectCheap("{{ " + Times("(", bytes / 2) + Times(")", bytes / 2 - 16) + " }}");
  ExpectCheap("{{ " + Times("'a' ", bytes / 4 - 8) + "}}");
  ExpectCheap(Tags("{{ ", "'a' ", 1, "}}", bytes));
  ExpectCheap(Times("{{a._b}}", bytes / 8));
  for (const char* piece : {"{%set a#=1%}",
                            "{%set a#=b#%}",
                            "{%set n.a#=n.b#%}",
                            "{{a#}}",
                            "{{'\\x41#'}}",
                            "{%macro a#()%}{%endmacro%}",
                            "{{'a#'~'b#'}}",
                            "{{'a'|upper}}",
                            "{%for a# in b#%}",
                            "{%for a in b%}{%set n.a#=n.b#~n.a#~n.b#%}{%endfor%}",
                            "{{l.append('a#')}}",
                            "{%call a#()%}{%endcall%}",
                            "{{n.a#(b#)}}",
                            "{%set a#%}b#{%endset%}",
                            "{{[a#,[b#]]}}",
                            "{%macro a#(a,b,c,d,e,f,g)%}{{a}}{%endmacro%}",
                            "{%for a in b%}{%set a#=1%}{%endfor%}",
                            "{%set n#=namespace(v=[])%}{%for a in b%}{{n#.v.append(a)}}{%endfor%}",
                            "{{m(*[a#])}}",
                            "{{x.update(a#=1)}}",
                            "{%set x#.y=1%}",
                            "{%for a in b%}{{m#(a)}}{%endfor%}",
                            "{%macro m#(x)%}{{x.append(1)}}{%endmacro%}",
                            "{%macro m#(x)%}{{x.append(x[0]~x[0])}}{{m#(x)}}{%endmacro%}",
                            "{{x['a#']}}",
                            "{{ {'a#':b} }}",
                            "{%for a in b%}{%set c#=d#~1%}{%set d#=c#%}{%endfor%}"}) {
    ExpectCheap(Numbered(piece, bytes));
  }
  ExpectCheap("{%macro m(x)%}{{x.append(1)}}{%endmacro%}" + Times("{%for a in b%}", bytes / 28) +
              Times("{{m(a)}}", bytes / 16));
  ExpectCheap("{%macro m(" + Numbered("a#,", bytes) + "z)%}{%endmacro%}{{m(1)}}");
  ExpectCheap("{%macro m(" + Numbered("a#,", bytes / 2) + "z)%}{%endmacro%}" +
              Times("{{m(1)}}", bytes / 17));
  ExpectCheap("{%for z in b%}{%set " + Numbered("a#,", bytes / 2) + "z=" + Numbered("b#~", 200) +
              "z%}{%endfor%}");
}

// All code of one half of the template reads a text as long as the other half.
TEST_P(TemplateMemory, LongTextsAreNotLookedAtAgainAndAgain) {
  const std::string half(GetParam(), 'a');
  for (const char* piece :
       {"{{s[1:]}}", "{{s[x]}}", "{%for i in s%}{%endfor%}", "{{s.format()}}", "{{s%x}}",
        "{{x[s]}}", "{{s|trim}}", "{{s|list}}", "{%set t=s%}", "{{s==x.content}}",
        "{%set t%}{{s}}{%endset%}", "{{x|map(attribute=s)}}", "{{s|int}}", "{{s~s}}", "{{s*2}}"}) {
    for (const char* begin : {"{% set s = '", "{% set s = '{"}) {
      ExpectCheap(begin + half + "' %}" + Times(piece, GetParam() / 30));
    }
  }
}

}  // namespace
}  // namespace ggufgate
