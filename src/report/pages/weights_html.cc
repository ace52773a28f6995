// dequantize --stats --format html: pictures of all tensors, the layers of each role side by side.

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

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

using internal::Drawing;
using internal::Row;

constexpr std::size_t kMostNoted = 200;
constexpr std::size_t kFewestTogether = 4;  // layers of which the same is said
constexpr std::size_t kNameBytes = 160;

std::string NameText(std::string_view name) {
  return HtmlText(CutText(EscapeText(name), kNameBytes));
}

using Notes = std::map<std::size_t, std::string>;  // what stands out, by picture

// Note is a line of what stands out: of one tensor, or of many layers of a role.
struct Note {
  std::string name;
  const std::string* words;
  std::size_t layers = 1;
};

// Together makes one line of those that say the same of many layers of a role, where the first
// stands.
std::vector<Note> Together(std::span<const WeightPicture> pictures,
                           const std::vector<StandsOut>& found) {
  const auto group_of = [&](const StandsOut& one) {
    const WeightRole role = RoleOf(pictures[one.picture].name);
    return std::pair(role.layer >= 0 ? role.name : std::string(), std::string_view(one.words));
  };
  std::map<std::pair<std::string, std::string_view>, std::size_t> layers;
  for (const StandsOut& one : found) ++layers[group_of(one)];
  std::vector<Note> notes;
  for (const StandsOut& one : found) {
    const auto group = group_of(one);
    std::size_t& count = layers[group];
    if (group.first.empty() || (count > 0 && count < kFewestTogether)) {
      notes.push_back({.name = pictures[one.picture].name, .words = &one.words});
    } else if (count > 0) {
      notes.push_back({.name = group.first, .words = &one.words, .layers = count});
      count = 0;  // it is told
    }
  }
  return notes;
}

void PutNotes(std::span<const WeightPicture> pictures, const std::vector<StandsOut>& found,
              std::ostream& out) {
  out << "<section aria-label=\"What stands out\"><h2>What stands out</h2>\n";
  if (found.empty()) {
    out << "<p>Nothing: no tensor is all zero, holds NaN or infinite values, or differs tenfold "
           "from "
           "the other layers of its role.</p></section>\n";
    return;
  }
  out << "<ul class=\"notes\">\n";
  const std::vector<Note> notes = Together(pictures, found);
  for (const Note& note : std::span(notes).first(std::min(notes.size(), kMostNoted))) {
    out << "<li><code>" << NameText(note.name) << "</code> ";
    if (note.layers > 1) out << "in " << Grouped(note.layers) << " layers: ";
    out << HtmlText(*note.words) << "</li>\n";
  }
  if (notes.size() > kMostNoted) {
    out << "<li>… and " << Grouped(notes.size() - kMostNoted) << " more</li>\n";
  }
  out << "</ul></section>\n";
}

void PutCell(const WeightPicture& picture, const Row& row, const std::string& note,
             std::ostream& out) {
  const Drawing drawing = internal::DrawingOf(picture, row.reach);
  const WeightRole role = RoleOf(picture.name);
  out << "<li" << (note.empty() ? "" : " class=\"noted\"")
      << absl::StrFormat("><svg viewBox=\"0 0 %d %d\" role=\"img\"><title>", internal::kCellWidth,
                         internal::kCellHeight)
      << NameText(picture.name) << ": " << HtmlText(internal::NumbersOf(picture))
      << (note.empty() ? "" : ". " + HtmlText(note)) << "</title>"
      << absl::StrFormat("<path class=\"axis\" d=\"M0 %dH%dM%d %dv3\"/>", internal::kBaseLine,
                         internal::kCellWidth, internal::kCellWidth / 2, internal::kBaseLine)
      << "<path class=\"values\" d=\"" << drawing.values << "\"/>";
  if (!drawing.scales.empty()) out << "<path class=\"scales\" d=\"" << drawing.scales << "\"/>";
  out << "</svg><span>"
      << (role.layer >= 0 ? Grouped(static_cast<std::uint64_t>(role.layer))
                          : NameText(picture.name))
      << "</span>";
  if (!note.empty()) out << "<em>" << HtmlText(note) << "</em>";
  out << "</li>\n";
}

void PutRow(std::span<const WeightPicture> pictures, const Row& row, const Notes& notes,
            std::ostream& out) {
  const bool layers = !row.role.empty();
  out << "<section class=\"role\"><h2>"
      << (layers ? "<code>" + NameText(row.role) + "</code>" : "Tensors of no layer") << "</h2><p>";
  if (layers) {
    out << Grouped(row.pictures.size()) << (row.pictures.size() == 1 ? " layer" : " layers");
    if (row.reach > 0)
      out << HtmlText(absl::StrFormat(", all from %.3g to %.3g", -row.reach, row.reach));
  } else {
    out << "each from the largest value on one side to the same on the other";
  }
  out << "</p><ul class=\"cells\">\n";
  for (const std::size_t i : row.pictures) {
    const auto note = notes.find(i);
    PutCell(pictures[i], row, note != notes.end() ? note->second : "", out);
  }
  out << "</ul></section>\n";
}

void PutTable(std::span<const WeightPicture> pictures, std::ostream& out) {
  out << "<details open><summary>All numbers</summary><div class=\"wide\" tabindex=\"0\" "
         "role=\"region\" "
         "aria-label=\"All numbers\"><table><thead><tr>";
  for (const char* const head : {"tensor", "type", "shape", "min", "max", "mean", "deviation",
                                 "zeros", "outliers", "NaN", "infinite", "zero scales"}) {
    out << "<th scope=\"col\">" << head << "</th>";
  }
  out << "</tr></thead><tbody>\n";
  for (const WeightPicture& one : pictures.first(std::min(pictures.size(), kMostRows))) {
    out << "<tr><th scope=\"row\"><code>" << NameText(one.name) << "</code></th><td>"
        << HtmlText(one.type) << "</td><td>" << HtmlText(one.shape) << "</td>";
    for (const double number : {one.min, one.max, one.mean, one.deviation}) {
      out << "<td>" << (one.finite > 0 ? absl::StrFormat("%.4g", number) : "-") << "</td>";
    }
    for (const std::uint64_t count : {one.zeros, one.outliers, one.nan, one.infinite}) {
      out << "<td>" << Grouped(count) << "</td>";
    }
    out << "<td>" << (one.scales > 0 ? Grouped(one.zero_scales) : "-") << "</td></tr>\n";
  }
  out << "</tbody></table></div></details>\n";
}

std::string LeftOut(std::size_t count) {
  std::string text;
  if (count > kMostPictures) text = "Pictures of the first " + Grouped(kMostPictures) + " tensors";
  if (count > kMostRows) absl::StrAppend(&text, ", numbers of the first ", Grouped(kMostRows));
  if (text.empty()) return "";
  return absl::StrCat(text, ", of ", Grouped(count), "; --format json has the numbers of all.");
}

}  // namespace

void PicturesAsHtml(std::span<const WeightPicture> pictures, const std::string& path,
                    std::ostream& out) {
  const std::string name = EscapeText(path);
  const std::vector<StandsOut> found = WhatStandsOut(pictures);
  Notes notes;
  for (const StandsOut& one : found) notes[one.picture] = one.words;
  BeginPage(name + ": its weights", kWeightsStyle, nullptr, out);
  out << "<main>\n<h1>" << HtmlText(name) << "</h1>\n<p class=\"lead\">" << Grouped(pictures.size())
      << (pictures.size() == 1 ? " tensor" : " tensors")
      << ". Each picture is a histogram of the values up to five standard deviations from their "
         "mean; what "
         "lies further out is in the first and last bar. Below it, in outline, the sizes of the "
         "scales of "
         "blocks, from 2^-16 to 2^4. Outliers are values beyond six deviations.</p>\n";
  if (const std::string text = LeftOut(pictures.size()); !text.empty()) {
    out << "<p class=\"lead\"><strong>" << HtmlText(text) << "</strong></p>\n";
  }
  PutNotes(pictures, found, out);
  for (const Row& row : internal::RowsOf(pictures)) PutRow(pictures, row, notes, out);
  PutTable(pictures, out);
  out << "<footer>ggufgate " << GGUFGATE_VERSION << "</footer>\n</main>\n";
  EndPage(nullptr, out);
}

}  // namespace ggufgate
