// Edits that set what a file says of itself against what it holds. A gate has warnings for it at
// most; loaders compute with it.

#include <algorithm>
#include <array>

#include "mutate/compose.h"
#include "mutate/generate.h"
#include "mutate/generate_parts.h"
#include "mutate/mutations.h"
#include "mutate/template_text.h"
#include "mutate/values.h"

namespace ggufgate::mutate {
namespace {

// What is composed here has the encoding of sound files; Repair takes old and foreign ones for what
// they say they are.
bool IsSound(const Bench& bench) { return bench.draft.encoding == Encoding{}; }

}  // namespace

bool EditVocabulary(Bench& bench) {
  if (!IsSound(bench)) return false;
  DropKeys(bench.draft, "tokenizer.ggml.");
  GenerateVocabulary(bench);
  return true;
}

bool EditTemplate(Bench& bench) {
  constexpr std::string_view kKey = "tokenizer.chat_template";
  if (!IsSound(bench)) return false;
  return SetEntry(bench.draft, TextEntry(bench.scratch, kKey, GenerateTemplate(bench)));
}

bool EditTemplateText(Bench& bench) {
  if (!IsSound(bench)) return false;
  const std::string_view key =
      bench.random.OneIn(4) ? "tokenizer.chat_template.tool_use" : "tokenizer.chat_template";
  const std::string_view text = TemplateText(bench);
  return !text.empty() && SetEntry(bench.draft, TextEntry(bench.scratch, key, text));
}

bool EditTemplatePart(Bench& bench) {
  constexpr std::size_t kMostCut = 32;
  if (!IsSound(bench)) return false;
  Entry* const entry = AnyOf(bench.draft.entries, bench.random, [](const Entry& any) {
    return any.key.starts_with("tokenizer.chat_template") && StringOf(any, Encoding{});
  });
  if (entry == nullptr) return false;
  const std::string_view text = *StringOf(*entry, Encoding{});
  const std::size_t at = bench.random.Below(text.size() + 1);
  const std::string_view behind = text.substr(at);
  const std::size_t cut = bench.random.Below(std::min(behind.size(), kMostCut) + 1);
  const std::string_view part = TemplatePart(bench);
  const std::string_view whole =
      Joined(bench.scratch, {text.substr(0, at), part, behind.substr(cut)});
  return !part.empty() && !whole.empty() &&
         SetEntry(bench.draft, TextEntry(bench.scratch, entry->key, whole));
}

bool EditModel(Bench& bench) {
  if (!IsSound(bench)) return false;
  DropKeys(bench.draft, kArchitectureKey);
  GenerateModel(bench);
  return true;
}

bool EditSidecar(Bench& bench) {
  using Generate = void (*)(Bench&);
  constexpr std::array<Generate, 4> kSidecars = {GenerateAdapter, GenerateControlVector,
                                                 GenerateProjector, GenerateShard};
  if (!IsSound(bench)) return false;
  bench.random.Pick(kSidecars)(bench);
  return true;
}

bool EditBlockBeyond(Bench& bench) {
  constexpr std::array<std::string_view, 6> kBlocks = {
      "blk.511.", "blk.512.", "blk.4294967295.", "blk.-1.", "blk.00.", "blk.18446744073709551616."};
  Table<Tensor>& tensors = bench.draft.tensors;
  if (tensors.empty()) return false;
  Tensor& tensor = tensors[bench.random.Below(tensors.size())];
  const std::string_view name =
      Joined(bench.scratch, {bench.random.Pick(kBlocks), tensor.name.substr(0, 32)});
  if (name.empty()) return false;
  tensor.name = name;
  return true;
}

bool EditEmbeddingShape(Bench& bench) {
  Table<Tensor>& tensors = bench.draft.tensors;
  if (tensors.empty()) return false;
  Tensor& tensor = tensors[bench.random.Below(tensors.size())];
  if (bench.draft.tensors.size() == 1 || bench.random.OneIn(2)) tensor.name = "token_embd.weight";
  tensor.dimension_count = 2;
  tensor.dims = {bench.random.Between(1, 64), bench.random.Between(1, 64), 1, 1, 1};
  return true;
}

bool EditUnsaid(Bench& bench) {
  constexpr std::array<std::string_view, 5> kSaid = {
      kArchitectureKey, "general.quantization_version", "general.file_type", "general.type",
      "tokenizer.ggml.model"};
  const std::size_t before = bench.draft.entries.size();
  DropKeys(bench.draft, bench.random.Pick(kSaid));
  return bench.draft.entries.size() < before;
}

}  // namespace ggufgate::mutate
