#include "dequantize/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ggufgate {
namespace {

constexpr float kMost = std::numeric_limits<float>::max();

bool IsFinite(float value) { return std::fabs(value) <= kMost; }

// SumOf adds part(value) over the finite values. Several independent sums avoid waiting for each
// addition.
template <typename Part>
double SumOf(std::span<const float> values, Part part) {
  std::array<double, 8> sums{};
  const std::size_t whole = values.size() / sums.size() * sums.size();
  for (std::size_t i = 0; i < whole; i += sums.size()) {
    for (std::size_t lane = 0; lane < sums.size(); ++lane) {
      const float value = values[i + lane];
      sums[lane] += IsFinite(value) ? part(static_cast<double>(value)) : 0.0;
    }
  }
  for (const float value : values.subspan(whole)) {
    sums.front() += IsFinite(value) ? part(static_cast<double>(value)) : 0.0;
  }
  double sum = 0;
  for (const double lane : sums) sum += lane;
  return sum;
}

}  // namespace

void Statistics::Add(std::span<const float> values) {
  Statistics added;
  float least = kMost;
  float most = -kMost;
  for (const float value : values) {
    const bool finite = IsFinite(value);
    added.finite_ += finite ? 1U : 0U;
    added.nan_ += value != value ? 1U : 0U;
    added.zeros_ += value == 0 ? 1U : 0U;
    least = finite && value < least ? value : least;
    most = finite && value > most ? value : most;
  }
  added.infinite_ = values.size() - added.finite_ - added.nan_;
  if (added.finite_ > 0) {
    added.min_ = least;
    added.max_ = most;
    added.mean_ =
        SumOf(values, [](double value) { return value; }) / static_cast<double>(added.finite_);
    added.squares_ = SumOf(
        values, [mean = added.mean_](double value) { return (value - mean) * (value - mean); });
  }
  Merge(added);
}

// Source: Chan, Golub and LeVeque, "Updating formulae and a pairwise algorithm for computing sample
// variances", 1979.
void Statistics::Merge(const Statistics& other) {
  nan_ += other.nan_;
  infinite_ += other.infinite_;
  zeros_ += other.zeros_;
  if (other.finite_ == 0) return;
  min_ = finite_ == 0 ? other.min_ : std::min(min_, other.min_);
  max_ = finite_ == 0 ? other.max_ : std::max(max_, other.max_);
  const auto mine = static_cast<double>(finite_);
  const auto theirs = static_cast<double>(other.finite_);
  const double distance = other.mean_ - mean_;
  const double part = theirs / (mine + theirs);
  mean_ += distance * part;
  squares_ += other.squares_ + distance * distance * mine * part;
  finite_ += other.finite_;
}

double Statistics::StandardDeviation() const {
  return finite_ == 0 ? 0 : std::sqrt(squares_ / static_cast<double>(finite_));
}

Histogram::Histogram(float least, float most)
    : least_(static_cast<double>(least)),
      width_((static_cast<double>(most) - static_cast<double>(least)) / double{kBins}) {}

void Histogram::Add(std::span<const float> values) {
  const double scale = width_ > 0 ? 1 / width_ : 0;
  for (const float value : values) {
    if (!IsFinite(value)) continue;
    const double bin = (static_cast<double>(value) - least_) * scale;
    ++counts_.at(static_cast<std::size_t>(std::clamp(bin, 0.0, double{kBins - 1})));
  }
}

void Histogram::Merge(const Histogram& other) {
  for (std::size_t bin = 0; bin < kBins; ++bin) counts_.at(bin) += other.counts_.at(bin);
}

double Histogram::LowerEdge(std::size_t bin) const {
  return least_ + width_ * static_cast<double>(bin);
}

}  // namespace ggufgate
