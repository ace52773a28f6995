#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "gate/file_verdict.h"
#include "report/report_style.h"
#include "report/terminal/paint.h"

namespace ggufgate {

// FileText writes the text format of a file: one line, its findings under it, and the probable
// cause. It uses only the standard library, because the JavaScript module contains it too.
class FileText {
 public:
  FileText(const ReportStyle& style, std::function<void(std::string_view)> put)
      : style_(style), paint_(style.colour), put_(std::move(put)) {}

  // `problem` is the reason why the file is undecided; it is ignored for other files.
  void Add(const FileVerdict& file, std::string_view problem) const;

 private:
  void AddFindings(const Findings& findings) const;
  void AddFinding(const Finding& finding) const;
  void AddOverflow(const Findings& findings) const;
  // Put writes text from column `first` on. Continuation lines begin at column `indent`.
  void Put(std::string_view text, std::size_t first, std::size_t indent) const;
  void PutQuietly(std::string_view text, std::size_t first, std::size_t indent) const;

  ReportStyle style_;
  Paint paint_;
  std::function<void(std::string_view)> put_;
};

}  // namespace ggufgate
