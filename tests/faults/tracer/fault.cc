#include "faults/tracer/fault.h"

#include <sys/syscall.h>

#include <iterator>
#include <sstream>
#include <utility>

namespace ggufgate::faults {
namespace {

constexpr std::pair<long, const char*> kNames[] = {
#define GGUFGATE_CALL(name) {SYS_##name, #name},
#include "faults/tracer/call_names.def"
#undef GGUFGATE_CALL
};

bool StartsWith(const std::string& text, const std::string& with, std::string& rest) {
  if (text.compare(0, with.size(), with) != 0) return false;
  rest = text.substr(with.size());
  return true;
}

bool ParseAction(const std::string& action, Fault& fault) {
  std::string rest;
  if (action == "short") {
    fault.what = Fault::What::kShort;
  } else if (action == "zero") {
    fault.what = Fault::What::kZero;
  } else if (StartsWith(action, "errno=", rest)) {
    fault.value = std::stoi(rest);
  } else if (StartsWith(action, "run=", rest)) {
    fault.what = Fault::What::kRun;
    fault.command = rest;
  } else if (StartsWith(action, "signal=", rest)) {
    fault.what = Fault::What::kSignal;
    fault.value = std::stoi(rest);
    const std::string to = rest.substr(rest.find(',') + 1);
    if (to != "self" && to != "outer" && to != "group") return false;
    fault.to = to == "self"    ? Fault::To::kSelf
               : to == "outer" ? Fault::To::kOuter
                               : Fault::To::kGroup;
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::string NameOf(long call) {
  for (const auto& [number, name] : kNames) {
    if (number == call) return name;
  }
  return "call-" + std::to_string(call);
}

bool Fault::Happens(const std::string& by, const std::string& name, const std::string& file) {
  if (process != "any" && process != by) return false;
  if (call != "any" && call != name) return false;
  if (!path.empty() && path != file) return false;
  const unsigned nth = ++seen[by];
  return nth >= number && (times == 0 || nth - number < times);
}

std::optional<Fault> ParseFault(const std::string& text) {
  Fault fault;
  std::istringstream in(text);
  in >> fault.process >> fault.call >> fault.number >> fault.times >> std::ws;
  if (!in) return std::nullopt;
  const std::string action{std::istreambuf_iterator<char>(in), {}};
  if (const std::size_t at = fault.call.find('@'); at != std::string::npos) {
    fault.path = fault.call.substr(at + 1);
    fault.call.resize(at);
  }
  if (!ParseAction(action, fault)) return std::nullopt;
  return fault;
}

}  // namespace ggufgate::faults
