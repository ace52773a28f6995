#include "cli/dequantize/tensor_list.h"

#include <nlohmann/json.hpp>

#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
#include "cli/dequantize/figures.h"
#include "gate/tensor_floats.h"
#include "report/inspect/inspect.h"
#include "report/json_value.h"
#include "report/table.h"
#include "words/escape.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

using Align = Table::Align;
using Json = nlohmann::ordered_json;

absl::StatusOr<Statistics> StatisticsOf(const TensorFloats& tensor, unsigned jobs) {
  Figures figures(jobs);
  const TensorFloats::Receivers receivers{.at_once =
                                              [&](const TensorFloats::Chunk& chunk) {
                                                figures.AtOnce(chunk);
                                                return absl::OkStatus();
                                              },
                                          .in_turn =
                                              [&](const TensorFloats::Chunk& chunk) {
                                                figures.InTurn(chunk);
                                                return absl::OkStatus();
                                              }};
  absl::Status status = tensor.Decode({.first = 0, .end = tensor.row_count()}, jobs, receivers);
  if (!status.ok()) return status;
  return figures.all();
}

// Shown returns a number for a column, or an empty text if no value is finite.
template <typename T>
std::string Shown(const Statistics& statistics, T value) {
  return statistics.finite() > 0 ? absl::StrFormat("%.4g", value) : "-";
}

template <typename T>
Json JsonOfFinite(const Statistics& statistics, T value) {
  return statistics.finite() > 0 ? Json(value) : Json(nullptr);
}

}  // namespace

absl::StatusOr<std::vector<TensorStatistics>> StatisticsOfAll(const Document& document,
                                                              const ByteSource& source,
                                                              unsigned jobs) {
  std::vector<TensorStatistics> all;
  for (const TensorInfo& info : document.tensors) {
    const absl::StatusOr<TensorFloats> tensor = TensorFloats::Of(document, source, info);
    if (!tensor.ok()) return tensor.status();
    const absl::StatusOr<Statistics> statistics = StatisticsOf(*tensor, jobs);
    if (!statistics.ok()) return statistics.status();
    all.push_back({.tensor = &info, .type = tensor->type().name, .statistics = *statistics});
  }
  return all;
}

void PrintStatisticsOf(const std::vector<TensorStatistics>& all, std::ostream& out) {
  Table table({Align::kLeft, Align::kLeft, Align::kLeft, Align::kRight, Align::kRight,
               Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kRight});
  table.Add(
      {"tensor", "type", "shape", "min", "max", "mean", "deviation", "zeros", "NaN", "infinite"});
  for (const TensorStatistics& one : all) {
    const Statistics& figures = one.statistics;
    table.Add({EscapeText(one.tensor->name), std::string(one.type), ShapeText(*one.tensor),
               Shown(figures, figures.min()), Shown(figures, figures.max()),
               Shown(figures, figures.mean()), Shown(figures, figures.StandardDeviation()),
               Grouped(figures.zeros()), Grouped(figures.nan()), Grouped(figures.infinite())});
  }
  table.Print(out);
}

void PrintStatisticsAsJson(const std::vector<TensorStatistics>& all, const std::string& path,
                           std::ostream& out) {
  out << R"({"schema":"ggufgate.statistics/1","path":)" << JsonText(EscapeText(path));
  if (EscapeText(path) != path) {
    out << ",\"path_hex\":" << JsonText(absl::BytesToHexString(path));
  }
  out << ",\"tensors\":[";
  std::string_view separator = "\n";
  for (const TensorStatistics& one : all) {
    const Statistics& figures = one.statistics;
    const Json json = {{"name", EscapeText(one.tensor->name)},
                       {"type", one.type},
                       {"dimensions", one.tensor->Dimensions()},
                       {"values", figures.count()},
                       {"min", JsonOfFinite(figures, figures.min())},
                       {"max", JsonOfFinite(figures, figures.max())},
                       {"mean", JsonOfFinite(figures, figures.mean())},
                       {"deviation", JsonOfFinite(figures, figures.StandardDeviation())},
                       {"zeros", figures.zeros()},
                       {"nan", figures.nan()},
                       {"infinite", figures.infinite()}};
    out << separator << JsonText(json);
    separator = ",\n";
  }
  out << "\n]}\n";
}

}  // namespace ggufgate
