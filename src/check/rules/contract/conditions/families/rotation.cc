// Rotary embedding: the rotated part of a head.

#include "check/rules/contract/conditions/families/families.h"
#include "check/rules/contract/parameters/formula_words.h"

namespace ggufgate {
namespace rotation {
namespace {

using namespace formula;  // the words of the formulas

bool RotatedZero(const P& p) { return p.Heads() > 0 && p.Rotated() == 0; }

bool RotatedOdd(const P& p) { return p.Rotated() % 2 != 0; }

bool RotatedHalfOdd(const P& p) { return p.Rotated() % 4 != 0; }

bool RotatedHalfBeyondSomeWidth(const P& p) {
  return p.KeyWidth() > 0 && p.Rotated() > 2 * p.KeyWidth();
}

bool RotatedBeyondWidth(const P& p) { return p.Rotated() > p.KeyWidth(); }

bool RotatedBeyondSomeWidth(const P& p) { return p.KeyWidth() > 0 && p.Rotated() > p.KeyWidth(); }

// If only a part of a head is rotated, the rest is copied two numbers at a time
// (ggml_compute_forward_rope_flt). An odd rest writes one number after the last row, into another
// tensor or beyond the buffer.
bool PlainPartOdd(const P& p) { return (p.KeyWidth() - p.Rotated()) % 2 != 0; }

bool WindowPlainPartOdd(const P& p) {
  return p.WindowRotated() % 2 == 0 && p.WindowKeyWidth() % 2 != 0;
}

bool IndexerPlainPartOdd(const P& p) {
  return p.Rotated() % 2 == 0 && p.Value("attention.indexer.key_length") % 2 != 0;
}

bool RotatedIsValueWidth(const P& p) { return p.Rotated() != p.ValueWidth(); }

bool WindowRotatedIsWidth(const P& p) { return p.WindowRotated() != p.WindowKeyWidth(); }

bool WindowRotatedZero(const P& p) { return p.Heads() > 0 && p.WindowRotated() == 0; }

bool WindowRotatedOdd(const P& p) { return p.WindowRotated() % 2 != 0; }

bool WindowRotatedBeyondWidth(const P& p) { return p.WindowRotated() > p.WindowKeyWidth(); }

bool WindowRotatedBeyondSomeWidth(const P& p) {
  return p.WindowKeyWidth() > 0 && p.WindowRotated() > p.WindowKeyWidth();
}

bool SectionsEmpty(const P& p) {
  return Section(p, 0) <= 0 && Section(p, 1) <= 0 && Section(p, 2) <= 0;
}

bool SectionsSumZero(const P& p) { return p.Has("rope.dimension_sections") && Sections(p) == 0; }

bool SectionsBeyondWidth(const P& p) { return Sections(p) > p.KeyWidth(); }

bool ScalingType(const P& p) {
  return !OneOf(p.Text("rope.scaling.type", "linear"), {"none", "linear", "yarn", "longrope"});
}

bool SectionsTogether(const P& p) {
  return Section(p, 0) > 0 && Section(p, 1) > 0 && Sections(p) > p.KeyWidth();
}

bool RotatedNegative(const P& p) { return p.Value("rope.dimension_count") > 0x8000'0000; }

bool WindowRotatedNegative(const P& p) {
  return p.Value("rope.dimension_count_swa", p.Value("rope.dimension_count")) > 0x8000'0000;
}

bool RotatedLeast(const P& p) { return p.Value("rope.dimension_count") == 0x8000'0000; }

bool WindowRotatedLeast(const P& p) {
  return p.Value("rope.dimension_count_swa", p.Value("rope.dimension_count")) == 0x8000'0000;
}

constexpr std::array kConditions = {
    Condition{"rotated-zero", RuleId::kRopeDimensions, "rope.dimension_count", &RotatedZero,
              "must not be 0"},
    Condition{"rotated-odd", RuleId::kRopeDimensions,
              "rope.dimension_count attention.key_length attention.head_count embedding_length",
              &RotatedOdd, "rope.dimension_count must be even"},
    Condition{"rotated-half-odd", RuleId::kRopeDimensions,
              "rope.dimension_count attention.key_length attention.head_count embedding_length",
              &RotatedHalfOdd, "rope.dimension_count must be a multiple of 4"},
    Condition{"rotated-half-beyond-some-width", RuleId::kRopeDimensions,
              "rope.dimension_count attention.key_length attention.head_count embedding_length",
              &RotatedHalfBeyondSomeWidth,
              "rope.dimension_count must be at most twice the width of a head"},
    Condition{"rotated-beyond-width", RuleId::kRopeDimensions,
              "rope.dimension_count attention.key_length attention.head_count embedding_length",
              &RotatedBeyondWidth, "rope.dimension_count must be at most the width of a head"},
    Condition{"rotated-beyond-some-width", RuleId::kRopeDimensions,
              "rope.dimension_count attention.key_length attention.head_count embedding_length",
              &RotatedBeyondSomeWidth, "rope.dimension_count must be at most the width of a head"},
    Condition{"plain-part-odd", RuleId::kRopeDimensions,
              "rope.dimension_count attention.key_length attention.head_count embedding_length",
              &PlainPartOdd, "key_length minus rope.dimension_count must be even"},
    Condition{"window-plain-part-odd", RuleId::kRopeDimensions,
              "rope.dimension_count_swa rope.dimension_count attention.key_length_swa "
              "attention.key_length attention.head_count embedding_length",
              &WindowPlainPartOdd, "key_length_swa minus rope.dimension_count_swa must be even"},
    Condition{"indexer-plain-part-odd", RuleId::kRopeDimensions,
              "attention.indexer.key_length rope.dimension_count attention.key_length "
              "attention.head_count embedding_length",
              &IndexerPlainPartOdd,
              "attention.indexer.key_length minus rope.dimension_count must be even"},
    Condition{"rotated-is-value-width", RuleId::kRopeDimensions,
              "rope.dimension_count attention.value_length attention.head_count embedding_length",
              &RotatedIsValueWidth, "rope.dimension_count must be equal to the width of a head"},
    Condition{"window-rotated-is-width", RuleId::kRopeDimensions,
              "rope.dimension_count_swa rope.dimension_count attention.key_length_swa "
              "attention.key_length",
              &WindowRotatedIsWidth,
              "rope.dimension_count_swa must be equal to the width of a head"},
    Condition{"window-rotated-zero", RuleId::kRopeDimensions,
              "rope.dimension_count_swa rope.dimension_count", &WindowRotatedZero,
              "rope.dimension_count_swa must not be 0"},
    Condition{"window-rotated-odd", RuleId::kRopeDimensions,
              "rope.dimension_count_swa rope.dimension_count", &WindowRotatedOdd,
              "rope.dimension_count_swa must be even"},
    Condition{"window-rotated-beyond-width", RuleId::kRopeDimensions,
              "rope.dimension_count_swa rope.dimension_count attention.key_length_swa "
              "attention.key_length",
              &WindowRotatedBeyondWidth,
              "rope.dimension_count_swa must be at most the width of a head"},
    Condition{"window-rotated-beyond-some-width", RuleId::kRopeDimensions,
              "rope.dimension_count_swa rope.dimension_count attention.key_length_swa "
              "attention.key_length",
              &WindowRotatedBeyondSomeWidth,
              "rope.dimension_count_swa must be at most the width of a head"},
    Condition{"sections-empty", RuleId::kRopeDimensions, "rope.dimension_sections", &SectionsEmpty,
              "one of the first three sections must be greater than 0"},
    Condition{"sections-sum-zero", RuleId::kRopeDimensions, "rope.dimension_sections",
              &SectionsSumZero, "the sum of the sections must not be 0"},
    Condition{"sections-beyond-width", RuleId::kRopeDimensions,
              "rope.dimension_sections attention.key_length attention.head_count embedding_length",
              &SectionsBeyondWidth, "the sum of the sections must be at most the width of a head"},
    Condition{"rope-scaling-type", RuleId::kRopeScalingType, "rope.scaling.type", &ScalingType,
              "must be none, linear, yarn or longrope"},
    Condition{"sections-together", RuleId::kRopeDimensions,
              "rope.dimension_sections attention.key_length attention.head_count embedding_length",
              &SectionsTogether, "the sum of the sections must be at most the width of a head"},
    Condition{"rotated-negative", RuleId::kRopeDimensions, "rope.dimension_count", &RotatedNegative,
              "must be less than 2^31"},
    Condition{"window-rotated-negative", RuleId::kRopeDimensions,
              "rope.dimension_count_swa rope.dimension_count", &WindowRotatedNegative,
              "rope.dimension_count_swa must be less than 2^31"},
    Condition{"rotated-least", RuleId::kRopeDimensions, "rope.dimension_count", &RotatedLeast,
              "must be less than 2^31"},
    Condition{"window-rotated-least", RuleId::kRopeDimensions,
              "rope.dimension_count_swa rope.dimension_count", &WindowRotatedLeast,
              "rope.dimension_count_swa must be less than 2^31"},
};

}  // namespace
}  // namespace rotation

std::span<const Condition> RotationConditions() { return rotation::kConditions; }

}  // namespace ggufgate
