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
// `path` is a link, the file it leads to is replaced. The new file has the mode of the file that it
// replaces, so that a private one stays private. Otherwise its mode is rw-rw-rw- less the umask.
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

// NoFolderFor is the reason where the folder that `path` lies in is not there.
[[nodiscard]] absl::Status NoFolderFor(const std::filesystem::path& path);

}  // namespace ggufgate
