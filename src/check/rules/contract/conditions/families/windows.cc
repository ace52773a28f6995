// Sliding windows: layers with and without one, and layers that share keys and values.

#include "check/rules/contract/conditions/families/families.h"
#include "check/rules/contract/parameters/formula_words.h"

namespace ggufgate {
namespace windows {
namespace {

using namespace formula;  // the words of the formulas

bool WindowNowhere(const P& p) {
  return p.Has("attention.sliding_window_pattern") && p.layers() > 0 &&
         !AnyTrue(p, [&](Number i) { return Windowed(p, i); });
}

bool WindowNowhereAtAll(const P& p) {
  return p.Has("attention.sliding_window_pattern") &&
         !AnyLayer(p, [&](Number i) { return Windowed(p, i); });
}

bool WindowEverywhere(const P& p) {
  return p.Has("attention.sliding_window_pattern") && p.layers() > 0 &&
         !AnyTrue(p, [&](Number i) { return !Windowed(p, i); });
}

bool WindowEverywhereAtAll(const P& p) {
  return p.Has("attention.sliding_window_pattern") && p.all_layers() > 0 &&
         p.FirstNextLayer() >= p.all_layers() &&
         !AnyTrue(p, [&](Number i) { return !Windowed(p, i); });
}

bool WindowNowhereFullFirst(const P& p) {
  return p.Has("attention.sliding_window_pattern") && p.layers() > 0 &&
         !AnyTrue(p, [&](Number i) { return WindowedFullFirst(p, i); });
}

bool WindowEverywhereFullFirst(const P& p) {
  return p.Has("attention.sliding_window_pattern") && p.layers() > 0 &&
         !AnyTrue(p, [&](Number i) { return !WindowedFullFirst(p, i); });
}

bool WindowPatternAbsent(const P& p) {
  return !p.Has("attention.sliding_window_pattern") && p.layers() < 8;
}

// Releases before v0.5.0: see WindowPeriod().
bool WindowPeriodNowhere(const P& p) { return NoneWindowed(p); }

bool WindowPeriodEverywhere(const P& p) { return AllWindowed(p); }

// Layers that predict further tokens have no window.
bool WindowPeriodEverywhereAtAll(const P& p) {
  return AllWindowed(p) && p.FirstNextLayer() >= p.all_layers();
}

bool WindowPeriodNowhereFullFirst(const P& p) { return NoneWindowedFullFirst(p); }

bool WindowPeriodEverywhereFullFirst(const P& p) { return AllWindowedFullFirst(p); }

bool WindowValueNowhere(const P& p) {
  return p.Has("attention.sliding_window_pattern") && p.layers() > 0 &&
         !AnyTrue(p, [&](Number i) { return WindowedByValue(p, i); });
}

bool WindowValueNowhereAtAll(const P& p) {
  return p.Has("attention.sliding_window_pattern") &&
         !AnyLayer(p, [&](Number i) { return WindowedByValue(p, i); });
}

bool WindowValueEverywhere(const P& p) {
  return p.Has("attention.sliding_window_pattern") && p.layers() > 0 &&
         !AnyTrue(p, [&](Number i) { return !WindowedByValue(p, i); });
}

bool WindowZero(const P& p) {
  return p.Has("attention.sliding_window") && p.Value("attention.sliding_window") == 0;
}

bool WindowAbsent(const P& p) { return !p.Has("attention.sliding_window"); }

bool SharedLayers(const P& p) {
  return p.Value("attention.shared_kv_layers") > 0 &&
         AsInt(p.layers() - p.Value("attention.shared_kv_layers")) < 2;
}

bool DeepstackLayers(const P& p) {
  return p.Value("n_deepstack_layers") >= p.layers() &&
         AsInt(p.Embedding() * p.Value("n_deepstack_layers")) != 0;
}

constexpr std::array kConditions = {
    Condition{"window-nowhere", RuleId::kSlidingWindow,
              "attention.sliding_window_pattern block_count", &WindowNowhere,
              "at least one layer must have a sliding window"},
    Condition{"window-nowhere-at-all", RuleId::kSlidingWindow,
              "attention.sliding_window_pattern block_count", &WindowNowhereAtAll,
              "at least one layer must have a sliding window"},
    Condition{"window-everywhere", RuleId::kSlidingWindow,
              "attention.sliding_window_pattern block_count", &WindowEverywhere,
              "at least one layer must have no sliding window"},
    Condition{"window-everywhere-at-all", RuleId::kSlidingWindow,
              "attention.sliding_window_pattern block_count", &WindowEverywhereAtAll,
              "at least one layer must have no sliding window"},
    Condition{"window-nowhere-full-first", RuleId::kSlidingWindow,
              "attention.sliding_window_pattern block_count", &WindowNowhereFullFirst,
              "at least one layer must have a sliding window"},
    Condition{"window-everywhere-full-first", RuleId::kSlidingWindow,
              "attention.sliding_window_pattern block_count", &WindowEverywhereFullFirst,
              "at least one layer must have no sliding window"},
    Condition{"window-pattern-absent", RuleId::kSlidingWindow, "attention.sliding_window_pattern",
              &WindowPatternAbsent,
              "a model with fewer than 8 layers needs a sliding_window_pattern"},
    Condition{
        "window-period-nowhere", RuleId::kSlidingWindow,
        "attention.sliding_window_pattern block_count", &WindowPeriodNowhere,
        "at least one layer must have a sliding window; a pattern that is an array is ignored"},
    Condition{
        "window-period-everywhere", RuleId::kSlidingWindow,
        "attention.sliding_window_pattern block_count", &WindowPeriodEverywhere,
        "at least one layer must have no sliding window; a pattern that is an array is ignored"},
    Condition{
        "window-period-everywhere-at-all", RuleId::kSlidingWindow,
        "attention.sliding_window_pattern block_count", &WindowPeriodEverywhereAtAll,
        "at least one layer must have no sliding window; a pattern that is an array is ignored"},
    Condition{"window-period-nowhere-full-first", RuleId::kSlidingWindow,
              "attention.sliding_window_pattern block_count", &WindowPeriodNowhereFullFirst,
              "at least one layer must have a sliding window, and the first layer has none; a "
              "pattern that is an array is ignored"},
    Condition{
        "window-period-everywhere-full-first", RuleId::kSlidingWindow,
        "attention.sliding_window_pattern block_count", &WindowPeriodEverywhereFullFirst,
        "at least one layer must have no sliding window; a pattern that is an array is ignored"},
    Condition{"window-value-nowhere", RuleId::kSlidingWindow,
              "attention.sliding_window_pattern block_count", &WindowValueNowhere,
              "at least one layer must have a sliding window"},
    Condition{"window-value-nowhere-at-all", RuleId::kSlidingWindow,
              "attention.sliding_window_pattern block_count", &WindowValueNowhereAtAll,
              "at least one layer must have a sliding window"},
    Condition{"window-value-everywhere", RuleId::kSlidingWindow,
              "attention.sliding_window_pattern block_count", &WindowValueEverywhere,
              "at least one layer must have no sliding window"},
    Condition{"window-zero", RuleId::kSlidingWindow, "attention.sliding_window", &WindowZero,
              "must not be 0"},
    Condition{"window-absent", RuleId::kSlidingWindow, "attention.sliding_window", &WindowAbsent,
              "attention.sliding_window must be present"},
    Condition{"shared-layers", RuleId::kLayerCounts, "attention.shared_kv_layers block_count",
              &SharedLayers, "at least 2 layers must not share their keys and values"},
    Condition{"deepstack-layers", RuleId::kLayerCounts, "n_deepstack_layers", &DeepstackLayers,
              "must be less than the number of layers"},
};

}  // namespace
}  // namespace windows

std::span<const Condition> WindowsConditions() { return windows::kConditions; }

}  // namespace ggufgate
