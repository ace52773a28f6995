#include "cli/loader_command.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "absl/strings/str_split.h"

namespace ggufgate {
namespace {

constexpr std::string_view kPlace = "{}";

bool HasPlace(const std::string& word) { return word.find(kPlace) != std::string::npos; }

}  // namespace

std::string FaultOfCommand(const std::vector<std::string>& command, const std::string& usage) {
  if (command.empty() || HasPlace(command.front())) {
    return "put a command before {}: " + usage;
  }
  if (std::ranges::none_of(command, HasPlace)) {
    return "the command has no {}; write {} instead of the name of the model";
  }
  return "";
}

std::vector<std::string> WithModel(std::vector<std::string> command, const std::string& model) {
  for (std::string& word : command) {
    for (std::size_t at = word.find(kPlace); at != std::string::npos;
         at = word.find(kPlace, at + model.size())) {
      word.replace(at, kPlace.size(), model);
    }
  }
  return command;
}

std::vector<std::string> PathsOf(const std::string& name) {
  if (name.find('/') != std::string::npos) return {name};
  const char* const path = std::getenv("PATH");
  std::vector<std::string> paths = absl::StrSplit(path != nullptr ? path : "/usr/bin:/bin", ':');
  for (std::string& place : paths) place += (place.empty() ? "./" : "/") + name;
  return paths;
}

}  // namespace ggufgate
