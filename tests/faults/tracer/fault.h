#pragma once

#include <map>
#include <optional>
#include <string>

namespace ggufgate::faults {

// NameOf gives the name of a system call by its number, "call-N" when it has none here.
std::string NameOf(long call);

// Fault is what shall happen at a system call: at calls number `number` up to `number + times` (or
// ever after, with 0 times) of those that a process makes, counted for each process by itself.
//
// A process is named by the forks that lead to it: the command is "0", the second process that it
// forks "0.2", and the first that this one forks "0.2.1".
struct Fault {
  enum class What { kError, kShort, kZero, kSignal, kRun };
  enum class To { kSelf, kOuter, kGroup };  // who gets the signal

  std::string process;  // "any": every one
  std::string call;     // "any": every one
  std::string path;     // of the file that the call names; empty: whichever
  unsigned number = 1;
  unsigned times = 1;
  What what = What::kError;
  int value = 0;  // errno, or the signal
  To to = To::kSelf;
  std::string command;  // for a shell, run while the process waits at the call

  std::map<std::string, unsigned> seen;  // by process

  // Happens counts a call and tells whether it is one that the fault is meant for.
  bool Happens(const std::string& by, const std::string& name, const std::string& file);
};

// ParseFault understands "PROCESS CALL[@PATH] NUMBER TIMES ACTION", with ACTION errno=N, short,
// zero, signal=N,self|outer|group or run=COMMAND.
std::optional<Fault> ParseFault(const std::string& text);

}  // namespace ggufgate::faults
