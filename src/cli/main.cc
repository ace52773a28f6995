#include <fcntl.h>
#include <unistd.h>

#include <exception>
#include <iostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/bytes.h"
#include "cli/command_line.h"
#include "cli/usage/terminal.h"

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

int main(int argc, char** argv) try {
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
                                              .colour = ggufgate::WantsColour(STDOUT_FILENO),
                                              .error_colour = ggufgate::WantsColour(STDERR_FILENO),
                                              .progress = ggufgate::WantsProgress(STDERR_FILENO),
                                              .columns = ggufgate::ColumnsOf(STDOUT_FILENO),
                                              .error_columns = ggufgate::ColumnsOf(STDERR_FILENO)});
} catch (const std::exception&) {
  // Memory has ended where nothing else can say so; std::cerr may be what it has ended in.
  constexpr std::string_view kMessage = "ggufgate: out of memory\n";
  [[maybe_unused]] const ssize_t put = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
  return ggufgate::kExitUndecided;
}
