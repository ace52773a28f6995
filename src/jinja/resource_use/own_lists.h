#pragma once

#include "jinja/scope.h"

namespace ggufgate {

// kNewList is the alias of a list that is made for a loop: `range(…)`, `[…]`. No code can spell it.
inline constexpr std::string_view kNewList = "[]";

// SeekOwnList checks a method that adds to a container within loops. It records each pair of
// containers that may be the same object.
void SeekOwnList(const JinjaToken& method, const TemplateValue& receiver, TemplateScope& scope);

// NoteLoopedCall records the call of a macro, given by its slot, and the loops around it.
void NoteLoopedCall(std::size_t callee, TemplateScope& scope);

// EndOwnLists records the end of the innermost loop.
void EndOwnLists(TemplateScope& scope);

// CheckOwnLists looks for loops that add to the container that they iterate over, under any names:
// then llama.cpp and Jinja2 iterate without end. It uses the records of the last reading. The loop
// may be around a call of the macro, or of the call block, that adds.
void CheckOwnLists(TemplateScope& scope);

}  // namespace ggufgate
