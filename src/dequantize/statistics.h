#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace ggufgate {

// Statistics of many floats. NaN and infinite values are counted, and excluded from the other
// results.
class Statistics {
 public:
  // Add adds some values.
  void Add(std::span<const float> values);

  // Merge adds the values of another object. The last digits of mean and deviation depend on the
  // order of merging: merge in the same order to get the same result.
  void Merge(const Statistics& other);

  [[nodiscard]] std::uint64_t count() const { return finite_ + nan_ + infinite_; }
  [[nodiscard]] std::uint64_t finite() const { return finite_; }
  [[nodiscard]] std::uint64_t nan() const { return nan_; }
  [[nodiscard]] std::uint64_t infinite() const { return infinite_; }
  [[nodiscard]] std::uint64_t zeros() const { return zeros_; }  // -0 too
  // 0 if no value is finite.
  [[nodiscard]] float min() const { return min_; }
  [[nodiscard]] float max() const { return max_; }
  [[nodiscard]] double mean() const { return mean_; }
  // StandardDeviation of the population (divides by n, not n - 1).
  [[nodiscard]] double StandardDeviation() const;

 private:
  std::uint64_t finite_ = 0;
  std::uint64_t nan_ = 0;
  std::uint64_t infinite_ = 0;
  std::uint64_t zeros_ = 0;
  float min_ = 0;
  float max_ = 0;
  double mean_ = 0;
  double squares_ = 0;  // sum of squared distances from the mean
};

// Histogram counts finite floats in intervals of equal width.
class Histogram {
 public:
  static constexpr std::size_t kBins = 16;

  // Counts from `least` to `most`, which must be finite, both inclusive.
  Histogram(float least, float most);

  void Add(std::span<const float> values);
  void Merge(const Histogram& other);

  [[nodiscard]] const std::array<std::uint64_t, kBins>& counts() const { return counts_; }
  // LowerEdge returns the lower edge of a bin. For kBins, it is the upper edge of the last bin.
  [[nodiscard]] double LowerEdge(std::size_t bin) const;

 private:
  double least_;
  double width_;
  std::array<std::uint64_t, kBins> counts_{};
};

}  // namespace ggufgate
