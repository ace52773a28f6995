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

// OutputFile is a file that appears complete or not at all. It is written without a name
// (O_TMPFILE) and gets its name in Commit(). Without Commit(), and even if the program is killed,
// nothing remains and an existing file stays unchanged.
//
// If the file system does not support unnamed files (NFS, FAT), or without /proc, it is written
// under another name in the same folder. Then SIGKILL leaves that file behind.
//
// A device or a pipe (/dev/stdout) is written directly, because it cannot be replaced. If `path` is
// a link, its target is replaced. The new file has the mode of the replaced file, so that a private
// file stays private. Otherwise its mode is rw-rw-rw- minus the umask.
class OutputFile {
 public:
  // Create rejects folders, broken links, and files that are one of `inputs` ("-": standard input).
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<OutputFile>> Create(
      const std::string& path, const std::vector<std::string>& inputs);

  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  [[nodiscard]] std::ostream& stream() { return stream_; }
  // The descriptor behind the stream.
  [[nodiscard]] int descriptor() const { return file_.get(); }

  // IsNamed tells whether the file will get a name: it is not a device or a pipe.
  [[nodiscard]] bool IsNamed() const { return !name_.empty(); }
  // OpenToRead opens the file, which has no name yet, to read the flushed bytes.
  [[nodiscard]] absl::StatusOr<Descriptor> OpenToRead() const;

  // Flush writes the buffered bytes. It returns an error if any write has failed.
  [[nodiscard]] absl::Status Flush();

  // Commit makes sure that all bytes are on disk and gives the file its name. It may be called
  // once.
  [[nodiscard]] absl::Status Commit();

 private:
  OutputFile(Descriptor file, Descriptor folder, std::string temporary, std::string name);

  absl::Status TakeName();
  [[nodiscard]] int Link(const std::string& name) const;

  Descriptor file_;
  Descriptor folder_;      // the folder of both names; unset for a device
  std::string temporary_;  // the temporary name; empty without one
  std::string name_;       // empty for a device
  DescriptorBuffer buffer_;
  std::ostream stream_;
};

// NoFolderFor returns an error if the folder of `path` does not exist.
[[nodiscard]] absl::Status NoFolderFor(const std::filesystem::path& path);

}  // namespace ggufgate
