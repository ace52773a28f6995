#include "rehearse/driver/command.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <vector>

#include "rehearse/driver/confine_driver.h"
#include "rehearse/driver_record.h"

namespace ggufgate::driver {
namespace {

// A rule of Landlock is needed for a real file only; one for a stand-in has no effect.
constexpr const char* kModelPath = "/proc/self/fd/3";
static_assert(kDriverStandIn == 3);

std::string FolderOf(const std::string& path) { return path.substr(0, path.rfind('/')); }

// PreloadedLibrary is the library in the folder of this program; empty: it is not there.
std::string PreloadedLibrary() {
  std::array<char, 4096> path{};
  const ssize_t length = ::readlink("/proc/self/exe", path.data(), path.size());
  if (length <= 0 || static_cast<std::size_t>(length) == path.size()) return "";
  const std::string own(path.data(), static_cast<std::size_t>(length));
  std::string library = FolderOf(own) + "/" + kPreloadedFile;
  return ::access(library.c_str(), R_OK) == 0 ? library : "";
}

// The folders where builds of llama.cpp and packages keep the libraries of a program.
std::vector<std::string> FoldersOf(const std::string& program) {
  const std::string folder = FolderOf(program);
  const std::string above = FolderOf(folder);
  return {folder, above + "/lib", above + "/lib64"};
}

}  // namespace

void RunCommand(const CommandToRun& command, Speaker& speaker) {
  const std::string library = PreloadedLibrary();
  if (library.empty()) {
    speaker.Cannot(std::string(kPreloadedFile) + " is not in the folder of ggufgate-rehearse");
  }
  const std::string facts = std::to_string(command.front_bytes) + (command.repacks ? " 1" : " 0");
  if (::setenv("LD_PRELOAD", library.c_str(), 1) != 0 ||
      ::setenv(kPreloadedVariable, facts.c_str(), 1) != 0) {
    speaker.Cannot("out of memory");
  }
  std::vector<char*> words(command.words.begin(), command.words.end());
  words.push_back(nullptr);
  const absl::Status confined = ConfineDriver({.folders = FoldersOf(command.program),
                                               .files = {library, kModelPath},
                                               .program = command.program,
                                               .cpu_seconds = command.cpu_seconds});
  if (!confined.ok()) speaker.Cannot(std::string(confined.message()));
  if (!Speaker::CloseOnStart()) speaker.Cannot("the pipe of the report cannot be closed");
  speaker.Enter(RehearsalStage::kRun);
  ::execv(command.program.c_str(), words.data());
  const bool script = errno == EACCES || errno == ENOEXEC;
  speaker.Cannot("the program cannot be started: " + std::generic_category().message(errno) +
                 (script ? "; a script needs programs that the sandbox does not allow" : ""));
}

}  // namespace ggufgate::driver
