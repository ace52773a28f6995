#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "check/policy.h"
#include "gate/file_report.h"
#include "report/report_style.h"

namespace ggufgate {

enum class Format : std::uint8_t {
#define GGUFGATE_FORMAT(name, word, what) k##name,
#include "report/formats.def"
#undef GGUFGATE_FORMAT
};

// FindFormat looks up a word of the command line.
[[nodiscard]] std::optional<Format> FindFormat(std::string_view word);

// Reporter writes the reports of files, one after the other, to a stream.
class Reporter {
 public:
  Reporter() = default;
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;
  virtual ~Reporter() = default;

  virtual void Add(const FileReport& report) = 0;
  // Finish writes the end of the document. It is called once, after the last Add.
  virtual void Finish() {}
};

// `out` and the style must outlive the reporter.
[[nodiscard]] std::unique_ptr<Reporter> MakeReporter(Format format, const Policy& policy,
                                                     const ReportStyle& style, std::ostream& out);

#define GGUFGATE_FORMAT(name, word, what)                       \
  [[nodiscard]] std::unique_ptr<Reporter> Make##name##Reporter( \
      const Policy& policy, const ReportStyle& style, std::ostream& out);
#include "report/formats.def"
#undef GGUFGATE_FORMAT

}  // namespace ggufgate
