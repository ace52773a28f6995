#pragma once

// Checks the shards of one model together.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bytes/byte_range.h"
#include "format/shard_name.h"
#include "format/tensors/layout.h"
#include "parse/document.h"

namespace ggufgate {

struct Findings;
struct Policy;

// ShardFacts has the facts about one shard that the check of a set needs. It owns copies, so the
// file need not stay in memory. Its size: a few hundred bytes; for each tensor 80 bytes and its
// name (at most 64 bytes; tensors with longer names are omitted, because another rule rejects
// them); and for the first shard the keys of its architecture, at most kMostKeyBytes.
struct ShardFacts {
  // Ten times the size of dozens of keys with a number for each of kMostLayers layers.
  static constexpr std::uint64_t kMostKeyBytes = std::uint64_t{512} << 10;

  struct Field {
    std::uint64_t entry = 0;  // index of the key
    ByteRange where;          // of the value
    std::uint64_t value = 0;
  };
  struct Tensor {
    ByteRange name;           // in `names`
    std::uint64_t index = 0;  // in the directory
    std::uint64_t begin = 0;  // file offset of the record
    std::array<std::uint64_t, kReadDimensions> dims{1, 1, 1, 1, 1};
    std::uint32_t dimension_count = 0;
    std::uint32_t type_id = 0;
  };
  // Key is the place in the file of a record of `keys`.
  struct Key {
    std::uint64_t entry = 0;  // index of the key
    std::uint64_t begin = 0;  // of the record
  };
  Field number;                         // split.no, from 0
  Field count;                          // split.count; 0: a merged file, without other facts
  std::optional<Field> tensors_of_all;  // split.tensors.count
  std::uint64_t tensors = 0;            // of this shard
  std::string names;
  std::vector<Tensor> directory;
  // For the first shard: the metadata of its architecture, as a GGUF file without tensors. Empty if
  // they exceed kMostKeyBytes; `key_bytes` then has their size.
  std::string keys;
  std::vector<Key> key_places;
  std::uint64_t key_bytes = 0;

  // IsSound is true for results of ShardFactsOf. Use it to validate facts from another process.
  [[nodiscard]] bool IsSound() const;

  [[nodiscard]] std::string_view NameOf(const Tensor& tensor) const {
    return std::string_view(names).substr(tensor.name.begin, tensor.name.size);
  }
};

// ShardFactsOf returns nullopt for a file without keys of shards, with keys that shard-fields
// rejects, or with an incomplete directory.
[[nodiscard]] std::optional<ShardFacts> ShardFactsOf(const Document& document);

// ShardMember is a file of a set.
struct ShardMember {
  std::string file;                   // name without folders; hostile text
  std::uint32_t number = 0;           // in its name, from 1
  const ShardFacts* facts = nullptr;  // nullptr: the file has no keys of shards, or was not parsed
  bool unsound = false;               // rejected or undecided as a single file
  Findings* findings = nullptr;       // for this file; never nullptr
};

// ShardSet has the files of one folder whose names differ only in the number.
struct ShardSet {
  std::string stem;                  // hostile text
  std::uint32_t count = 0;           // in the names
  std::vector<ShardMember> members;  // by rising number; a number may occur twice
  bool alone = false;                // a single file; the others were not searched
};

// JudgeShardSet adds the findings about a set to its members, as rule shard-set. Findings about one
// shard go to that shard. Missing shards and a wrong total go to the first existing shard. If the
// set has any error, every other member gets a finding about that: no member can be loaded, and a
// report on a single member must show it.
//
// A complete set is also checked as one model, by the rules that compare tensors with the
// architecture: see joined_shards.h.
//
// For a single file, it reports contradictions between its name and its keys.
//
// Files that are named like shards, but lack the keys of shards, get a warning. 00001-of-00001 gets
// none, because a model of one safetensors file often has this name. Time is n log n in the tensors
// of all members.
void JudgeShardSet(const ShardSet& set, const Policy& policy);

// JudgeImpossibleName reports a file name that no shard can have. `facts` may be nullptr: if the
// file is not a shard, the finding is a warning.
void JudgeImpossibleName(const ShardName& name, const ShardFacts* facts, const Policy& policy,
                         Findings& findings);

}  // namespace ggufgate
