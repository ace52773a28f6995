#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/output_file.h"
#include "gate/reading/descriptor.h"

namespace ggufgate {

// MutantFolder is the output of `ggufgate mutate`: numbered files, and a manifest that appears when
// all files are complete. Without Commit() the files are removed again, and so is the folder if it
// was new.
class MutantFolder {
 public:
  // Open makes the folder, or opens an empty one. With `force`, the folder need not be empty, and
  // files with the same names are replaced. `inputs` ("-": standard input) must not be in the
  // folder.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<MutantFolder>> Open(
      const std::string& path, bool force, const std::vector<std::string>& inputs);

  MutantFolder(const MutantFolder&) = delete;
  MutantFolder& operator=(const MutantFolder&) = delete;
  ~MutantFolder();

  // OpenFiles makes the files from `first` up to `end`, of `count` in total, and closes the files
  // before.
  [[nodiscard]] absl::Status OpenFiles(std::uint64_t first, std::uint64_t end, std::uint64_t count);
  [[nodiscard]] int descriptor(std::uint64_t number) const {
    return files_.at(number - first_).get();
  }

  [[nodiscard]] std::ostream& manifest() { return manifest_->stream(); }
  [[nodiscard]] absl::Status FlushManifest() { return manifest_->Flush(); }

  [[nodiscard]] absl::Status Commit();

  // NameOf returns "000041.gguf", or a longer number if there are more than a million files.
  [[nodiscard]] static std::string NameOf(std::uint64_t number, std::uint64_t count);

 private:
  MutantFolder(std::string path, bool force) : path_(std::move(path)), force_(force) {}

  absl::Status CloseFiles();

  std::string path_;
  Descriptor folder_;
  bool is_new_ = false;
  bool force_;
  bool committed_ = false;
  std::unique_ptr<OutputFile> manifest_;
  std::vector<Descriptor> files_;  // open files, from number `first_` on
  std::uint64_t first_ = 0;
  std::vector<std::string> made_;
};

}  // namespace ggufgate
