#include "cli/into_file.h"

#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "words/escape.h"

namespace ggufgate {

int ComplainOfOutput(std::string_view path, const absl::Status& status, const Streams& streams) {
  streams.error << "ggufgate: cannot write " << EscapeText(path) << ": "
                << EscapeText(std::string(status.message())) << '\n';
  return kExitUndecided;
}

int IntoFile(const std::string& path, const std::function<void(std::ostream&)>& write,
             const Streams& streams) {
  if (path == "-") {
    write(streams.out);
    return kExitAccept;
  }
  const auto file = OutputFile::Create(path, {});
  if (!file.ok()) return ComplainOfOutput(path, file.status(), streams);
  write((*file)->stream());
  const absl::Status committed = (*file)->Commit();
  return committed.ok() ? kExitAccept : ComplainOfOutput(path, committed, streams);
}

int ConfinedWithOutput(const std::string& input, const std::string& output,
                       const std::function<int(OutputFile*)>& work, const Streams& streams) {
  std::unique_ptr<OutputFile> file;
  if (!output.empty()) {
    auto created = OutputFile::Create(output, {input});
    if (!created.ok()) return ComplainOfOutput(output, created.status(), streams);
    file = *std::move(created);
  }
  const int code = GuardedAndConfined({input}, [&] { return work(file.get()); }, streams);
  if (code != kExitAccept || file == nullptr) return code;
  const absl::Status committed = file->Commit();
  return committed.ok() ? kExitAccept : ComplainOfOutput(output, committed, streams);
}

int ConfinedIntoFile(const std::string& path, const std::vector<std::string>& files,
                     const Confiner& confined,
                     const std::function<std::optional<int>(const Streams&)>& work,
                     const Streams& streams) {
  const auto failed = [&](const absl::Status& status) {
    return ComplainOfOutput(path, status, streams);
  };
  const absl::StatusOr<std::unique_ptr<OutputFile>> file = OutputFile::Create(path, files);
  if (!file.ok()) return failed(file.status());

  // Added to the exit code of a child whose report is complete. Otherwise 2 could be a verdict or a
  // failure.
  constexpr int kWhole = 8;
  const auto write = [&] {
    const std::optional<int> code =
        work({.out = (*file)->stream(), .error = streams.error, .colour = false});
    if (!code) return kExitUndecided;
    if (absl::Status flushed = (*file)->Flush(); !flushed.ok()) return failed(flushed);
    return *code + kWhole;
  };
  const int code = confined(write, (*file)->descriptor());
  if (code < kWhole) return code;
  if (absl::Status committed = (*file)->Commit(); !committed.ok()) return failed(committed);
  return code - kWhole;
}

}  // namespace ggufgate
