#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ggufgate {

// ShardName is the file name of one shard of a model: `STEM-00002-of-00005.gguf`. Source:
// llama.cpp, llama_split_path and llama_split_prefix in src/llama.cpp.
struct ShardName {
  std::string_view stem;
  std::uint32_t number = 0;  // from 1
  std::uint32_t count = 0;
};

// ParseShardName parses a file name without folders; nullopt if it is not the name of a shard. The
// stem views the name.
[[nodiscard]] std::optional<ShardName> ParseShardName(std::string_view file_name);

// ParseImpossibleShardName parses a name of that form with impossible numbers: shard 0, a shard
// after the last, or more shards than llama.cpp supports; nullopt for any other name.
[[nodiscard]] std::optional<ShardName> ParseImpossibleShardName(std::string_view file_name);

// FileNameOf returns the file name.
[[nodiscard]] std::string FileNameOf(const ShardName& name);

}  // namespace ggufgate
