#include "cli/mutate/mutant_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace ggufgate {
namespace {

namespace fs = std::filesystem;

constexpr char kManifest[] = "manifest.jsonl";

absl::Status Problem(int error_number) {
  return absl::FailedPreconditionError(std::generic_category().message(error_number));
}

// LiesIn tells whether a file, after all links are resolved, is in the folder.
bool LiesIn(const std::string& file, const fs::path& folder) {
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  return !error && fs::equivalent(real.parent_path(), folder, error);
}

absl::Status MayBeUsed(const std::string& path, bool force,
                       const std::vector<std::string>& inputs) {
  std::error_code error;
  if (!fs::is_directory(path, error)) return absl::FailedPreconditionError("it is not a folder");
  const bool empty = fs::is_empty(path, error);
  if (error) return Problem(error.value());
  if (!empty && !force) {
    return absl::FailedPreconditionError("it is not empty; --force writes into it anyway");
  }
  if (std::ranges::any_of(inputs, [&](const std::string& file) { return LiesIn(file, path); })) {
    return absl::FailedPreconditionError("it contains seeds, which would be overwritten");
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<MutantFolder>> MutantFolder::Open(
    const std::string& path, bool force, const std::vector<std::string>& inputs) {
  constexpr mode_t kMode = 0777;  // minus the umask
  // Allocated first, because a failed allocation after mkdir() would leave the folder behind.
  std::unique_ptr<MutantFolder> folder(new MutantFolder(path, force));
  folder->is_new_ = ::mkdir(path.c_str(), kMode) == 0;
  if (!folder->is_new_) {
    if (errno == ENOENT) return NoFolderFor(path);
    if (errno != EEXIST) return Problem(errno);
    if (absl::Status status = MayBeUsed(path, force, inputs); !status.ok()) return status;
  }
  folder->folder_ = Descriptor(::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!folder->folder_.valid()) return Problem(errno);
  // A manifest of an earlier run would describe other files.
  if (::unlinkat(folder->folder_.get(), kManifest, 0) != 0 && errno != ENOENT) {
    return Problem(errno);
  }
  auto manifest = OutputFile::Create((fs::path(path) / kManifest).string(), {});
  if (!manifest.ok()) return manifest.status();
  folder->manifest_ = *std::move(manifest);
  return folder;
}

MutantFolder::~MutantFolder() {
  manifest_.reset();
  if (committed_) return;
  for (const std::string& name : made_) ::unlinkat(folder_.get(), name.c_str(), 0);
  if (is_new_) ::rmdir(path_.c_str());
}

absl::Status MutantFolder::CloseFiles() {
  absl::Status status;
  for (Descriptor& file : files_) {
    if (const int error = file.Close(); error != 0) status.Update(Problem(error));
  }
  files_.clear();
  return status;
}

absl::Status MutantFolder::OpenFiles(std::uint64_t first, std::uint64_t end, std::uint64_t count) {
  constexpr mode_t kMode = 0666;  // minus the umask
  if (absl::Status closed = CloseFiles(); !closed.ok()) return closed;
  first_ = first;
  for (std::uint64_t number = first; number < end; ++number) {
    const std::string name = NameOf(number, count);
    // The file is removed and made again, because writing through a link would change its target.
    if (force_ && ::unlinkat(folder_.get(), name.c_str(), 0) != 0 && errno != ENOENT) {
      return Problem(errno);
    }
    made_.push_back(name);  // first, so that it is removed even if memory runs out
    Descriptor& file = files_.emplace_back();
    file = Descriptor(
        ::openat(folder_.get(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode));
    if (!file.valid()) {
      const int error = errno;
      made_.pop_back();  // another process made it
      return Problem(error);
    }
  }
  return absl::OkStatus();
}

absl::Status MutantFolder::Commit() {
  absl::Status status = CloseFiles();
  if (status.ok()) status = manifest_->Commit();
  committed_ = status.ok();
  return status;
}

std::string MutantFolder::NameOf(std::uint64_t number, std::uint64_t count) {
  const std::size_t digits = std::max<std::size_t>(6, std::to_string(count - 1).size());
  const std::string shown = std::to_string(number);
  return std::string(digits - std::min(digits, shown.size()), '0') + shown + ".gguf";
}

}  // namespace ggufgate
