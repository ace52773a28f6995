#include "policy/toml_tree.h"

namespace ggufgate::internal {
namespace {

using Kind = TomlValue::Kind;
using Origin = TomlNode::Origin;

}  // namespace

TomlNode* TomlTree::Find(const TomlNode& table, const TomlKey& key) const {
  const auto found = names_.find(Name(table.number, key.name));
  return found == names_.end() ? nullptr : found->second;
}

TomlNode* TomlTree::Add(TomlNode& table, const TomlKey& key, Origin origin, TextPlace at) {
  TomlNode& node = nodes_.emplace_back(
      TomlNode{.number = nodes_.size(), .origin = origin, .at = at, .key = key});
  table.children.push_back(&node);
  names_.emplace(Name(table.number, node.key.name), &node);
  return &node;
}

TomlNode& TomlTree::AddElement(TomlNode& array) {
  TomlNode& node = nodes_.emplace_back(TomlNode{.number = nodes_.size()});
  array.children.push_back(&node);
  return node;
}

TomlNode* TomlTree::FailTwice(const TomlNode& taken, std::span<const TomlKey> key) {
  std::string_view word = WordFor(taken.kind);
  word.remove_prefix(word.find(' ') + 1);  // removes the article
  std::string path;
  for (const TomlKey& part : key) path += (path.empty() ? "" : ".") + part.name;
  in_.Fail(key.back().at, std::string(word) + " '" + path + "' is defined a second time");
  return nullptr;
}

TomlNode* TomlTree::Define(TomlNode& table, std::span<const TomlKey> key) {
  TomlNode* inner = &table;
  for (std::size_t i = 0; i + 1 < key.size(); ++i) {
    TomlNode* child = Find(*inner, key[i]);
    if (child == nullptr) {
      child = Add(*inner, key[i], Origin::kDotted, key[i].at);
    } else if (child->origin == Origin::kImplied) {
      child->origin = Origin::kDotted;
    } else if (child->origin != Origin::kDotted) {
      return FailTwice(*child, key.first(i + 1));
    }
    inner = child;
  }
  if (const TomlNode* taken = Find(*inner, key.back())) return FailTwice(*taken, key);
  return Add(*inner, key.back(), Origin::kValue, key.back().at);
}

TomlNode* TomlTree::DefineTable(std::span<const TomlKey> key, bool several, TextPlace at) {
  TomlNode* inner = &root();
  for (std::size_t i = 0; i + 1 < key.size(); ++i) {
    TomlNode* child = Find(*inner, key[i]);
    if (child == nullptr) {
      child = Add(*inner, key[i], Origin::kImplied, at);
    } else if (child->origin == Origin::kTables) {
      child = child->children.back();  // the table that was defined last
    } else if (child->origin == Origin::kValue) {
      return FailTwice(*child, key.first(i + 1));
    }
    inner = child;
  }
  TomlNode* named = Find(*inner, key.back());
  if (several) {
    if (named == nullptr) {
      named = Add(*inner, key.back(), Origin::kTables, at);
      named->kind = Kind::kArray;
    } else if (named->origin != Origin::kTables) {
      return FailTwice(*named, key);
    }
    TomlNode& element = AddElement(*named);
    element.origin = Origin::kHeader;
    element.at = at;
    return &element;
  }
  if (named == nullptr) return Add(*inner, key.back(), Origin::kHeader, at);
  if (named->origin != Origin::kImplied) return FailTwice(*named, key);
  named->origin = Origin::kHeader;
  named->at = at;
  return named;
}

}  // namespace ggufgate::internal
