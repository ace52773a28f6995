#pragma once

#include <string>
#include <string_view>

#include "bytes/bytes.h"

namespace ggufgate::testing {

// TempFolder is a new, empty folder. It is removed with its contents.
class TempFolder {
 public:
  TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder();

  [[nodiscard]] const std::string& path() const { return path_; }

  // Path returns the path of a name in the folder; no such file need exist. The name may have any
  // bytes.
  [[nodiscard]] std::string Path(std::string_view name) const;

  // Each function makes something new and returns its path.
  std::string Write(std::string_view name, Bytes content) const;
  std::string WriteText(std::string_view name, std::string_view content) const;
  std::string MakeFolder(std::string_view name) const;
  std::string MakePipe(std::string_view name) const;
  std::string MakeSocket(std::string_view name) const;
  std::string Link(std::string_view name, std::string_view target) const;
  // MakeSparse makes a file of `size` bytes that begins with `head`, followed by a hole.
  std::string MakeSparse(std::string_view name, Bytes head, std::uint64_t size) const;

 private:
  std::string path_;
};

}  // namespace ggufgate::testing
