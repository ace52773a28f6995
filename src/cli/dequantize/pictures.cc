#include "cli/dequantize/pictures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/dequantize/scales.h"
#include "gate/tensor_floats.h"
#include "parse/extent.h"
#include "report/inspect/inspect.h"

namespace ggufgate {
namespace {

// Bins counts what one thread sees of a tensor.
struct Bins {
  std::array<std::uint64_t, WeightPicture::kBins> counts{};
  std::uint64_t outliers = 0;

  void Add(std::span<const float> values, double mean, double deviation) {
    constexpr auto kMost = static_cast<double>(WeightPicture::kBins - 1);
    constexpr double kPerDeviation =
        static_cast<double>(WeightPicture::kBins) / (2 * WeightPicture::kDeviations);
    const double scale = deviation > 0 ? 1 / deviation : 0;
    for (const float value : values) {
      if (!std::isfinite(value)) continue;
      const double far = (static_cast<double>(value) - mean) * scale;
      outliers += std::fabs(far) > WeightPicture::kOutlier ? 1U : 0U;
      const double bin = (far + WeightPicture::kDeviations) * kPerDeviation;
      ++counts.at(static_cast<std::size_t>(std::clamp(bin, 0.0, kMost)));
    }
  }
  void Merge(const Bins& other) {
    for (std::size_t i = 0; i < counts.size(); ++i) counts.at(i) += other.counts.at(i);
    outliers += other.outliers;
  }
};

absl::Status CountBins(const TensorFloats& tensor, unsigned jobs, WeightPicture& picture) {
  std::vector<Bins> parts(jobs);
  const TensorFloats::Receivers receivers{
      .at_once =
          [&](const TensorFloats::Chunk& chunk) {
            // Counted apart: counts of neighbours share lines, which threads would fight for.
            Bins part;
            part.Add(chunk.floats, picture.mean, picture.deviation);
            parts.at(chunk.worker).Merge(part);
            return absl::OkStatus();
          },
      .in_turn = [](const TensorFloats::Chunk&) { return absl::OkStatus(); }};
  absl::Status status = tensor.Decode({.first = 0, .end = tensor.row_count()}, jobs, receivers);
  Bins all;
  for (const Bins& part : parts) all.Merge(part);
  picture.bins = all.counts;
  picture.outliers = all.outliers;
  return status;
}

WeightPicture FiguresOf(const TensorStatistics& one) {
  const Statistics& figures = one.statistics;
  return {.name = std::string(one.tensor->name),
          .type = std::string(one.type),
          .shape = ShapeText(*one.tensor),
          .values = figures.count(),
          .finite = figures.finite(),
          .zeros = figures.zeros(),
          .nan = figures.nan(),
          .infinite = figures.infinite(),
          .min = static_cast<double>(figures.min()),
          .max = static_cast<double>(figures.max()),
          .mean = figures.mean(),
          .deviation = figures.StandardDeviation()};
}

}  // namespace

absl::StatusOr<std::vector<WeightPicture>> PicturesOf(const Document& document,
                                                      const ByteSource& source,
                                                      std::span<const TensorStatistics> tensors,
                                                      unsigned jobs) {
  std::vector<WeightPicture> pictures;
  for (const TensorStatistics& one : tensors) {
    WeightPicture& picture = pictures.emplace_back(FiguresOf(one));
    if (pictures.size() > kMostPictures) continue;  // it will be in the table alone
    const absl::StatusOr<TensorFloats> tensor = TensorFloats::Of(document, source, *one.tensor);
    if (!tensor.ok()) return tensor.status();
    if (absl::Status status = CountBins(*tensor, jobs, picture); !status.ok()) return status;
    const Extent extent = ExtentOf(*one.tensor, 1);
    const std::optional<ByteRange> data = DataRange(document, *one.tensor, extent);
    if (!data || !data->FitsIn(document.file_size) || !tensor->type().quantised) continue;
    absl::Status status = CountScales(source, tensor->type(), document.byte_order, *data, picture);
    if (!status.ok()) return status;
  }
  return pictures;
}

}  // namespace ggufgate
