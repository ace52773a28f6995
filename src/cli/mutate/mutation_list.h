#pragma once

#include <ostream>

namespace ggufgate {

// Print lists every mutation with its family, its kind and, of lies, the rules that answer: a line
// each for people, or JSON (ggufgate.mutations/1).
void PrintMutationsText(std::ostream& out);
void PrintMutationsJson(std::ostream& out);

}  // namespace ggufgate
