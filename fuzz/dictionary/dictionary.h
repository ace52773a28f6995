#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace ggufgate::fuzz {

// kLongestEntry is the most bytes of an entry that libFuzzer takes (fuzzer::Word, in
// FuzzerDictionary.h); AFL++ takes 128 (MAX_DICT_FILE in config.h).
inline constexpr std::size_t kLongestEntry = 64;

// Dictionary is a file of words for libFuzzer and AFL++: a line for each, in the order in which
// they were added.
class Dictionary {
 public:
  // Heading begins a part of the file.
  void Heading(std::string_view text);

  // Add adds a word, unless it is empty, too long, or there already.
  void Add(std::string_view word);
  void AddAll(std::initializer_list<std::string_view> words);

  // Text is the file. Bytes other than printable ASCII, quotes and backslashes are \xNN: the one
  // escape that both engines know.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::size_t size() const { return words_.size(); }

 private:
  std::vector<std::string> words_;
  std::string text_;
};

// LittleEndian gives a number as it lies in a file.
[[nodiscard]] std::string LittleEndian(std::uint64_t number, std::size_t bytes);

// The dictionaries, each made of our tables.
void AddGguf(Dictionary& dictionary);
void AddChatTemplate(Dictionary& dictionary);
void AddHttp(Dictionary& dictionary);
void AddPolicy(Dictionary& dictionary);

}  // namespace ggufgate::fuzz
