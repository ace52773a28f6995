#pragma once

// The report of `ggufgate repair`.

#include <ostream>
#include <string>

#include "repair/repair.h"

namespace ggufgate {

// PrintChanges prints one line for each change, and after the changes of one kind the reason why
// there is only one right answer.
void PrintChanges(const RepairPlan& plan, std::ostream& out);

// PrintLeft prints the faults that the repaired file keeps.
void PrintLeft(const Repair& repair, std::ostream& out);

// PrintRefused prints the reasons why a file is not repaired.
void PrintRefused(const std::string& path, const Repair& repair, std::ostream& out);

}  // namespace ggufgate
