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

// MutantFolder is where `ggufgate mutate` writes: numbered files, and a manifest that appears when
// they are all there. Without Commit() what was written goes away again, and the folder too where
// it was new.
class MutantFolder {
 public:
  // Open makes the folder, or takes an empty one; with `force` one that is not empty, whose files
  // of the same names are replaced. `inputs` ("-": standard input) must not lie in it.
  [[nodiscard]] static absl::StatusOr<std::unique_ptr<MutantFolder>> Open(
      const std::string& path, bool force, const std::vector<std::string>& inputs);

  MutantFolder(const MutantFolder&) = delete;
  MutantFolder& operator=(const MutantFolder&) = delete;
  ~MutantFolder();

  // OpenFiles makes the files from `first` up to `end`, of `count` in all, and closes those before.
  [[nodiscard]] absl::Status OpenFiles(std::uint64_t first, std::uint64_t end, std::uint64_t count);
  [[nodiscard]] int descriptor(std::uint64_t number) const {
    return files_.at(number - first_).get();
  }

  [[nodiscard]] std::ostream& manifest() { return manifest_->stream(); }
  [[nodiscard]] absl::Status FlushManifest() { return manifest_->Flush(); }

  [[nodiscard]] absl::Status Commit();

  // NameOf is "000041.gguf"; longer numbers where there are more than a million files.
  [[nodiscard]] static std::string NameOf(std::uint64_t number, std::uint64_t count);

 private:
  MutantFolder(std::string path, Descriptor folder, bool is_new, bool force)
      : path_(std::move(path)), folder_(std::move(folder)), is_new_(is_new), force_(force) {}

  std::string path_;
  Descriptor folder_;
  bool is_new_;
  bool force_;
  bool committed_ = false;
  std::unique_ptr<OutputFile> manifest_;
  std::vector<Descriptor> files_;  // open, from number `first_` on
  std::uint64_t first_ = 0;
  std::vector<std::string> made_;
};

}  // namespace ggufgate
