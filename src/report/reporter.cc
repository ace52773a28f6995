#include "report/reporter.h"

#include <array>

namespace ggufgate {
namespace {

struct FormatInfo {
  Format format;
  std::string_view word;
  std::unique_ptr<Reporter> (*make)(const Policy&, const ReportStyle&, std::ostream&);
};

constexpr std::array kFormats = {
#define GGUFGATE_FORMAT(name, word, what) FormatInfo{Format::k##name, word, &Make##name##Reporter},
#include "report/formats.def"
#undef GGUFGATE_FORMAT
};

}  // namespace

std::optional<Format> FindFormat(std::string_view word) {
  for (const FormatInfo& info : kFormats) {
    if (info.word == word) return info.format;
  }
  return std::nullopt;
}

std::unique_ptr<Reporter> MakeReporter(Format format, const Policy& policy,
                                       const ReportStyle& style, std::ostream& out) {
  return kFormats.at(static_cast<std::size_t>(format)).make(policy, style, out);
}

}  // namespace ggufgate
