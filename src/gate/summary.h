#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ggufgate {

struct Document;

inline constexpr std::string_view kLoraAdapter = "LoRA adapter";  // a value of Summary::sidecar

// Summary describes a model in one line for people. Its text is from the file, unescaped.
struct Summary {
  std::uint32_t version = 0;
  std::string architecture;  // empty if missing
  std::string sidecar;       // empty for a model; else the kind of file, such as kLoraAdapter
  std::uint64_t rank = 0;    // the largest rank in a LoRA adapter; 0 for other files
  std::uint64_t metadata_keys = 0;
  std::uint64_t tensors = 0;
  std::uint64_t parameters = 0;  // elements of all tensors; saturates
  std::string main_type;         // the type of most elements, such as "Q4_K"; empty without tensors
  bool mixed_types = false;      // other types occur too
};

[[nodiscard]] Summary Summarise(const Document& document);

}  // namespace ggufgate
