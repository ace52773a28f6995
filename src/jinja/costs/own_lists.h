#pragma once

#include "jinja/scope.h"

namespace ggufgate {

// SeekOwnList looks at a method that adds to a container, within loops. It records each pair of
// containers that may be one and the same object.
void SeekOwnList(const JinjaToken& method, const TemplateValue& receiver, TemplateScope& scope);

// EndOwnLists records where the innermost loop ends.
void EndOwnLists(TemplateScope& scope);

// CheckOwnLists looks for loops that add to the container that they iterate over, by whatever
// names, with the records of the last reading: llama.cpp and Jinja2 then iterate without an end. It
// does not follow a loop around the call of a macro that adds.
void CheckOwnLists(TemplateScope& scope);

}  // namespace ggufgate
