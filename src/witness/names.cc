// What is wrong with keys, values and names.

#include <algorithm>
#include <array>
#include <utility>

#include "witness/witness.h"

namespace witness {
namespace {

// IsText tells whether bytes are UTF-8: shortest forms only, no surrogates, nothing above 10FFFF.
bool IsText(const std::string& bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if ((first >= 0x80 && first < 0xC0) || first >= 0xF8 || i + length > bytes.size()) return false;
    std::uint32_t code = length == 1 ? first : first & (0xFFU >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) {
      const auto next = static_cast<unsigned char>(bytes[i + k]);
      if (next < 0x80 || next >= 0xC0) return false;
      code = code * 64 + (next & 0x3FU);
    }
    constexpr std::array<std::uint32_t, 5> kLeast = {0, 0, 0x80, 0x800, 0x10000};
    if (code < kLeast[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
    i += length;
  }
  return true;
}

// IsSeen tells whether a text, which is UTF-8, has no character that readers may leave out: it
// looks for the front bytes of each range of such characters (DerivedCoreProperties.txt,
// Default_Ignorable_Code_Point), and then at the last byte.
bool IsSeen(const std::string& text) {
  struct Range {
    const char* front;
    unsigned first;  // of the byte that follows
    unsigned last;
  };
  constexpr Range kRanges[] = {
      {"\xC2", 0xAD, 0xAD},         {"\xCD", 0x8F, 0x8F},     {"\xD8", 0x9C, 0x9C},
      {"\xE1\x85", 0x9F, 0xA0},     {"\xE1\x9E", 0xB4, 0xB5}, {"\xE1\xA0", 0x8B, 0x8F},
      {"\xE2\x80", 0x8B, 0x8F},     {"\xE2\x80", 0xAA, 0xAE}, {"\xE2\x81", 0xA0, 0xAF},
      {"\xE3\x85", 0xA4, 0xA4},     {"\xEF\xB8", 0x80, 0x8F}, {"\xEF\xBB", 0xBF, 0xBF},
      {"\xEF\xBE", 0xA0, 0xA0},     {"\xEF\xBF", 0xB0, 0xB8}, {"\xF0\x9B\xB2", 0xA0, 0xA3},
      {"\xF0\x9D\x85", 0xB3, 0xBA}, {"\xF3\xA0", 0x80, 0xBF},
  };
  for (const Range& range : kRanges) {
    const std::string front = range.front;
    for (std::size_t at = text.find(front); at != std::string::npos;
         at = text.find(front, at + 1)) {
      const auto next = static_cast<unsigned char>(text[at + front.size()]);
      if (next >= range.first && next <= range.last) return false;
    }
  }
  return true;
}

// HasSegment tells whether one of the parts between the dots of a key is `word`.
bool HasSegment(const std::string& key, const std::string& word) {
  return ("." + key + ".").find("." + word + ".") != std::string::npos;
}

bool IsPrintable(char c) { return c >= 0x20 && c <= 0x7E; }

bool IsInStyle(const std::string& key) {
  std::size_t segment = 0;  // characters in this segment
  for (const char c : key + ".") {
    const bool usual = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    if (!usual && (c != '.' || segment == 0)) return false;
    segment = c == '.' ? 0 : segment + 1;
  }
  return true;
}

class Names {
 public:
  Names(Reading reading, Verdict& verdict)
      : reading_(reading), verdict_(verdict), file_(verdict.file) {}

  void Judge() {
    if (file_.big_endian) Say("byte-order", 0);  // the machines it is for are little-endian
    FindArchitecture();
    Numbered keys;
    Numbered names;
    for (std::size_t i = 0; i < file_.entries.size(); ++i) {
      LookAtEntry(file_.entries[i], i);
      keys.emplace_back(file_.entries[i].key, i);
    }
    LookAtAlignment();
    for (std::size_t i = 0; i < file_.tensors.size(); ++i) {
      LookAtTensor(file_.tensors[i], i);
      names.emplace_back(file_.tensors[i].name, i);
    }
    LookForEqual("key-duplicate", std::move(keys));
    LookForEqual("tensor-name-duplicate", std::move(names));
  }

 private:
  using Numbered = std::vector<std::pair<std::string, std::size_t>>;

  void Say(const char* rule, std::uint64_t record, bool at_most_note = false) {
    witness::Say(rule, record, at_most_note, reading_, verdict_);
  }

  void LookAtEntry(const Entry& entry, std::uint64_t i) {
    bool printable = true;
    bool controls = false;
    for (const char c : entry.key) {
      printable = printable && IsPrintable(c);
      controls = controls || (c != '\0' && !IsPrintable(c));
    }
    if (entry.key.empty()) Say("key-empty", i);
    if (entry.key.size() > 65535) Say("key-length", i);
    if (entry.key.find('\0') != std::string::npos) Say("key-nul", i);
    if (controls) Say("key-characters", i);
    if (!entry.key.empty() && printable && !IsInStyle(entry.key)) {
      const std::string start = architecture_ + ".";
      const bool named = !architecture_.empty() && entry.key.rfind(start, 0) == 0;
      Say("key-style", i, named && IsInStyle(entry.key.substr(start.size())));
    }
    if (HasSegment(entry.key, "__proto__") || HasSegment(entry.key, "constructor") ||
        HasSegment(entry.key, "prototype")) {
      Say("key-prototype", i);
    }
    if (entry.key == "version" || entry.key == "tensor_count" || entry.key == "kv_count" ||
        entry.key == "tensorCount" || entry.key.rfind("GGUF.", 0) == 0) {
      Say("key-reader-field", i);
    }
    if (entry.type == 9 && entry.element_type == 9) Say("array-nested", i);
    for (const std::uint64_t value : entry.bools) {
      if (value > 1) Say("bool-value", i);
    }
    // Tokens and merges may be pieces of characters.
    const bool raw = entry.type == 9 && (entry.key == "tokenizer.ggml.tokens" ||
                                         entry.key == "tokenizer.ggml.merges" ||
                                         entry.key == "tokenizer.ggml.added_tokens");
    const bool scalar = entry.type == 8;
    for (const std::string& text : entry.texts) {
      if (!IsText(text)) Say("string-utf8", i, raw);
      const bool nul = text.find('\0') != std::string::npos;
      if (nul) Say("string-nul", i, !scalar || !IsActedOn(entry.key));
    }
  }

  // FindArchitecture takes the first of several.
  void FindArchitecture() {
    for (const Entry& entry : file_.entries) {
      if (entry.key != "general.architecture") continue;
      if (entry.type == 8 && !entry.texts.empty()) {
        const std::string& text = entry.texts.front();
        architecture_ = text.substr(0, text.find('\0'));
      }
      return;
    }
  }

  // IsActedOn tells whether a loader does one thing or another by the text of a key.
  [[nodiscard]] bool IsActedOn(const std::string& key) const {
    const std::string family = key.substr(0, key.find('.') + 1);
    if (!architecture_.empty() && key.rfind(architecture_ + ".", 0) == 0) return true;
    for (const char* other :
         {"tokenizer.", "adapter.", "clip.", "split.", "imatrix.", "controlvector."}) {
      if (family == other) return true;
    }
    return key == "general.architecture" || key == "general.type";
  }

  // LookForEqual complains of every name that stood before.
  void LookForEqual(const char* rule, Numbered names) {
    std::sort(names.begin(), names.end());
    for (std::size_t i = 1; i < names.size(); ++i) {
      if (names[i].first == names[i - 1].first) Say(rule, names[i].second);
    }
  }

  void LookAtAlignment() {
    for (std::size_t i = 0; i < file_.entries.size(); ++i) {
      const Entry& entry = file_.entries[i];
      if (entry.key != "general.alignment") continue;
      const std::uint64_t value = entry.natural;
      bool power_of_two = false;
      for (int bit = 0; bit < 32; ++bit) power_of_two |= value == std::uint64_t{1} << bit;
      const bool good = reading_ == Reading::kSpec ? value > 0 && value % 8 == 0 : power_of_two;
      if (entry.type != 4) {
        Say("alignment-type", i);
      } else {
        if (!good) Say("alignment-value", i);
        if (value > 1024 * 1024) Say("alignment-large", i);
        if (value == 1 || value == 2 || value == 4)
          Say("alignment-small", i, /*at_most_note=*/true);
        if (power_of_two && value >= 8 && value <= 1024 * 1024 && value != 32) {
          Say("alignment-unusual", i);
        }
      }
      return;  // of several, the first counts
    }
  }

  void LookAtTensor(const Tensor& tensor, std::uint64_t i) {
    const std::size_t length = tensor.name.size();
    const bool images = reading_ == Reading::kGate || reading_ == Reading::kDiffusion;
    if (length > (images ? 159 : reading_ == Reading::kSpec ? 64 : 63)) {
      Say("tensor-name-length", i);
    } else if (length > 63 && reading_ == Reading::kGate) {
      Say("tensor-name-length", i, /*at_most_note=*/true);
    }
    if (tensor.dims.size() == 5 && reading_ != Reading::kDiffusion) {
      Say("tensor-dimensions", i, /*at_most_note=*/reading_ == Reading::kGate);
    }
    if (tensor.name.empty()) Say("tensor-name-empty", i);
    if (tensor.name.find('\0') != std::string::npos) Say("tensor-name-nul", i);
    if (!IsText(tensor.name)) {
      Say("tensor-name-utf8", i);
    } else if (!IsSeen(tensor.name)) {
      Say("tensor-name-invisible", i);
    }
    bool controls = false;
    for (const char c : tensor.name) controls = controls || (c > 0 && c < 0x20) || c == 0x7F;
    if (controls) Say("tensor-name-characters", i);
    for (std::size_t k = 0; k < tensor.dims.size(); ++k) {
      if (tensor.dims[k] >> 63 != 0) Say("tensor-dimension-negative", i);
      if (tensor.dims[k] == 0) Say(k == 0 ? "tensor-row-empty" : "tensor-dimension-zero", i);
    }
  }

  Reading reading_;
  Verdict& verdict_;
  const File& file_;
  std::string architecture_;
};

}  // namespace

void JudgeNames(Reading reading, Verdict& verdict) { Names(reading, verdict).Judge(); }

}  // namespace witness
