#include <fcntl.h>
#include <unistd.h>

#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "bytes/bytes.h"
#include "cli/command_line.h"

namespace {

// A descriptor of 0 to 2 that the caller left closed would be given to the next file opened: a
// model would pass for standard input. One that can be neither read nor written takes its place.
void HoldStandardDescriptors() {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) < 0) {
      [[maybe_unused]] const int held = ::open("/dev/null", O_PATH);  // the lowest free number
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  HoldStandardDescriptors();
  std::vector<std::string> arguments;
  GGUFGATE_AUDITED_BEGIN  // the system hands over argc pointers
      const std::span<char*>
          given(argv, static_cast<std::size_t>(argc));
  GGUFGATE_AUDITED_END
  for (const char* argument : given.subspan(given.empty() ? 0 : 1))
    arguments.emplace_back(argument);
  return ggufgate::RunCommandLine(arguments, {.out = std::cout,
                                              .error = std::cerr,
                                              .colour = ggufgate::WantsColour(),
                                              .progress = ggufgate::WantsProgress()});
}
