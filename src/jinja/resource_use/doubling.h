#pragma once

#include "jinja/scope.h"

namespace ggufgate {

// CheckDoubling looks for names that hold their value of the previous round more than once: `ns.a =
// ns.a ~ ns.a`, or `ns.a = ns.b ~ ns.b` with `ns.b = ns.a`. It uses the records of the last
// reading.
//
// Names that are set from each other form a circle. An assignment within a circle that uses its
// names more than once doubles the value in every round. An assignment that uses them once, or uses
// other names, adds the same amount each time, like the loops of published templates. A circle
// lasts if it has a field of a namespace, or if a round reads one of its variables before it sets
// it: llama.cpp keeps variables until the loop ends, while Jinja2 forgets them after each round.
void CheckDoubling(TemplateScope& scope);

// CheckOwnHeld looks for containers that are put into themselves, under any names: llama.cpp prints
// them without end.
void CheckOwnHeld(TemplateScope& scope);

}  // namespace ggufgate
