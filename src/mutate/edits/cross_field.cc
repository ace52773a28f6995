// Edits that make metadata contradict the contents of a file. A gate reports them as warnings at
// most; loaders compute with these values.

#include <algorithm>
#include <array>

#include "mutate/build/compose.h"
#include "mutate/build/harmless_template.h"
#include "mutate/build/records.h"
#include "mutate/generate/generate.h"
#include "mutate/generate/parts.h"
#include "mutate/generate/program/template_program.h"
#include "mutate/mutations/mutations.h"

namespace ggufgate::mutate {
namespace {

// New values have the encoding of valid files. In a draft with another encoding, Repair would read
// them in that encoding.
bool IsSound(const MutationContext& context) { return context.draft.encoding == Encoding{}; }

// AnyTemplate writes a template that renders, harmless or not. Empty if the arena is full.
std::string_view AnyTemplate(MutationContext& context) {
  constexpr std::size_t kLongest = 1024;
  const MutableBytes room = context.arena.Take(std::min(kLongest, context.room() / 2));
  if (room.empty()) return {};
  const auto plan = context.random.OneIn(2) ? TemplatePlan::kBroken : TemplatePlan::kHarmless;
  return TemplateProgramOf(context.random.Next(), plan, room).text;
}

}  // namespace

bool EditVocabulary(MutationContext& context) {
  if (!IsSound(context)) return false;
  DropKeys(context.draft, "tokenizer.ggml.");
  GenerateVocabulary(context);
  return true;
}

bool EditTemplate(MutationContext& context) {
  constexpr std::string_view kKey = "tokenizer.chat_template";
  if (!IsSound(context)) return false;
  return SetText(context, kKey, HarmlessTemplate(context));
}

bool EditTemplateText(MutationContext& context) {
  if (!IsSound(context)) return false;
  const std::string_view key =
      context.random.OneIn(4) ? "tokenizer.chat_template.tool_use" : "tokenizer.chat_template";
  const std::string_view text = AnyTemplate(context);
  return !text.empty() && SetText(context, key, text);
}

bool EditModel(MutationContext& context) {
  if (!IsSound(context)) return false;
  DropKeys(context.draft, kArchitectureKey);
  GenerateModel(context);
  return true;
}

bool EditSidecar(MutationContext& context) {
  using Generate = void (*)(MutationContext&);
  constexpr std::array<Generate, 4> kSidecars = {GenerateAdapter, GenerateControlVector,
                                                 GenerateProjector, GenerateShard};
  if (!IsSound(context)) return false;
  context.random.Pick(kSidecars)(context);
  return true;
}

bool EditBlockBeyond(MutationContext& context) {
  constexpr std::array<std::string_view, 6> kBlocks = {
      "blk.511.", "blk.512.", "blk.4294967295.", "blk.-1.", "blk.00.", "blk.18446744073709551616."};
  FixedVector<Tensor>& tensors = context.draft.tensors;
  if (tensors.empty()) return false;
  Tensor& tensor = tensors[context.random.Below(tensors.size())];
  const std::string_view name =
      Joined(context.arena, {context.random.Pick(kBlocks), tensor.name.substr(0, 32)});
  if (name.empty()) return false;
  tensor.name = name;
  return true;
}

bool EditEmbeddingShape(MutationContext& context) {
  FixedVector<Tensor>& tensors = context.draft.tensors;
  if (tensors.empty()) return false;
  Tensor& tensor = tensors[context.random.Below(tensors.size())];
  if (context.draft.tensors.size() == 1 || context.random.OneIn(2))
    tensor.name = "token_embd.weight";
  tensor.dimension_count = 2;
  tensor.dims = {context.random.Between(1, 64), context.random.Between(1, 64), 1, 1, 1};
  return true;
}

bool EditUnsaid(MutationContext& context) {
  constexpr std::array<std::string_view, 5> kSaid = {
      kArchitectureKey, "general.quantization_version", "general.file_type", "general.type",
      "tokenizer.ggml.model"};
  const std::size_t before = context.draft.entries.size();
  DropKeys(context.draft, context.random.Pick(kSaid));
  return context.draft.entries.size() < before;
}

}  // namespace ggufgate::mutate
