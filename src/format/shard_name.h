#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ggufgate {

// ShardName is the name of one file of a model in several: `STEM-00002-of-00005.gguf`.
// Source: llama.cpp, llama_split_path and llama_split_prefix in src/llama.cpp.
struct ShardName {
  std::string_view stem;
  std::uint32_t number = 0;  // from 1
  std::uint32_t count = 0;
};

// ParseShardName takes a file name without folders apart; nullopt when it is no shard's. The stem
// views the name.
[[nodiscard]] std::optional<ShardName> ParseShardName(std::string_view file_name);

// ParseImpossibleShardName parses a name of that form with impossible numbers: shard 0, a shard
// behind the last, or more shards than llama.cpp counts; nullopt for any other name.
[[nodiscard]] std::optional<ShardName> ParseImpossibleShardName(std::string_view file_name);

// FileNameOf puts it together again.
[[nodiscard]] std::string FileNameOf(const ShardName& name);

}  // namespace ggufgate
