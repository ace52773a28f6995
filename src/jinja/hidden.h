#pragma once

// What a chat template hides from who reads it: characters that are not seen, addresses.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ggufgate {

struct HiddenText {
  enum class Kind : std::uint8_t { kInvisible, kDirection, kAddress };

  Kind kind = Kind::kInvisible;
  std::size_t at = 0;  // in the text
  std::size_t size = 0;
  std::string name;         // "U+200B", or the host
  std::uint64_t count = 1;  // characters in a row
  bool plain = false;       // an address that every prompt has, whoever says what
};

// FindInvisible lists runs of characters that are not seen or that turn the direction of text. What
// script and emoji need is not listed: joiners between letters of Arabic or Indic scripts and
// between pictures, marks beside right-to-left letters, the tags of a flag, one variation selector
// after a character, a byte order mark at the start.
[[nodiscard]] std::vector<HiddenText> FindInvisible(std::string_view text);

// FindAddresses lists the addresses that a template writes out or holds in its code, comments left
// out. Names kept for examples (RFC 2606) and the schemas of JSON and XML are none.
[[nodiscard]] std::vector<HiddenText> FindAddresses(std::string_view text);

}  // namespace ggufgate
