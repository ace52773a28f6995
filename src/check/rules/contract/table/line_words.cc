#include "check/rules/contract/table/line_words.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "check/rules/contract/tensors/shapes.h"

namespace ggufgate {
namespace {

using Keys = std::unordered_set<std::string_view>;

constexpr std::ptrdiff_t kMostReadings = 8;      // of a dimension; learned ones have at most 4
constexpr std::ptrdiff_t kMostAlternatives = 4;  // of a name; learned ones have at most 2
constexpr std::ptrdiff_t kMostFactors = 3;       // a product of more could overflow

// IsCount: a factor or divisor. Learned ones are at most 256.
bool IsCount(std::string_view word) {
  constexpr std::int64_t kMost = 10'000;
  const std::optional<std::int64_t> number = ReadInteger(word);
  return number && *number > 0 && *number <= kMost;
}

bool IsFactor(std::string_view word, const Keys& keys) {
  return IsCount(word) || IsShapeQuantity(word) || keys.contains(word);
}

// IsReading: "?", or a product that may be divided by a number.
bool IsReading(std::string_view reading, const Keys& keys) {
  if (reading == "?") return true;
  const std::size_t slash = reading.find('/');
  if (slash != std::string_view::npos && !IsCount(reading.substr(slash + 1))) return false;
  const std::string_view product = reading.substr(0, slash);
  return std::ranges::count(product, '*') < kMostFactors &&
         IsList(product, '*', [&](std::string_view word) { return IsFactor(word, keys); });
}

bool IsElementOf(ValueType type, std::string_view element) {
  if (type == ValueType::kF32) return ReadDecimal(element).has_value();
  if (type == ValueType::kBool) return element == "0" || element == "1";
  return IsInteger(type) && ReadInteger(element).has_value();
}

}  // namespace

bool IsPattern(std::string_view name) {
  if (name.empty() || std::ranges::count(name, '*') > 1) return false;
  return IsList(name, '.', [](std::string_view part) {
    return part == "*" || part.find_first_of("*|") == std::string_view::npos;
  });
}

bool HasNumber(std::string_view name) {
  return !IsList(name, '.', [](std::string_view part) {
    return part.empty() || part.find_first_not_of("0123456789") != std::string_view::npos;
  });
}

bool IsAlternatives(std::string_view patterns) {
  return std::ranges::count(patterns, '|') < kMostAlternatives && IsList(patterns, '|', IsPattern);
}

bool IsValueOf(const ContractKey& key) {
  if (!key.is_array && key.value.find(',') != std::string_view::npos) return false;
  return IsList(key.value, ',',
                [&](std::string_view element) { return IsElementOf(key.type, element); });
}

bool IsShape(std::string_view dimensions, const Keys& keys) {
  const auto is_dimension = [&](std::string_view readings) {
    return std::ranges::count(readings, '|') < kMostReadings &&
           IsList(
               readings, '|', [&](std::string_view reading) { return IsReading(reading, keys); });
  };
  return std::ranges::count(dimensions, ',') < std::ptrdiff_t{kMaximumDimensions} &&
         IsList(dimensions, ',', is_dimension);
}

}  // namespace ggufgate
