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

// If the caller has closed a standard descriptor, the next file opened would get its number, and a
// model could become standard input. So the free numbers get a descriptor that can be neither read
// nor written.
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
  GGUFGATE_AUDITED_BEGIN  // the system passes argc pointers
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
  // Out of memory, with no other way to report it: std::cerr itself may need memory.
  constexpr std::string_view kMessage = "ggufgate: out of memory\n";
  [[maybe_unused]] const ssize_t put = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
  return ggufgate::kExitUndecided;
}
