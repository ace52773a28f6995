#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace ggufgate {

// Statistics of many floats. Those that are NaN or infinite are counted, and take no part in the
// rest.
class Statistics {
 public:
  // Add takes some more.
  void Add(std::span<const float> values);

  // Merge adds what another has seen. The mean and deviation depend on the order of merging in
  // their last digits only, but do: whoever wants the same twice merges in the same order.
  void Merge(const Statistics& other);

  [[nodiscard]] std::uint64_t count() const { return finite_ + nan_ + infinite_; }
  [[nodiscard]] std::uint64_t finite() const { return finite_; }
  [[nodiscard]] std::uint64_t nan() const { return nan_; }
  [[nodiscard]] std::uint64_t infinite() const { return infinite_; }
  [[nodiscard]] std::uint64_t zeros() const { return zeros_; }  // -0 too
  // 0 where no value is finite.
  [[nodiscard]] float min() const { return min_; }
  [[nodiscard]] float max() const { return max_; }
  [[nodiscard]] double mean() const { return mean_; }
  // StandardDeviation of the values themselves (divided by their number, not one less).
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

  // From `least` to `most`, both finite and included.
  Histogram(float least, float most);

  void Add(std::span<const float> values);
  void Merge(const Histogram& other);

  [[nodiscard]] const std::array<std::uint64_t, kBins>& counts() const { return counts_; }
  // LowerEdge of a bin; that of bin kBins is the upper edge of the last.
  [[nodiscard]] double LowerEdge(std::size_t bin) const;

 private:
  double least_;
  double width_;
  std::array<std::uint64_t, kBins> counts_{};
};

}  // namespace ggufgate
