#pragma once

#include <span>
#include <string_view>

namespace ggufgate {

// ArchitectureInfo is one line of architectures.def.
struct ArchitectureInfo {
  std::string_view name;      // the value of `general.architecture`
  bool attention;             // every layer has attention
  bool heads_divide;          // default width of a head: embedding_length / head_count
  bool embeddings;            // token_embd.weight is [embedding_length, vocabulary]
  std::string_view divisors;  // keys of divisors, without the prefix, separated by spaces
  bool images;                // an image or video model, which llama.cpp does not load
};

// AllArchitectures lists the architectures in the order of architectures.def.
[[nodiscard]] std::span<const ArchitectureInfo> AllArchitectures();

// FindArchitecture finds an architecture by name; nullptr if it is unknown.
[[nodiscard]] const ArchitectureInfo* FindArchitecture(std::string_view name);

// kNewerBuild is the newest build of llama.cpp whose names are known. It has no contracts.
inline constexpr std::string_view kNewerBuild = "b12211";

// IsNewerArchitecture returns whether kNewerBuild knows an architecture that kContractRelease does
// not. Source: tests/fixed_set/newer_names.py.
[[nodiscard]] bool IsNewerArchitecture(std::string_view name);

}  // namespace ggufgate
