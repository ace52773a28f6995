#pragma once

// The shards of one model, judged together.

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

// ShardFacts is what a set wants to know of one shard. It owns all of it, so that the file need not
// stay in memory: some hundred bytes; for each tensor its name (64 bytes at most, tensors of longer
// names are left out: another rule refuses them) and 80 bytes; and of the first shard the keys of
// its architecture, kMostKeyBytes at most.
struct ShardFacts {
  // The most layers there can be, with a number each in dozens of keys, are a tenth of it.
  static constexpr std::uint64_t kMostKeyBytes = std::uint64_t{512} << 10;

  struct Field {
    std::uint64_t entry = 0;  // index of the key
    ByteRange where;          // of the value
    std::uint64_t value = 0;
  };
  struct Tensor {
    ByteRange name;           // in `names`
    std::uint64_t index = 0;  // in the directory
    std::uint64_t begin = 0;  // of the record, in the file
    std::array<std::uint64_t, kReadDimensions> dims{1, 1, 1, 1, 1};
    std::uint32_t dimension_count = 0;
    std::uint32_t type_id = 0;
  };
  // Key is where a record of `keys` stands in the file.
  struct Key {
    std::uint64_t entry = 0;  // index of the key
    std::uint64_t begin = 0;  // of the record
  };
  Field number;                         // split.no, from 0
  Field count;                          // split.count; 0: a merged file, and nothing else is known
  std::optional<Field> tensors_of_all;  // split.tensors.count
  std::uint64_t tensors = 0;            // of this shard
  std::string names;
  std::vector<Tensor> directory;
  // Of the first shard: its architecture's metadata as a file of their own, without tensors. Empty
  // where they are more than kMostKeyBytes; `key_bytes` then says how many.
  std::string keys;
  std::vector<Key> key_places;
  std::uint64_t key_bytes = 0;

  // IsSound is true of what ShardFactsOf gives. Facts that came from another process are asked.
  [[nodiscard]] bool IsSound() const;

  [[nodiscard]] std::string_view NameOf(const Tensor& tensor) const {
    return std::string_view(names).substr(tensor.name.begin, tensor.name.size);
  }
};

// ShardFactsOf gives nullopt for a file that says nothing of shards, whose keys shard-fields
// refuses, or that was not read to the end of its directory.
[[nodiscard]] std::optional<ShardFacts> ShardFactsOf(const Document& document);

// ShardMember is a file of a set.
struct ShardMember {
  std::string file;                   // its name, without folders; hostile text
  std::uint32_t number = 0;           // as its name says, from 1
  const ShardFacts* facts = nullptr;  // nullptr: it says nothing of shards, or was not understood
  bool unsound = false;               // refused, or not judged, for its own sake
  Findings* findings = nullptr;       // of this file; never nullptr
};

// ShardSet is the files of one folder whose names differ in the number only.
struct ShardSet {
  std::string stem;                  // hostile text
  std::uint32_t count = 0;           // as the names say
  std::vector<ShardMember> members;  // by rising number; one file may be there twice
  bool alone = false;                // it is one file, and nobody looked for the others
};

// JudgeShardSet adds what is wrong with a set to the findings of its members, as rule shard-set:
// what concerns one shard to that one, what is missing and a wrong total to the first there is. Of
// a set in which anything is wrong, every other member gets a finding that says so: none of them
// can be loaded, and a report on one of them alone must say it.
//
// Where the set is complete it is judged as the one model that a loader makes of it, too, by the
// rules that hold tensors against the architecture: see joined_shards.h.
//
// Of a file alone it says where its name contradicts its keys.
//
// Files that are named like parts of a model and do not say that they are get a warning.
// 00001-of-00001 gets none: a model of one safetensors file often has this name. Time is n log n in
// the tensors of all members.
void JudgeShardSet(const ShardSet& set, const Policy& policy);

// JudgeImpossibleName adds to the findings of a file that its name is that of no shard there can
// be. `facts` may be nullptr: of a file that is no shard it is a warning.
void JudgeImpossibleName(const ShardName& name, const ShardFacts* facts, const Policy& policy,
                         Findings& findings);

}  // namespace ggufgate
