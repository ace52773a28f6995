#pragma once

#include <map>
#include <optional>
#include <string>

namespace ggufgate::faults {

// NameOf returns the name of a system call, or "call-N" if the list lacks it.
std::string NameOf(long call);

// Fault is an action at a system call: at calls number `number` up to `number + times` of a
// process, or with 0 times at all from `number` on. Each process counts separately.
//
// A process is named by the forks that lead to it: the command is "0", the second process that it
// forks is "0.2", and the first that this one forks is "0.2.1".
struct Fault {
  enum class What { kError, kShort, kZero, kSignal, kRun };
  enum class To { kSelf, kOuter, kGroup };  // the receiver of the signal

  std::string process;  // "any": all processes
  std::string call;     // "any": all calls
  std::string path;     // of the call's file; empty: any
  unsigned number = 1;
  unsigned times = 1;
  What what = What::kError;
  int value = 0;  // errno, or the signal
  To to = To::kSelf;
  std::string command;  // a shell command that runs while the process waits at the call

  std::map<std::string, unsigned> seen;  // by process

  // Happens counts a call and tells whether the fault applies to it.
  bool Happens(const std::string& by, const std::string& name, const std::string& file);
};

// ParseFault parses "PROCESS CALL[@PATH] NUMBER TIMES ACTION". ACTION is errno=N, short, zero,
// signal=N,self|outer|group or run=COMMAND.
std::optional<Fault> ParseFault(const std::string& text);

}  // namespace ggufgate::faults
