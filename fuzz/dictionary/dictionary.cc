#include "fuzz/dictionary/dictionary.h"

#include <algorithm>

namespace ggufgate::fuzz {
namespace {

std::string Escaped(std::string_view word) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F && c != '"' && c != '\\') {
      text += c;
    } else {
      text += "\\x";
      text += kDigits.at(byte >> 4);
      text += kDigits.at(byte & 15);
    }
  }
  return text;
}

}  // namespace

void Dictionary::Heading(std::string_view text) {
  if (!text_.empty()) text_ += '\n';
  text_ += "# ";
  text_ += text;
  text_ += '\n';
}

void Dictionary::Add(std::string_view word) {
  if (word.empty() || word.size() > kLongestEntry) return;
  if (std::ranges::find(words_, word) != words_.end()) return;
  words_.emplace_back(word);
  text_ += '"';
  text_ += Escaped(word);
  text_ += "\"\n";
}

void Dictionary::AddAll(std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) Add(word);
}

std::string LittleEndian(std::uint64_t number, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) {
    text += static_cast<char>(static_cast<unsigned char>(number >> (8 * i)));
  }
  return text;
}

}  // namespace ggufgate::fuzz
