// dequantize --stats --format svg: the same pictures as one drawing, for documents.

#include <algorithm>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "report/pages/page.h"
#include "report/pages/weight_rows.h"
#include "report/pages/weights.h"
#include "report/values.h"
#include "words/escape.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

using internal::Row;

constexpr int kColumns = 8;
constexpr int kStepX = internal::kCellWidth + 16;
constexpr int kStepY = internal::kCellHeight + 24;
constexpr int kMargin = 24;
constexpr int kHeading = 34;
constexpr int kWidth = 2 * kMargin + kColumns * kStepX - 16;
constexpr std::size_t kMostDescribed = 50;

constexpr std::string_view kStyle =
    "text{font:13px system-ui,sans-serif;fill:#23221f}.head{font-weight:600;font-size:15px}"
    ".quiet{fill:#615d54}.note{fill:#a3161d;font-size:11px}.axis{stroke:#b9b4a8;fill:none}"
    ".values{fill:#14568f}.scales{fill:none;stroke:#7a4b00;stroke-width:.8}.paper{fill:#fdfcf9}"
    ".noted{fill:none;stroke:#a3161d;stroke-width:1.5}"
    "@media(prefers-color-scheme:dark){text{fill:#e8e6e1}.quiet{fill:#a9a69e}.note{fill:#ff9b98}"
    ".axis{stroke:#5a5d61}.values{fill:#8cc2f2}.scales{stroke:#f0c26c}.paper{fill:#191a1c}"
    ".noted{stroke:#ff9b98}}";

std::string NameText(std::string_view name, std::size_t bytes) {
  return HtmlText(CutText(EscapeText(name), bytes));
}

int HeightOf(const Row& row) {
  const auto count = static_cast<int>(row.pictures.size());
  return kHeading + (count + kColumns - 1) / kColumns * kStepY;
}

void PutCell(const WeightPicture& picture, const Row& row, const StandsOut* note, int x, int y,
             std::ostream& out) {
  const internal::Drawing drawing = internal::DrawingOf(picture, row.reach);
  const WeightRole role = RoleOf(picture.name);
  out << absl::StrFormat("<g transform=\"translate(%d %d)\"><title>", x, y)
      << NameText(picture.name, 160) << ": " << HtmlText(internal::NumbersOf(picture))
      << (note == nullptr ? "" : ". " + HtmlText(note->words)) << "</title>"
      << absl::StrFormat("<path class=\"axis\" d=\"M0 %dH%dM%d %dv3\"/>", internal::kBaseLine,
                         internal::kCellWidth, internal::kCellWidth / 2, internal::kBaseLine)
      << "<path class=\"values\" d=\"" << drawing.values << "\"/><path class=\"scales\" d=\""
      << drawing.scales << "\"/>";
  if (note != nullptr) {
    out << absl::StrFormat(
        "<rect class=\"noted\" x=\"-3\" y=\"-2\" width=\"%d\" height=\"%d\" rx=\"4\"/>",
        internal::kCellWidth + 6, internal::kCellHeight + 4);
  }
  out << absl::StrFormat("<text class=\"quiet\" y=\"%d\">", internal::kCellHeight + 15)
      << (role.layer >= 0 ? std::to_string(role.layer) : NameText(picture.name, 18)) << "</text>";
  if (note != nullptr) {
    // Beside the number of the layer, or above the picture where a name stands below it.
    out << absl::StrFormat("<text class=\"note\" text-anchor=\"end\" x=\"%d\" y=\"%d\">",
                           internal::kCellWidth, role.layer >= 0 ? internal::kCellHeight + 15 : 10)
        << HtmlText(note->brief) << "</text>";
  }
  out << "</g>\n";
}

}  // namespace

void PicturesAsSvg(std::span<const WeightPicture> pictures, const std::string& path,
                   std::ostream& out) {
  const std::vector<Row> rows = internal::RowsOf(pictures);
  const std::vector<StandsOut> found = WhatStandsOut(pictures);
  std::map<std::size_t, const StandsOut*> notes;
  for (const StandsOut& one : found) notes[one.picture] = &one;
  int height = 2 * kMargin + 28;
  for (const Row& row : rows) height += HeightOf(row);
  const std::string name = EscapeText(path);
  out << absl::StrFormat(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
             "height=\"%d\" "
             "role=\"img\" aria-labelledby=\"title desc\">\n",
             kWidth, height, kWidth, height)
      << "<title id=\"title\">" << HtmlText(name) << ": its weights</title>\n<desc id=\"desc\">"
      << "Histograms of " << Grouped(pictures.size())
      << (pictures.size() == 1 ? " tensor." : " tensors.");
  if (pictures.size() > kMostPictures)
    out << " Only the first " << Grouped(kMostPictures) << " are drawn.";
  for (const StandsOut& one : std::span(found).first(std::min(found.size(), kMostDescribed))) {
    out << ' ' << NameText(pictures[one.picture].name, 160) << ": " << HtmlText(one.words) << '.';
  }
  out << "</desc>\n<style>" << kStyle << "</style>\n"
      << absl::StrFormat("<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", kWidth, height)
      << absl::StrFormat("<text class=\"head\" x=\"%d\" y=\"%d\">", kMargin, kMargin + 12)
      << NameText(path, 120) << "</text>\n";
  int y = kMargin + 28;
  for (const Row& row : rows) {
    out << absl::StrFormat("<text class=\"head\" x=\"%d\" y=\"%d\">", kMargin, y + 18)
        << (row.role.empty() ? "tensors of no layer" : NameText(row.role, 100));
    if (row.reach > 0)
      out << HtmlText(absl::StrFormat(", from %.3g to %.3g", -row.reach, row.reach));
    out << "</text>\n";
    for (std::size_t i = 0; i < row.pictures.size(); ++i) {
      const std::size_t index = row.pictures.at(i);
      const auto note = notes.find(index);
      const auto cell = static_cast<int>(i);
      PutCell(pictures[index], row, note != notes.end() ? note->second : nullptr,
              kMargin + cell % kColumns * kStepX, y + kHeading + cell / kColumns * kStepY, out);
    }
    y += HeightOf(row);
  }
  out << "</svg>\n";
}

}  // namespace ggufgate
