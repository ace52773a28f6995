#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include "check/policy.h"
#include "gate/judge.h"

namespace ggufgate {

enum class Format : std::uint8_t {
#define GGUFGATE_FORMAT(name, word, what) k##name,
#include "report/formats.def"
#undef GGUFGATE_FORMAT
};

// FindFormat looks a word of the command line up.
[[nodiscard]] std::optional<Format> FindFormat(std::string_view word);

// RunFacts are what a report says of the run itself, so that it can be kept as evidence.
struct RunFacts {
  std::string time;           // when it began, UTC, as RFC 3339 has it
  std::string policy_sha256;  // of the policy in force as PrintPolicy() writes it
  bool system_calls_confined = false;
  bool files_confined = false;
};

// ReportStyle is how people like their text, and what is said besides.
struct ReportStyle {
  bool colour = false;
  bool quiet = false;       // nothing about accepted files
  bool verbose = false;     // notes too
  std::size_t columns = 0;  // of the terminal; 0: there is none, and nothing is wrapped
  std::optional<RunFacts> run = std::nullopt;  // none: nothing is said of the run
};

// Reporter writes reports of files, one after the other, to a stream.
class Reporter {
 public:
  Reporter() = default;
  Reporter(const Reporter&) = delete;
  Reporter& operator=(const Reporter&) = delete;
  virtual ~Reporter() = default;

  virtual void Add(const FileReport& report) = 0;
  // Finish writes what closes the document. Called once, after the last Add.
  virtual void Finish() {}
};

// `out` and the style outlive the reporter.
[[nodiscard]] std::unique_ptr<Reporter> MakeReporter(Format format, const Policy& policy,
                                                     const ReportStyle& style, std::ostream& out);

#define GGUFGATE_FORMAT(name, word, what)                       \
  [[nodiscard]] std::unique_ptr<Reporter> Make##name##Reporter( \
      const Policy& policy, const ReportStyle& style, std::ostream& out);
#include "report/formats.def"
#undef GGUFGATE_FORMAT

}  // namespace ggufgate
