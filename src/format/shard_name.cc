#include "format/shard_name.h"

#include <algorithm>

#include "format/loader_limits.h"

namespace ggufgate {
namespace {

constexpr std::string_view kExtension = ".gguf";
constexpr std::string_view kOf = "-of-";
constexpr std::size_t kDigits = 5;

std::optional<std::uint32_t> ParseDigits(std::string_view text) {
  std::uint32_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return number;  // of kDigits digits
}

std::string Digits(std::uint32_t number) {
  const std::string digits = std::to_string(number);
  return std::string(kDigits - std::min(kDigits, digits.size()), '0') + digits;
}

// ParseNumbers parses a name with any numbers.
std::optional<ShardName> ParseNumbers(std::string_view file_name) {
  constexpr std::size_t kTail = 1 + kDigits + kOf.size() + kDigits + kExtension.size();
  if (file_name.size() < kTail) return std::nullopt;
  const std::string_view stem = file_name.substr(0, file_name.size() - kTail);
  const std::string_view tail = file_name.substr(stem.size());
  if (!tail.starts_with('-') || !tail.ends_with(kExtension)) return std::nullopt;
  if (tail.substr(1 + kDigits, kOf.size()) != kOf) return std::nullopt;

  const auto number = ParseDigits(tail.substr(1, kDigits));
  const auto count = ParseDigits(tail.substr(1 + kDigits + kOf.size(), kDigits));
  if (!number || !count) return std::nullopt;
  return ShardName{.stem = stem, .number = *number, .count = *count};
}

bool IsPossible(const ShardName& name) {
  return name.number > 0 && name.number <= name.count && name.count <= kMostShards;
}

}  // namespace

std::optional<ShardName> ParseShardName(std::string_view file_name) {
  const std::optional<ShardName> name = ParseNumbers(file_name);
  return name && IsPossible(*name) ? name : std::nullopt;
}

std::optional<ShardName> ParseImpossibleShardName(std::string_view file_name) {
  const std::optional<ShardName> name = ParseNumbers(file_name);
  return name && !IsPossible(*name) ? name : std::nullopt;
}

std::string FileNameOf(const ShardName& name) {
  std::string text(name.stem);
  text += "-" + Digits(name.number);
  text += kOf;
  text += Digits(name.count);
  text += kExtension;
  return text;
}

}  // namespace ggufgate
