#include <iostream>
#include <span>
#include <string>
#include <vector>

#include "bytes/audited.h"
#include "cli/command_line.h"

int main(int argc, char** argv) {
  std::vector<std::string> arguments;
  GGUFGATE_AUDITED_BEGIN  // the system hands over argc pointers
      const std::span<char*>
          given(argv, static_cast<std::size_t>(argc));
  GGUFGATE_AUDITED_END
  for (const char* argument : given.subspan(given.empty() ? 0 : 1))
    arguments.emplace_back(argument);
  return ggufgate::RunCommandLine(
      arguments, {.out = std::cout, .error = std::cerr, .colour = ggufgate::WantsColour()});
}
