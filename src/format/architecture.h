#pragma once

#include <span>
#include <string_view>

namespace ggufgate {

// ArchitectureInfo is one line of architectures.def.
struct ArchitectureInfo {
  std::string_view name;      // the value of `general.architecture`
  bool attention;             // every layer attends
  bool heads_divide;          // a head is embedding_length / head_count wide unless told otherwise
  bool embeddings;            // token_embd.weight is [embedding_length, vocabulary]
  std::string_view divisors;  // keys that are divided by, without the prefix, separated by blanks
  bool images;                // of image and video models, which llama.cpp does not load
};

// AllArchitectures lists them in the order of architectures.def.
[[nodiscard]] std::span<const ArchitectureInfo> AllArchitectures();

// FindArchitecture looks a name up; nullptr when nothing is known of it.
[[nodiscard]] const ArchitectureInfo* FindArchitecture(std::string_view name);

}  // namespace ggufgate
