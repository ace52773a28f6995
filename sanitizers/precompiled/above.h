// Most files of the rooms above the core, and their tests, include these headers
// (precompiled.cmake).
#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <thread>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "sanitizers/precompiled/core.h"

namespace ggufgate::precompiled {

// UseJson is not called. A compiler that instantiates templates while it precompiles headers has
// these functions of the JSON library from then on.
template <class Json>
Json UseJson(const std::string& text) {
  const std::string_view view = text;
  Json object = {{"text", text}, {"number", 1}, {"view", view}, {"more", {"list"}}};
  object["text"] = text;
  object["letters"] = "letters";
  object["view"] = view;
  object["true"] = true;
  object["number"] = std::uint64_t{1};
  object["signed"] = std::int64_t{1};
  object["small"] = 1;
  object["real"] = 1.0;
  object["null"] = nullptr;
  Json array = Json::array();
  array.push_back(object);
  array.push_back(text);
  array.push_back("letters");
  for (const Json& one : array) {
    object["dump"] = one.dump(2);
  }
  for (const auto& [name, one] : object.items()) {
    object["name"] = name + one.dump();
  }
  object["parsed"] = Json::parse(text, nullptr, false);
  object["view"] = Json::parse(view);
  const Json& same = object;
  object["same"] = same == array || same.contains("text") || same.at("true").template get<bool>();
  object["string"] = same.at("text").template get<std::string>();
  object["one"] = same.at("number").template get<std::uint64_t>();
  object["int"] = same.at("small").template get<int>();
  object["value"] = same.value("text", text);
  return object;
}

inline nlohmann::json UseSorted(const std::string& text) { return UseJson<nlohmann::json>(text); }
inline nlohmann::ordered_json UseOrdered(const std::string& text) {
  return UseJson<nlohmann::ordered_json>(text);
}

}  // namespace ggufgate::precompiled
