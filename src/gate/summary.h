#pragma once

#include <cstdint>
#include <string>

namespace ggufgate {

struct Document;

// Summary is what a person wants to read of a model in one line. Text is from the file, unescaped.
struct Summary {
  std::uint32_t version = 0;
  std::string architecture;  // empty when there is none
  std::string sidecar;       // what it is instead of a model: "LoRA adapter"; else empty
  std::uint64_t metadata_keys = 0;
  std::uint64_t tensors = 0;
  std::uint64_t parameters = 0;  // elements of all tensors; saturates
  std::string main_type;         // the type most elements have: "Q4_K"; empty without tensors
  bool mixed_types = false;      // other types occur too
};

[[nodiscard]] Summary Summarise(const Document& document);

}  // namespace ggufgate
