#include "cli/usage/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace ggufgate {
namespace {

// Fewer columns are unreadable; no terminal has more.
constexpr std::size_t kFewestColumns = 20;
constexpr std::size_t kMostColumns = 10'000;

std::string_view Variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::string_view(value) : std::string_view();
}

// ColumnsVariable returns the value of COLUMNS, or 0.
std::size_t ColumnsVariable() {
  const std::string_view text = Variable("COLUMNS");
  std::size_t columns = 0;
  const char* const end = std::to_address(text.end());
  const auto [stop, error] = std::from_chars(std::to_address(text.begin()), end, columns);
  return error == std::errc() && stop == end ? columns : 0;
}

std::size_t ColumnsOfTerminal(int descriptor) {
  winsize size = {};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

bool WantsColour(int descriptor) {
  if (!Variable("NO_COLOR").empty()) return false;
  if (!Variable("FORCE_COLOR").empty()) return true;
  return ::isatty(descriptor) == 1 && Variable("TERM") != "dumb";
}

bool WantsProgress(int descriptor) {
  return ::isatty(descriptor) == 1 && Variable("TERM") != "dumb";
}

std::size_t ColumnsOf(int descriptor) {
  constexpr std::size_t kUsual = 80;  // of a terminal that does not know
  if (::isatty(descriptor) != 1) return 0;
  std::size_t columns = ColumnsVariable();
  if (columns == 0) columns = ColumnsOfTerminal(descriptor);
  return std::clamp(columns == 0 ? kUsual : columns, kFewestColumns, kMostColumns);
}

void AddColourOption(Command command, std::string& choice) {
  command.AddChoice("--color", choice,
                    "Use colours: on a terminal (auto, default), always or never. Without this "
                    "option, the variables NO_COLOR and FORCE_COLOR apply.",
                    {"auto", "always", "never"});
}

bool Coloured(const std::string& choice, bool wanted) {
  return choice == "always" || (choice != "never" && wanted);
}

}  // namespace ggufgate
