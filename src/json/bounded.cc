#include "json/bounded.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ggufgate {
namespace {

using Json = nlohmann::json;

// Guard checks the parts of a text as they come, and builds nothing. Each function returns false to
// stop parsing.
class Guard final : public nlohmann::json_sax<Json> {
 public:
  explicit Guard(const JsonBounds& bounds) : bounds_(bounds) {}

  [[nodiscard]] JsonFault fault() const { return fault_; }

  bool null() override { return Count(); }
  bool boolean(bool /*value*/) override { return Count(); }
  bool number_integer(number_integer_t /*value*/) override { return Count(); }
  bool number_unsigned(number_unsigned_t /*value*/) override { return Count(); }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return Count(); }
  bool string(string_t& /*value*/) override { return Count(); }
  bool binary(binary_t& /*value*/) override { return Count(); }
  bool start_object(std::size_t /*elements*/) override { return Enter(); }
  bool end_object() override { return Leave(); }
  bool start_array(std::size_t /*elements*/) override { return Enter(); }
  bool end_array() override { return Leave(); }

  bool key(string_t& name) override {
    if (std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) > 0x7f; })) {
      return Fault(JsonFault::kKeys);
    }
    std::string lower = name;
    std::ranges::transform(lower, lower.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (!keys_.back().insert(std::move(lower)).second) return Fault(JsonFault::kKeys);
    return Count();
  }

  bool parse_error(std::size_t /*position*/, const std::string& /*last_token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    return Fault(JsonFault::kNotJson);
  }

 private:
  bool Fault(JsonFault fault) {
    if (fault_ == JsonFault::kNone) fault_ = fault;
    return false;
  }
  bool Count() { return ++values_ <= bounds_.values || Fault(JsonFault::kLarge); }
  bool Enter() {
    if (keys_.size() == bounds_.depth) return Fault(JsonFault::kDeep);
    keys_.emplace_back();
    return Count();
  }
  bool Leave() {
    keys_.pop_back();
    return true;
  }

  const JsonBounds& bounds_;
  std::vector<std::set<std::string>> keys_;  // of each open object or list
  std::size_t values_ = 0;
  JsonFault fault_ = JsonFault::kNone;
};

}  // namespace

BoundedJson ParseBounded(std::string_view text, const JsonBounds& bounds) {
  if (text.size() > bounds.bytes) return {.value = {}, .fault = JsonFault::kLarge};
  // The library takes NUL for the end of the text, and ignores the bytes after it.
  if (text.find('\0') != std::string_view::npos) return {.value = {}, .fault = JsonFault::kNotJson};
  Guard guard(bounds);
  if (!Json::sax_parse(text, &guard)) {
    const bool known = guard.fault() != JsonFault::kNone;
    return {.value = {}, .fault = known ? guard.fault() : JsonFault::kNotJson};
  }
  BoundedJson parsed{.value = Json::parse(text, nullptr, /*allow_exceptions=*/false)};
  if (parsed.value.is_discarded()) return {.value = {}, .fault = JsonFault::kNotJson};
  return parsed;
}

}  // namespace ggufgate
