#pragma once

// The tables of a TOML document while it is read, and which names may come twice. Not for
// users of the library.

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
  // How a name came to be: that says what may still be added to it.
  enum class Origin : std::uint8_t {
    kValue,    // by `name = …`: nothing, be it an array or an inline table
    kImplied,  // before the last dot of a header: it may still get a header
    kHeader,   // by its own header: tables only
    kDotted,   // before the last dot of a key: more keys with dots, and tables
    kTables,   // an array by [[name]]: another such table
  };

  std::size_t number = 0;  // of the nodes, in their order
  TomlValue::Kind kind = TomlValue::Kind::kTable;
  Origin origin = Origin::kValue;
  TextPlace at = {};
  TomlKey key = {};  // not of an element of an array
  std::string text = {};
  std::int64_t integer = 0;
  std::vector<TomlNode*> children = {};
};

// TomlTree owns all nodes side by side: it is as deep as keys have dots, and taken apart without
// recursion.
class TomlTree {
 public:
  explicit TomlTree(TomlCursor& in) : in_(in) { nodes_.emplace_back(); }
  TomlTree(const TomlTree&) = delete;
  TomlTree& operator=(const TomlTree&) = delete;

  [[nodiscard]] TomlNode& root() { return nodes_.front(); }

  // Define is the new node that a key of a table names; null, with a problem, when the name is
  // taken.
  [[nodiscard]] TomlNode* Define(TomlNode& table, std::span<const TomlKey> key);

  // DefineTable is the table whose header [key], or [[key]], is at `at`.
  [[nodiscard]] TomlNode* DefineTable(std::span<const TomlKey> key, bool several, TextPlace at);

  // AddElement adds to an array.
  [[nodiscard]] TomlNode& AddElement(TomlNode& array);

 private:
  using Name = std::pair<std::size_t, std::string_view>;  // the number of a table, and a key in it

  [[nodiscard]] TomlNode* Find(const TomlNode& table, const TomlKey& key) const;
  [[nodiscard]] TomlNode* Add(TomlNode& table, const TomlKey& key, TomlNode::Origin origin,
                              TextPlace at);
  // The name of the last part is taken.
  TomlNode* FailTwice(const TomlNode& taken, std::span<const TomlKey> key);

  TomlCursor& in_;
  std::deque<TomlNode> nodes_;  // stay where they are, and so do their names
  std::map<Name, TomlNode*> names_;
};

}  // namespace ggufgate::internal
