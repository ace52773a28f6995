#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/command_line.h"
#include "cli/descriptor_buffer.h"
#include "gate/reading/descriptor.h"

namespace ggufgate {

// OutputFile is a file that appears whole or not at all: it is written without a name (O_TMPFILE)
// and takes one when Commit() is called. Without that, and whatever ends the program, nothing is
// left behind and a file that was there before stays as it was.
//
// Where the file system has no files without names (NFS, FAT), or /proc is not there to name one,
// it is written under another name in the same folder: then SIGKILL leaves that behind.
//
// A device or a pipe (/dev/stdout) is written to as it is: there is nothing to replace. Where
// `path` is a link, the file it leads to is replaced. The mode is what the umask leaves of
// rw-rw-rw-.
class OutputFile {
 public:
  // Create refuses folders, links to nowhere, and what is one of `inputs` ("-": standard input).
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<OutputFile>> Create(
      const std::string& path, const std::vector<std::string>& inputs);

  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  [[nodiscard]] std::ostream& stream() { return stream_; }
  // Where the stream writes to.
  [[nodiscard]] int descriptor() const { return file_.get(); }

  // Flush writes what waits in the stream; an error when anything could not be written.
  [[nodiscard]] absl::Status Flush();

  // Commit makes sure that all is on disk and gives the file its name. Called at most once.
  [[nodiscard]] absl::Status Commit();

 private:
  OutputFile(Descriptor file, Descriptor folder, std::string temporary, std::string name);

  absl::Status TakeName();
  [[nodiscard]] int Link(const std::string& name) const;

  Descriptor file_;
  Descriptor folder_;      // that of both names; none for a device
  std::string temporary_;  // empty while it has no name, and once it has its own
  std::string name_;       // empty for a device
  DescriptorBuffer buffer_;
  std::ostream stream_;
};

// ComplainOfOutput says on the error stream that a file or folder cannot be written and why, and
// gives kExitUndecided.
[[nodiscard]] int ComplainOfOutput(std::string_view path, const absl::Status& status,
                                   const Streams& streams);

// NoFolderFor is the reason where the folder that `path` lies in is not there.
[[nodiscard]] absl::Status NoFolderFor(const std::filesystem::path& path);

// IntoFile makes the file `path` of what `write` writes, and gives the exit code.
[[nodiscard]] int IntoFile(const std::string& path, const std::function<void(std::ostream&)>& write,
                           const Streams& streams);

// ConfinedWithOutput runs `work` confined, with `input` for the only file that can be read (see
// GuardedAndConfined), and with a file for `output`, nullptr where that is empty. The file appears
// when the exit code is kExitAccept.
[[nodiscard]] int ConfinedWithOutput(const std::string& input, const std::string& output,
                                     const std::function<int(OutputFile*)>& work,
                                     const Streams& streams);

// Confiner runs `work` confined, writing to the descriptor `output`, and returns the exit code;
// kExitUndecided, and a message, when that does not end well.
using Confiner = std::function<int(const std::function<int()>& work, int output)>;

// ConfinedIntoFile does what `confined` does, with the file `path` for standard output.
// The file appears when `work` has reported all it had to, whatever its exit code. It does not when
// `work` gives no exit code, having said why, when the child dies or when the report cannot be
// written: that is kExitUndecided.
[[nodiscard]] int ConfinedIntoFile(const std::string& path, const std::vector<std::string>& files,
                                   const Confiner& confined,
                                   const std::function<std::optional<int>(const Streams&)>& work,
                                   const Streams& streams);

}  // namespace ggufgate
