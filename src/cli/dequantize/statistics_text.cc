#include "cli/dequantize/statistics_text.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_format.h"
#include "report/table.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

using Align = Table::Align;

// Share returns a count with its share: "12,345 (0.3 %)".
std::string Share(std::uint64_t part, std::uint64_t whole) {
  if (part == 0 || whole == 0) return Grouped(part);
  return absl::StrFormat("%s (%.3g %%)", Grouped(part),
                         100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string Bar(std::uint64_t count, std::uint64_t most) {
  constexpr double kLongest = 40;
  if (count == 0) return "";
  const double length = kLongest * static_cast<double>(count) / static_cast<double>(most);
  return std::string(std::max<std::size_t>(1, static_cast<std::size_t>(length + 0.5)), '#');
}

void PrintHistogram(const Histogram& histogram, std::ostream& out) {
  Table table({Align::kRight, Align::kRight, Align::kLeft});
  const std::uint64_t most = *std::ranges::max_element(histogram.counts());
  for (std::size_t bin = 0; bin < Histogram::kBins; ++bin) {
    const std::uint64_t count = histogram.counts().at(bin);
    table.Add(
        {absl::StrFormat("from %.4g", histogram.LowerEdge(bin)), Grouped(count), Bar(count, most)});
  }
  out << '\n';
  table.Print(out);
}

}  // namespace

void PrintStatistics(const Statistics& statistics, const std::optional<Histogram>& histogram,
                     std::ostream& out) {
  Table table({Align::kLeft, Align::kLeft});
  table.Add({"values", Grouped(statistics.count())});
  if (statistics.finite() > 0) {
    table.Add({"min", absl::StrFormat("%.9g", statistics.min())});
    table.Add({"max", absl::StrFormat("%.9g", statistics.max())});
    table.Add({"mean", absl::StrFormat("%.6g", statistics.mean())});
    table.Add({"deviation", absl::StrFormat("%.6g", statistics.StandardDeviation())});
  }
  table.Add({"zeros", Share(statistics.zeros(), statistics.count())});
  table.Add({"NaN", Share(statistics.nan(), statistics.count())});
  table.Add({"infinite", Share(statistics.infinite(), statistics.count())});
  table.Print(out);
  if (histogram) PrintHistogram(*histogram, out);
}

}  // namespace ggufgate
