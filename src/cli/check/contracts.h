#pragma once

// The option --contracts: contracts of another release of llama.cpp.

#include <memory>
#include <optional>
#include <string>

#include "cli/command_line.h"
#include "format/contracts/contract_table.h"

namespace ggufgate {

// ContractsText returns the text of the file, or an empty text without the option. It returns
// nullopt, with a message on the error stream, if the file cannot be read. It must be called before
// the process is confined.
[[nodiscard]] std::optional<std::string> ContractsText(const std::string& path,
                                                       const Streams& streams);

// ContractsIn returns the table in the text; null if the text is invalid, with a line
// `FILE:LINE: …` on the error stream. The text is untrusted, so it must be called after the process
// is confined.
[[nodiscard]] std::shared_ptr<const ContractTable> ContractsIn(const std::string& text,
                                                               const std::string& path,
                                                               const Streams& streams);

}  // namespace ggufgate
