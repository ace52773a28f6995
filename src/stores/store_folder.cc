#include "stores/store_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <memory>
#include <utility>

#include "bytes/file_source.h"
#include "gate/reading/looks_like_model.h"
#include "gate/reading/read_document.h"

namespace ggufgate {

absl::StatusOr<StoreFolder> StoreFolder::Open(const std::string& path) {
  Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) return absl::ErrnoToStatus(errno, "cannot search the folder");
  return StoreFolder(std::move(folder),
                     path.ends_with('/') ? path.substr(0, path.size() - 1) : path);
}

absl::StatusOr<StoreFolder> StoreFolder::In(const std::string& name) const {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;
  Descriptor folder(::openat(descriptor_.get(), name.c_str(), kFlags));
  if (!folder.valid()) return absl::ErrnoToStatus(errno, "cannot search the folder");
  return StoreFolder(std::move(folder), PathOf(name));
}

absl::StatusOr<std::vector<std::string>> StoreFolder::Names(std::uint64_t most) const {
  const int again = ::openat(descriptor_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (again < 0) return absl::ErrnoToStatus(errno, "cannot search the folder");
  const auto close = [](DIR* stream) { ::closedir(stream); };
  const std::unique_ptr<DIR, decltype(close)> stream(::fdopendir(again), close);
  if (stream == nullptr) {
    ::close(again);
    return absl::ErrnoToStatus(errno, "cannot search the folder");
  }
  std::vector<std::string> names;
  while (true) {
    errno = 0;
    const dirent* const entry = ::readdir(stream.get());
    if (entry == nullptr && errno != 0)
      return absl::ErrnoToStatus(errno, "cannot search the folder");
    if (entry == nullptr) break;
    std::string name(&entry->d_name[0]);
    if (name == "." || name == "..") continue;
    if (names.size() == most) {
      return absl::ResourceExhaustedError("it is not searched: there are too many names");
    }
    names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  return names;
}

StoreFolder::Kind StoreFolder::KindOf(const std::string& name) const {
  struct stat status = {};
  if (::fstatat(descriptor_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    return errno == ENOENT ? Kind::kNone : Kind::kUnknown;
  }
  return S_ISREG(status.st_mode)   ? Kind::kFile
         : S_ISDIR(status.st_mode) ? Kind::kFolder
         : S_ISLNK(status.st_mode) ? Kind::kLink
                                   : Kind::kOther;
}

absl::StatusOr<std::string> StoreFolder::TextOf(const std::string& name, std::uint64_t most) const {
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  const Descriptor file(::openat(descriptor_.get(), name.c_str(), kFlags));
  struct stat status = {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0) {
    return absl::ErrnoToStatus(errno, "cannot open");
  }
  if (!S_ISREG(status.st_mode)) return absl::InvalidArgumentError("not a regular file");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > most) return absl::OutOfRangeError("too long");
  std::vector<std::uint8_t> bytes(size);
  const ReadOutcome outcome = FileSource(file.get(), size).ReadAt(0, bytes);
  if (!outcome.complete()) return StatusOf(outcome);
  return std::string(AsText(bytes));
}

std::optional<std::string> StoreFolder::LinkAt(const std::string& name) const {
  std::array<char, PATH_MAX> text{};
  const ssize_t size = ::readlinkat(descriptor_.get(), name.c_str(), text.data(), text.size());
  if (size < 0 || static_cast<std::size_t>(size) == text.size()) return std::nullopt;
  return std::string(text.data(), static_cast<std::size_t>(size));
}

absl::StatusOr<bool> StoreFolder::BeginsAsModel(const std::string& name) const {
  return BeginsWithMagic(descriptor_.get(), name.c_str());
}

std::optional<std::string> BlobOfLink(std::string_view link, std::size_t depth) {
  constexpr std::string_view kUp = "../";
  constexpr std::string_view kBlobs = "blobs/";
  for (std::size_t i = 0; i < depth; ++i) {
    if (!link.starts_with(kUp)) return std::nullopt;
    link.remove_prefix(kUp.size());
  }
  if (!link.starts_with(kBlobs)) return std::nullopt;
  link.remove_prefix(kBlobs.size());
  if (link.empty() || link == "." || link == ".." || link.find('/') != std::string_view::npos) {
    return std::nullopt;
  }
  return std::string(link);
}

}  // namespace ggufgate
