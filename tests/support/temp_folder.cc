#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace ggufgate::testing {
namespace {

namespace fs = std::filesystem;

// A test without its folder is meaningless, so it stops with the reason.
[[noreturn]] void Fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

TempFolder::TempFolder() : path_(fs::path(::testing::TempDir()) / "ggufgate-XXXXXX") {
  if (::mkdtemp(path_.data()) == nullptr) Fail(path_);
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string TempFolder::Path(std::string_view name) const {
  return path_ + "/" + std::string(name);
}

std::string TempFolder::Write(std::string_view name, Bytes content) const {
  return WriteText(name, AsText(content));
}

std::string TempFolder::WriteText(std::string_view name, std::string_view content) const {
  std::string path = Path(name);
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file) Fail("cannot write " + path);
  return path;
}

std::string TempFolder::MakeFolder(std::string_view name) const {
  std::string path = Path(name);
  fs::create_directories(path);
  return path;
}

std::string TempFolder::MakePipe(std::string_view name) const {
  std::string path = Path(name);
  if (::mkfifo(path.c_str(), S_IRUSR | S_IWUSR) != 0) Fail(path);
  return path;
}

std::string TempFolder::MakeSocket(std::string_view name) const {
  std::string path = Path(name);
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) throw std::length_error(path);
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) Fail(path);
  const int bound = ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
  ::close(socket);  // the name remains
  if (bound != 0) Fail(path);
  return path;
}

std::string TempFolder::Link(std::string_view name, std::string_view target) const {
  std::string path = Path(name);
  fs::create_symlink(fs::path(target), path);
  return path;
}

std::string TempFolder::MakeSparse(std::string_view name, Bytes head, std::uint64_t size) const {
  std::string path = Write(name, head);
  fs::resize_file(path, size);
  return path;
}

}  // namespace ggufgate::testing
