// report: for any findings, the JSON formats can be parsed, and no text of the file reaches a
// terminal unescaped.

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "bytes/memory_source.h"
#include "fuzz/support/target.h"
#include "gate/judge_source.h"
#include "report/reporter.h"
#include "tests/oracles/draw.h"

namespace {

using namespace ggufgate;
using fuzz::Require;

constexpr std::array kFormats = {
#define GGUFGATE_FORMAT(name, word, what) Format::k##name,
#include "report/formats.def"
#undef GGUFGATE_FORMAT
};

// IsJson lists every format, so that the compiler reports a new one.
bool IsJson(Format format) {
  switch (format) {
    case Format::kJson:
    case Format::kJsonl:
    case Format::kSarif:
    case Format::kCodequality:
      return true;
    case Format::kText:
    case Format::kJunit:
    case Format::kGithub:
    case Format::kHtml:
    case Format::kLoaders:
    case Format::kMarkdown:
      return false;
  }
  return false;
}

std::string Written(Format format, std::size_t columns, const FileReport& report,
                    const Policy& policy) {
  std::ostringstream out;
  const ReportStyle style{.colour = false, .quiet = false, .verbose = true, .columns = columns};
  const auto reporter = MakeReporter(format, policy, style, out);
  reporter->Add(report);
  reporter->Finish();
  return out.str();
}

bool IsHarmless(const std::string& text) {
  return std::ranges::none_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && c != '\n') || byte == 0x7F;
  });
}

// HasCommand tells whether a CI runner executes a part of a text anywhere in a line of its log.
bool HasCommand(const std::string& text) {
  for (std::size_t at = text.find("##"); at != std::string::npos; at = text.find("##", at + 1)) {
    const auto behind =
        std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at) + 2, text.end(),
                         [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
    if (behind != text.end() && *behind == '[') return true;
  }
  return false;
}

}  // namespace

GGUFGATE_FUZZ_TARGET(input) {
  const fuzz::GuardedCopy copy(input);
  const MemorySource source(copy.bytes());
  JudgeOptions options;
  options.policy.data = DataScan::kFull;
  // The name of a file is untrusted as well.
  const std::string path(AsText(input.first(std::min<std::size_t>(input.size(), 40))));
  const FileReport report = JudgeSource(source, path, options);
  // One format per input, for speed: SARIF includes the catalogue.
  const auto draw = fuzz::DrawOf(input);
  const Format format = kFormats.at(draw % kFormats.size());
  constexpr std::size_t kWidest = 200;
  const std::string text =
      Written(format, draw / kFormats.size() % kWidest, report, options.policy);
  Require(IsHarmless(text), "no control character reaches the reader");
  Require(!HasCommand(text), "no command reaches the runner that keeps the log");
  if (IsJson(format)) Require(nlohmann::json::accept(text), "JSON can be read back");
}
