#include "faults/heap/command_main.h"

#define main CommandMain
#include "cli/main.cc"  // NOLINT(bugprone-suspicious-include)
