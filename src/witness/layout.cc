// Checks of sizes and offsets.

#include <algorithm>
#include <string_view>
#include <utility>

#include "witness/witness.h"

namespace witness {
namespace {

// The reference stores sizes and offsets in signed types.
constexpr Wide kMost = (Wide{1} << 63) - 1;
constexpr Wide kNowhere = ~Wide{0};

// Block is the block size of a tensor type: the number of values and of bytes.
struct Block {
  std::uint32_t type;
  std::uint64_t elements;
  std::uint64_t bytes;
};

// Source: the table of published block sizes. A type that is not in it cannot be loaded.
constexpr Block kBlocks[] = {
    {0, 1, 4},      {1, 1, 2},      {2, 32, 18},   {3, 32, 20},    {6, 32, 22},    {7, 32, 24},
    {8, 32, 34},    {9, 32, 36},    {10, 256, 84}, {11, 256, 110}, {12, 256, 144}, {13, 256, 176},
    {14, 256, 210}, {15, 256, 292}, {16, 256, 66}, {17, 256, 74},  {18, 256, 98},  {19, 256, 50},
    {20, 32, 18},   {21, 256, 110}, {22, 256, 82}, {23, 256, 136}, {24, 1, 1},     {25, 1, 2},
    {26, 1, 4},     {27, 1, 8},     {28, 1, 8},    {29, 256, 56},  {30, 1, 2},     {34, 256, 54},
    {35, 256, 66},  {39, 32, 17},   {40, 64, 36},  {41, 128, 18},  {42, 64, 18},
};

const Block* FindBlock(std::uint32_t type) {
  for (const Block& block : kBlocks) {
    if (block.type == type) return &block;
  }
  return nullptr;
}

// Ollama wrote MXFP4 under number 4 in models of "gptoss". It has a size, and loads nowhere else.
constexpr Block kOfOllama = {4, 32, 17};

bool IsOfGptoss(const File& file) {
  for (const Entry& entry : file.entries) {
    if (entry.key != "general.architecture") continue;
    return entry.type == 8 && !entry.texts.empty() && entry.texts.front() == "gptoss";
  }
  return false;
}

class Layout {
 public:
  Layout(std::span<const std::uint8_t> front, std::uint64_t size, Reading reading, Verdict& verdict)
      : front_(front), size_(size), reading_(reading), verdict_(verdict), file_(verdict.file) {}

  void Judge() {
    LookAtSizes();
    LookAtOrder();
    if (!file_.whole || !file_.aligned) return;
    LookAtBegin();
    LookAtBounds();
    LookAtOverlaps();
    if (front_.size() == size_) LookBetween();
  }

 private:
  void Say(const char* rule, std::uint64_t record) {
    witness::Say(rule, record, /*at_most_note=*/false, reading_, verdict_);
  }

  // LookAtSizes computes the size of every tensor, if it can be computed.
  void LookAtSizes() {
    gptoss_ = IsOfGptoss(file_);
    Wide total = 0;
    bool over = false;
    for (std::size_t i = 0; i < file_.tensors.size(); ++i) {
      Tensor& tensor = file_.tensors[i];
      FindSize(tensor, i);
      if (!tensor.sized) continue;
      const Wide padded = Padded(tensor);
      if (padded > kMost && file_.aligned) Say("tensor-padding-overflow", i);
      if (padded > kMost || over) continue;
      total += padded;
      over = total > kMost - (Wide{1} << 32);
      if (over) Say("tensor-total-overflow", i);
    }
  }

  void FindSize(Tensor& tensor, std::uint64_t i) {
    const Block* block = FindBlock(tensor.type);
    const std::uint64_t row = tensor.dims.empty() ? 1 : tensor.dims[0];
    const bool whole_blocks = block != nullptr && row % block->elements == 0;
    if (block == nullptr) Say("tensor-type", i);
    if (tensor.type == 9) Say("tensor-type-disputed", i);
    if (block != nullptr && !whole_blocks) Say("tensor-row-blocks", i);

    bool negative = false;
    bool countable = true;
    Wide elements = 1;
    for (const std::uint64_t dim : tensor.dims) {
      negative = negative || dim > kMost;
      if (countable) elements *= dim;
      countable = countable && elements <= kMost;
    }
    if (!countable && !negative) Say("tensor-elements-overflow", i);
    const bool of_ollama = gptoss_ && tensor.type == kOfOllama.type;
    if (of_ollama && row % kOfOllama.elements == 0) block = &kOfOllama;
    if (!countable || (!whole_blocks && block != &kOfOllama)) return;

    // The reference multiplies a row before it divides.
    Wide bytes = Wide{row} * block->bytes;
    bool fits = bytes <= kMost;
    bytes /= block->elements;
    for (std::size_t k = 1; k < tensor.dims.size() && fits; ++k) {
      bytes *= tensor.dims[k];
      fits = bytes <= kMost;
    }
    if (!fits && !of_ollama) Say("tensor-bytes-overflow", i);
    tensor.sized = fits;
    if (fits) tensor.bytes = static_cast<std::uint64_t>(bytes);
  }

  [[nodiscard]] Wide Padded(const Tensor& tensor) const {
    const Wide alignment = file_.aligned ? file_.alignment : 1;
    return (tensor.bytes + alignment - 1) / alignment * alignment;
  }

  // LookAtOrder requires that each tensor begins at the end of the earlier ones, at a multiple of
  // the alignment.
  void LookAtOrder() {
    if (!file_.aligned) return;
    Wide expected = 0;
    bool known = true;
    for (std::size_t i = 0; i < file_.tensors.size(); ++i) {
      const Tensor& tensor = file_.tensors[i];
      if (tensor.offset % file_.alignment != 0) Say("tensor-offset-alignment", i);
      if (known && tensor.offset != expected) Say("tensor-order", i);
      known = known && tensor.sized && Padded(tensor) <= kMost;
      if (known) expected += Padded(tensor);
      known = known && expected <= UINT64_MAX;
    }
  }

  // LookAtBegin requires that the first tensor begins at a multiple of 32. So must the first one
  // after those matrices at the front that a loader may put in a separate buffer.
  void LookAtBegin() {
    bool first = true;
    if (32 % file_.alignment != 0) return;
    for (std::size_t i = 0; i < file_.tensors.size() && file_.alignment < 32; ++i) {
      const Tensor& tensor = file_.tensors[i];
      const bool elsewhere = IsKeptElsewhere(tensor);
      if ((first || !elsewhere) && (Wide{file_.data} + tensor.offset) % 32 != 0 &&
          Wide{file_.data} + tensor.offset <= UINT64_MAX) {
        Say("alignment-small", i);
      }
      if (!elsewhere) break;
      first = false;
    }
  }

  static bool IsKeptElsewhere(const Tensor& tensor) {
    bool has = false;
    for (const std::uint32_t type : {2U, 3U, 8U, 10U, 12U, 13U, 14U, 20U, 23U, 39U, 41U}) {
      has = has || tensor.type == type;
    }
    return has && tensor.dims.size() > 1 && tensor.dims[1] % 4 == 0 &&
           tensor.name != "token_embd.weight";
  }

  // BeginOf returns the file offset of a tensor's data, or kNowhere if it cannot be addressed.
  [[nodiscard]] Wide BeginOf(const Tensor& tensor) const {
    const Wide begin = Wide{file_.data} + tensor.offset;
    return tensor.sized && begin + tensor.bytes <= kMost ? begin : kNowhere;
  }

  void LookAtBounds() {
    for (std::size_t i = 0; i < file_.tensors.size(); ++i) {
      const Tensor& tensor = file_.tensors[i];
      if (!tensor.sized) continue;
      if (Wide{file_.data} + tensor.offset + tensor.bytes > size_) Say("tensor-data-bounds", i);
    }
  }

  // LookAtOverlaps sorts the tensors by their beginnings. It reports the later of two overlapping
  // ones.
  void LookAtOverlaps() {
    std::vector<std::pair<std::uint64_t, std::size_t>> order;
    for (std::size_t i = 0; i < file_.tensors.size(); ++i) {
      const Tensor& tensor = file_.tensors[i];
      if (BeginOf(tensor) != kNowhere && tensor.bytes > 0) order.emplace_back(tensor.offset, i);
    }
    std::sort(order.begin(), order.end());
    Wide end = 0;
    for (const auto& [offset, i] : order) {
      const Wide begin = BeginOf(file_.tensors[i]);
      if (begin < end) Say("tensor-overlap", i);
      end = std::max(end, begin + file_.tensors[i].bytes);
    }
  }

  // LookBetween marks every byte that has a meaning, and checks the unmarked ones.
  void LookBetween() {
    std::vector<bool> painted(size_, false);
    for (std::uint64_t i = 0; i < file_.end; ++i) painted[i] = true;
    bool placed = true;  // the offset of every tensor is known
    Wide end = file_.end;
    for (const Tensor& tensor : file_.tensors) {
      const Wide begin = BeginOf(tensor);
      placed = placed && begin != kNowhere;
      if (begin == kNowhere) continue;
      end = std::max(end, begin + tensor.bytes);
      for (Wide i = begin; i < begin + tensor.bytes && i < size_; ++i) {
        painted[static_cast<std::size_t>(i)] = true;
      }
    }
    for (std::size_t i = file_.end; i < size_; ++i) {
      if (!painted[i]) i = LookAtBlank(painted, i, placed, end);
    }
  }

  // LookAtBlank checks the unmarked bytes from `begin` on and returns the last of them. Up to the
  // next multiple of the alignment they are padding; after that, a gap or bytes after the model.
  // The contents of a gap are checked only if a gap is no error.
  std::size_t LookAtBlank(const std::vector<bool>& painted, std::size_t begin, bool placed,
                          Wide model_end) {
    std::size_t end = begin;
    while (end < size_ && !painted[end]) ++end;
    std::size_t padding = begin;
    while (padding < end && padding % file_.alignment != 0) ++padding;
    const bool gap = end < size_;
    const std::size_t filling = gap && placed && reading_ == Reading::kSpec ? end : padding;
    for (std::size_t i = begin; i < filling; ++i) {
      if (front_[i] == 0) continue;
      Say("padding-not-zero", 0);
      break;
    }
    if (!gap && placed && end > padding && model_end <= padding) Say("trailing-bytes", 0);
    return end - 1;
  }

  std::span<const std::uint8_t> front_;
  std::uint64_t size_;
  Reading reading_;
  Verdict& verdict_;
  File& file_;
  bool gptoss_ = false;
};

}  // namespace

bool IsTypeOfOllama(const Complaint& complaint, const File& file) {
  if (std::string_view(complaint.rule) != "tensor-type" || !IsOfGptoss(file)) return false;
  if (complaint.record >= file.tensors.size()) return false;
  const Tensor& tensor = file.tensors[static_cast<std::size_t>(complaint.record)];
  return tensor.type == kOfOllama.type && tensor.sized;
}

void JudgeLayout(std::span<const std::uint8_t> front, std::uint64_t file_size, Reading reading,
                 Verdict& verdict) {
  Layout(front, file_size, reading, verdict).Judge();
}

}  // namespace witness
