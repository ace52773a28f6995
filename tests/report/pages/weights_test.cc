#include "report/pages/weights.h"

#include <gmock/gmock.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/support/command_text.h"
#include "tests/support/hostile_texts.h"
#include "tests/support/matchers.h"
#include "tests/support/page_tags.h"

namespace ggufgate::testing {
namespace {

// Layer is a tensor with values of some width around 0.
WeightPicture Layer(const std::string& name, double deviation) {
  WeightPicture picture{.name = name, .type = "Q4_0", .shape = "[32]", .values = 32, .finite = 32};
  picture.min = -3 * deviation;
  picture.max = 3 * deviation;
  picture.deviation = deviation;
  picture.bins.at(20) = 32;
  picture.scales = 1;
  picture.scale_bins.at(20) = 1;
  return picture;
}

std::vector<WeightPicture> Layers(const std::string& suffix, std::size_t count) {
  std::vector<WeightPicture> layers;
  for (std::size_t i = 0; i < count; ++i) {
    layers.push_back(Layer("blk." + std::to_string(i) + suffix, 0.02));
  }
  return layers;
}

std::vector<std::string> WordsOf(const std::vector<WeightPicture>& pictures) {
  std::vector<std::string> words;
  for (const StandsOut& one : WhatStandsOut(pictures)) {
    words.push_back(pictures.at(one.picture).name + ": " + one.words);
  }
  return words;
}

std::string Html(const std::vector<WeightPicture>& pictures, const std::string& path = "a.gguf") {
  std::ostringstream out;
  PicturesAsHtml(pictures, path, out);
  return out.str();
}

std::string Svg(const std::vector<WeightPicture>& pictures, const std::string& path = "a.gguf") {
  std::ostringstream out;
  PicturesAsSvg(pictures, path, out);
  return out.str();
}

TEST(RoleOf, FindsTheNumberOfTheLayer) {
  EXPECT_EQ(RoleOf("blk.12.attn_q.weight").name, "blk.*.attn_q.weight");
  EXPECT_EQ(RoleOf("blk.12.attn_q.weight").layer, 12);
  EXPECT_EQ(RoleOf("v.blk.0.ln1").name, "v.blk.*.ln1");
  EXPECT_EQ(RoleOf("output.weight").layer, -1);
  EXPECT_EQ(RoleOf("blk.1234567.x").layer, -1) << "no number of a layer";
  EXPECT_EQ(RoleOf("").layer, -1);
  EXPECT_EQ(RoleOf("5").name, "*");
}

TEST(WhatStandsOut, OfLayersAlikeIsNothing) {
  std::vector<WeightPicture> layers = Layers(".a", 5);
  EXPECT_THAT(WordsOf(layers), IsEmpty());
  layers.at(2) = Layer("blk.2.a", 0.19);
  EXPECT_THAT(WordsOf(layers), IsEmpty()) << "not yet ten times";
}

TEST(WhatStandsOut, IsALayerTenTimesTheOthersOrATenth) {
  std::vector<WeightPicture> layers = Layers(".a", 5);
  layers.at(2) = Layer("blk.2.a", 0.2);
  layers.at(3) = Layer("blk.3.a", 0.002);
  EXPECT_THAT(WordsOf(layers),
              ElementsAre("blk.2.a: values are 10 times as wide as the median layer's",
                          "blk.3.a: values are 10 times narrower than the median layer's"));
}

TEST(WhatStandsOut, IsALayerThatIsAllZero) {
  std::vector<WeightPicture> layers = Layers(".a", 5);
  WeightPicture& zero = layers.at(1);
  zero.zeros = zero.values;
  zero.min = zero.max = zero.deviation = 0;
  zero.zero_scales = 1;
  EXPECT_THAT(WordsOf(layers), ElementsAre("blk.1.a: all values are zero"));
  zero.zeros = zero.values - 1;
  zero.max = zero.deviation = 0.02;
  EXPECT_THAT(WordsOf(layers), ElementsAre("blk.1.a: 1 of 1 scales are zero"));
}

TEST(WhatStandsOut, IsWhatIsNotFiniteOrFarAway) {
  std::vector<WeightPicture> layers = Layers(".a", 3);
  layers.at(0).nan = 2;
  layers.at(1).infinite = 1;
  layers.at(2).max = 2;
  EXPECT_THAT(WordsOf(layers),
              ElementsAre("blk.0.a: 2 values are NaN", "blk.1.a: 1 value is infinite",
                          "blk.2.a: the farthest value is 100 deviations from the mean"));
}

TEST(PicturesAsHtml, ShowsLayersSideBySideAndSaysWhatStandsOut) {
  std::vector<WeightPicture> layers = Layers(".a", 5);
  layers.at(2) = Layer("blk.2.a", 0.4);
  const std::string page = Html(layers);
  EXPECT_THAT(page, AllOf(HasSubstr("<h2><code>blk.*.a</code></h2><p>5 layers"),
                          HasSubstr("<li class=\"noted\">"),
                          HasSubstr("<code>blk.2.a</code> values are 20 times as wide")));
  EXPECT_THAT(Html(Layers(".a", 5)),
              AllOf(HasSubstr("Nothing: no tensor"), Not(HasSubstr("noted\""))));
}

TEST(PicturesAsHtml, SaysOnceWhatStandsOutInManyLayers) {
  std::vector<WeightPicture> pictures = Layers(".weight", 3);
  for (WeightPicture& picture : pictures) picture.zeros = picture.values;
  EXPECT_THAT(Html(pictures), AllOf(HasSubstr("<li><code>blk.0.weight</code> all values"),
                                    HasSubstr("<li><code>blk.2.weight</code> all values"),
                                    Not(HasSubstr("layers: all"))));
  pictures = Layers(".weight", 4);
  for (WeightPicture& picture : pictures) picture.zeros = picture.values;
  EXPECT_THAT(Html(pictures),
              AllOf(HasSubstr("<li><code>blk.*.weight</code> in 4 layers: all values are zero"),
                    Not(HasSubstr("<li><code>blk.0.weight</code>"))));
}

TEST(PicturesAsHtml, IsBoundedAndSaysSo) {
  const std::string page = Html(Layers(".a", kMostRows + 1));
  EXPECT_THAT(
      page, HasSubstr("Pictures of the first 3,000 tensors, numbers of the first 5,000, of 5,001"));
  EXPECT_THAT(Html(Layers(".a", 10)), Not(HasSubstr("Pictures of the first")));
  EXPECT_THAT(Svg(Layers(".a", kMostPictures + 1)), HasSubstr("Only the first 3,000 are drawn."));
}

TEST(Pictures, NothingOfAFileBecomesMarkup) {
  const auto html_tags = TagsOf(Html(Layers(".plain", 3)));
  const auto svg_tags = TagsOf(Svg(Layers(".plain", 3)));
  for (const std::string& hostile : HostileMarkup()) {
    const std::vector<WeightPicture> layers = Layers("." + hostile, 3);
    EXPECT_EQ(TagsOf(Html(layers, hostile)), html_tags) << hostile;
    EXPECT_EQ(TagsOf(Svg(layers, hostile)), svg_tags) << hostile;
    EXPECT_EQ(ScriptsIn(Html(layers, hostile)) + ScriptsIn(Svg(layers, hostile)), 0U);
  }
  for (const std::string& hostile : HostileTexts()) {
    EXPECT_TRUE(IsHarmless(Html(Layers(hostile, 1), hostile)));
    EXPECT_TRUE(IsHarmless(Svg(Layers(hostile, 1), hostile)));
  }
}

TEST(PicturesAsSvg, IsADrawingWithATitleAndADescription) {
  std::vector<WeightPicture> layers = Layers(".a", 5);
  layers.at(4).zeros = layers.at(4).values;
  const std::string svg = Svg(layers);
  EXPECT_THAT(svg, StartsWith("<svg xmlns="));
  EXPECT_THAT(svg, HasSubstr("<title id=\"title\">a.gguf: its weights</title>"));
  EXPECT_THAT(svg, HasSubstr("blk.4.a: all values are zero."));
}

TEST(Pictures, NumbersWithoutAMeaningDrawNothingWrong) {
  std::vector<WeightPicture> layers = Layers(".a", 3);
  layers.at(0).deviation = layers.at(0).mean = 1e300;
  layers.at(1) = WeightPicture{.name = "blk.1.a"};
  for (const std::string& text : {Html(layers), Svg(layers), Html({}), Svg({})}) {
    EXPECT_THAT(text, AllOf(Not(HasSubstr("nan")), Not(HasSubstr("inf "))));
  }
}

}  // namespace
}  // namespace ggufgate::testing
