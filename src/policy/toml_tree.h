#pragma once

// The tables of a TOML document during parsing, and the rules for repeated names. Internal to this
// module.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policy/toml.h"
#include "policy/toml_cursor.h"

namespace ggufgate::internal {

// TomlKey is a part of a dotted key.
struct TomlKey {
  std::string name;
  TextPlace at;
};

struct TomlNode {
  // How a name was defined. This determines what may still be added to it.
  enum class Origin : std::uint8_t {
    // By `name = …`: nothing may be added, even to an array or an inline table.
    kValue,
    kImplied,  // before the last dot of a header: a header may still define it
    kHeader,   // by a header: only tables
    kDotted,   // before the last dot of a key: more keys with dots, and tables
    kTables,   // an array by [[name]]: more such tables
  };

  std::size_t number = 0;  // index of the node in the order of definition
  TomlValue::Kind kind = TomlValue::Kind::kTable;
  Origin origin = Origin::kValue;
  TextPlace at = {};
  TomlKey key = {};  // unset for an element of an array
  std::string text = {};
  std::int64_t integer = 0;
  std::vector<TomlNode*> children = {};
};

// TomlTree owns all nodes in one list. The tree is as deep as keys have dots, and is freed without
// recursion.
class TomlTree {
 public:
  explicit TomlTree(TomlCursor& in) : in_(in) { nodes_.emplace_back(); }
  TomlTree(const TomlTree&) = delete;
  TomlTree& operator=(const TomlTree&) = delete;

  [[nodiscard]] TomlNode& root() { return nodes_.front(); }

  // Define returns the new node for a key of a table. If the name is already used, it adds a
  // problem and returns null.
  [[nodiscard]] TomlNode* Define(TomlNode& table, std::span<const TomlKey> key);

  // DefineTable returns the table whose header [key], or [[key]], is at `at`.
  [[nodiscard]] TomlNode* DefineTable(std::span<const TomlKey> key, bool several, TextPlace at);

  // AddElement adds an element to an array.
  [[nodiscard]] TomlNode& AddElement(TomlNode& array);

 private:
  using Name = std::pair<std::size_t, std::string_view>;  // the number of a table, and a key in it

  [[nodiscard]] TomlNode* Find(const TomlNode& table, const TomlKey& key) const;
  [[nodiscard]] TomlNode* Add(TomlNode& table, const TomlKey& key, TomlNode::Origin origin,
                              TextPlace at);
  // Reports that the name of the last part is already used.
  TomlNode* FailTwice(const TomlNode& taken, std::span<const TomlKey> key);

  TomlCursor& in_;
  std::deque<TomlNode> nodes_;  // their addresses do not change, and so their names remain valid
  std::map<Name, TomlNode*> names_;
};

}  // namespace ggufgate::internal
