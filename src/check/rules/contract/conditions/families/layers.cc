// Numbers of layers.

#include "check/rules/contract/conditions/families/families.h"
#include "check/rules/contract/parameters/formula_words.h"

namespace ggufgate {
namespace layers {
namespace {

using namespace formula;  // the words of the formulas

bool NextLayers(const P& p) { return p.Value("nextn_predict_layers") > p.all_layers(); }

bool NextLayersAll(const P& p) { return p.Value("nextn_predict_layers") >= p.all_layers(); }

bool FourLayers(const P& p) { return p.layers() > 0 && p.layers() < 4; }

bool LeadingDense(const P& p) {
  return p.Has("leading_dense_block_count") && p.layers() > 0 &&
         p.Value("leading_dense_block_count") >= p.layers();
}

bool LeadingDenseSigned(const P& p) { return p.Value("leading_dense_block_count") > 0x7FFF'FFFF; }

bool LastFeedForward(const P& p) {
  return p.layers() > 0 && p.At("feed_forward_length", p.layers() - 1) == 0;
}

bool DecoderLayers(const P& p) {
  return p.Has("decoder_block_count") && p.Value("decoder_block_count") == 0;
}

constexpr std::array kConditions = {
    Condition{"next-layers", RuleId::kLayerCounts, "nextn_predict_layers block_count", &NextLayers,
              "nextn_predict_layers must be at most block_count"},
    Condition{"next-layers-all", RuleId::kLayerCounts, "nextn_predict_layers block_count",
              &NextLayersAll, "nextn_predict_layers must be less than block_count"},
    Condition{"four-layers", RuleId::kLayerCounts, "block_count nextn_predict_layers", &FourLayers,
              "the model must have at least 4 layers, because only every fourth layer reads the "
              "whole text"},
    Condition{"leading-dense", RuleId::kLayerCounts, "leading_dense_block_count block_count",
              &LeadingDense, "leading_dense_block_count must be less than the number of layers"},
    Condition{"leading-dense-signed", RuleId::kLayerCounts, "leading_dense_block_count",
              &LeadingDenseSigned, "must be less than 2^31"},
    Condition{"last-feed-forward", RuleId::kLayerCounts, "feed_forward_length", &LastFeedForward,
              "the last layer must have a feed-forward network"},
    Condition{"decoder-layers", RuleId::kLayerCounts, "decoder_block_count", &DecoderLayers,
              "must not be 0"},
};

}  // namespace
}  // namespace layers

std::span<const Condition> LayersConditions() { return layers::kConditions; }

}  // namespace ggufgate
