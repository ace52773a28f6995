#pragma once

#include "jinja/scope.h"

namespace ggufgate {

// CheckDoubling looks for names that hold their value of the round before more than once, with the
// records of the last reading: `ns.a = ns.a ~ ns.a`, or `ns.a = ns.b ~ ns.b` with `ns.b = ns.a`.
//
// Names that are set from each other form a circle; an assignment within one that takes more than
// once from it doubles with every round. What takes once, and anything from elsewhere, grows by the
// same amount each time, as honest loops do. A circle lasts if a namespace's field is in it, or if
// a round reads one of its variables before it sets it: llama.cpp keeps variables until the loop
// ends, while Jinja2 forgets them with each round.
void CheckDoubling(TemplateScope& scope);

// CheckOwnHeld looks for containers that are put into themselves, by whatever names: llama.cpp
// writes them out without an end.
void CheckOwnHeld(TemplateScope& scope);

}  // namespace ggufgate
