// Rules about numbers that a loader computes with, and that leave nothing to compute with.

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "check/hyper_parameters.h"
#include "check/rules/rule_functions.h"
#include "check/values.h"

namespace ggufgate {
namespace {

struct Checked {
  std::string_view key;
  bool may_be_zero;
  RopeValueWording wording;
};

// llama.cpp computes with 1 instead of a factor of 0 (llama_model_base::load_hparams).
constexpr std::array kChecked = {
    Checked{"rope.freq_base", false, RopeValueWording::kBase},
    Checked{"rope.freq_base_swa", false, RopeValueWording::kBase},
    Checked{"rope.scaling.factor", true, RopeValueWording::kFactor},
};

}  // namespace

void CheckRopeValue(const Context& context, Sink& sink) {
  for (const Checked& checked : kChecked) {
    const MetadataEntry* entry = context.parameters.Find(checked.key);
    const std::optional<float> value =
        entry != nullptr ? FloatOf(context.document, *entry) : std::nullopt;
    if (!value) continue;
    const bool enough = checked.may_be_zero ? *value >= 0 : *value > 0;
    if (enough && std::isfinite(*value)) continue;
    sink.Add({.where = entry->ValueRange(),
              .subject = MetadataSubject(context.document, *entry),
              .observed = TextFact(std::to_string(*value)),
              .wording = checked.wording});
  }
}

}  // namespace ggufgate
