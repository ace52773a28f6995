#pragma once

// Conditions that must not hold: otherwise llama.cpp crashes, aborts or hangs, although the model
// parses. Each file of this folder has one family: a function per condition, and a table.
//
// A function is true for hyper-parameters, as the loader reads them, that break the condition. The
// architectures of each condition were measured; for another release, scripts/learn-reference
// measures them again. A condition that no block of src/format/contracts names is not checked. A
// finding points to the first of its keys that the file has.
//
// Source of the formulas: the assertions of load_hparams, the graphs in src/models/*.cpp and ggml
// of llama.cpp v0.5.0.

#include <array>
#include <span>

#include "check/rules/contract/conditions/condition.h"

namespace ggufgate {

#define GGUFGATE_FAMILY(name) [[nodiscard]] std::span<const Condition> name##Conditions();
#include "check/rules/contract/conditions/families.def"
#undef GGUFGATE_FAMILY

}  // namespace ggufgate
