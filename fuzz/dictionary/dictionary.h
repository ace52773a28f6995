#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace ggufgate::fuzz {

// kLongestEntry is the maximum length of an entry for libFuzzer (fuzzer::Word, in
// FuzzerDictionary.h). AFL++ accepts 128 (MAX_DICT_FILE in config.h).
inline constexpr std::size_t kLongestEntry = 64;

// Dictionary is a file of words for libFuzzer and AFL++: one line per word, in the order in which
// they were added.
class Dictionary {
 public:
  // Heading begins a section of the file.
  void Heading(std::string_view text);

  // Add adds a word, unless it is empty, too long, or already in the file.
  void Add(std::string_view word);
  void AddAll(std::initializer_list<std::string_view> words);

  // Text returns the file. Bytes except printable ASCII, quotes and backslashes are \xNN, the only
  // escape that both engines support.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::size_t size() const { return words_.size(); }

 private:
  std::vector<std::string> words_;
  std::string text_;
};

// LittleEndian returns the encoding of a number in a file.
[[nodiscard]] std::string LittleEndian(std::uint64_t number, std::size_t bytes);

// The dictionaries, each made from the project's tables.
void AddGguf(Dictionary& dictionary);
void AddChatTemplate(Dictionary& dictionary);
void AddHttp(Dictionary& dictionary);
void AddPolicy(Dictionary& dictionary);

}  // namespace ggufgate::fuzz
