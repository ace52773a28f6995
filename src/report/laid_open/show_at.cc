// inspect --at: shows one byte of a file, its field, and the bytes around it.

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "parse/parts.h"
#include "parse/regions.h"
#include "report/json_value.h"
#include "report/laid_open/laid_open.h"
#include "report/laid_open/stretches.h"
#include "report/table.h"
#include "words/escape.h"
#include "words/numbers.h"
#include "words/part_text.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kRowBytes = 16;
constexpr std::uint64_t kRowsAround = 4;  // before and after the row of the byte
constexpr std::size_t kPartsShown = 12;   // from the part at the offset on

// Spot holds the facts for both forms.
struct Spot {
  Region region;
  std::vector<Part> parts;  // the first contains the byte
  ByteRange shown;          // whole rows, except at the end of the file
  std::vector<std::uint8_t> bytes;
};

absl::StatusOr<Spot> SpotOf(const Document& document, const ByteSource& source,
                            std::uint64_t offset) {
  const std::vector<Region> regions = Regions(document);
  const Region* const region = RegionAt(regions, offset);
  if (region == nullptr) return absl::InternalError("no region contains the byte");
  Spot spot{.region = *region};
  spot.parts = PartsOf(document, *region, offset, kPartsShown).parts;
  if (spot.parts.empty()) return absl::InternalError("no field contains the byte");
  const std::uint64_t row = offset / kRowBytes;
  const std::uint64_t begin = (row - std::min(row, kRowsAround)) * kRowBytes;
  const std::uint64_t left = document.file_size - begin;
  spot.shown = {begin, std::min(left, (row * kRowBytes - begin) + (kRowsAround + 1) * kRowBytes)};
  absl::StatusOr<std::vector<std::uint8_t>> bytes = BytesOf(source, spot.shown);
  if (!bytes.ok()) return bytes.status();
  spot.bytes = *std::move(bytes);
  return spot;
}

std::string RangeText(const ByteRange& range) {
  return absl::StrFormat("0x%x to 0x%x, %s", range.begin, range.End() - 1, HumanBytes(range.size));
}

// RowBytes returns the bytes of a row, with those of the field in brackets. RowText returns its
// characters.
std::string RowBytes(const Spot& spot, std::uint64_t begin) {
  const ByteRange& field = spot.parts.front().range;
  const auto in_field = [&](std::uint64_t at) { return at >= field.begin && at < field.End(); };
  std::string text;
  for (std::uint64_t at = begin; at < std::min(begin + kRowBytes, spot.shown.End()); ++at) {
    const bool first = in_field(at) && (at == field.begin || at == begin);
    const bool behind = at > begin && in_field(at - 1) && !in_field(at);
    text += first ? '[' : behind ? ']' : ' ';
    text += Hex(spot.bytes.at(at - spot.shown.begin), 2);
  }
  const std::uint64_t last = std::min(begin + kRowBytes, spot.shown.End()) - 1;
  return text + (in_field(last) ? "]" : " ");
}

std::string RowCharacters(const Spot& spot, std::uint64_t begin) {
  std::string text;
  for (std::uint64_t at = begin; at < std::min(begin + kRowBytes, spot.shown.End()); ++at) {
    const std::uint8_t byte = spot.bytes.at(at - spot.shown.begin);
    text += byte >= 0x20 && byte < 0x7F ? static_cast<char>(byte) : '.';
  }
  return text;
}

void PrintRows(const Spot& spot, std::uint64_t offset, std::ostream& out) {
  const std::size_t digits = Hex(spot.shown.End()).size();
  for (std::uint64_t at = spot.shown.begin; at < spot.shown.End(); at += kRowBytes) {
    const bool here = offset / kRowBytes == at / kRowBytes;
    out << (here ? "> " : "  ")
        << absl::StrFormat("0x%s %-49s %s\n", Hex(at, digits), RowBytes(spot, at),
                           RowCharacters(spot, at));
  }
}

Json RangeJson(const ByteRange& range) { return {{"offset", range.begin}, {"length", range.size}}; }

}  // namespace

absl::Status ShowAtAsText(const Document& document, const ByteSource& source,
                          const std::string& path, std::uint64_t offset, std::ostream& out) {
  const absl::StatusOr<Spot> spot = SpotOf(document, source, offset);
  if (!spot.ok()) return spot.status();
  const Part& part = spot->parts.front();
  const PartText text = TextOf(document, spot->region, part);
  out << WithoutCommand(EscapeText(path)) << ", byte " << absl::StrFormat("0x%x", offset) << " ("
      << Grouped(offset) << ") of " << Grouped(document.file_size) << "\n\n";
  Table facts({Table::Align::kLeft, Table::Align::kLeft});
  facts.Add(
      {"in", absl::StrCat(NameOf(document, spot->region), ", ", RangeText(spot->region.range))});
  facts.Add({"field", absl::StrCat(text.name, ", ", RangeText(part.range))});
  facts.Add({"meaning", text.meaning});
  facts.Print(out);
  out << '\n';
  PrintRows(*spot, offset, out);
  if (spot->parts.size() == 1) return absl::OkStatus();
  out << "\nfrom here on\n";
  Table table({Table::Align::kRight, Table::Align::kLeft, Table::Align::kLeft});
  for (const Part& one : spot->parts) {
    const PartText words = TextOf(document, spot->region, one);
    table.Add({absl::StrFormat("0x%x", one.range.begin), words.name, words.meaning});
  }
  table.Print(out);
  return absl::OkStatus();
}

absl::Status ShowAtAsJson(const Document& document, const ByteSource& source,
                          const std::string& path, std::uint64_t offset, std::ostream& out) {
  const absl::StatusOr<Spot> spot = SpotOf(document, source, offset);
  if (!spot.ok()) return spot.status();
  const Region& region = spot->region;
  Json region_json = {{"kind", WordFor(region.kind)}};
  region_json.update(RangeJson(region.range));
  if (const std::string_view subject = SubjectOf(document, region); !subject.empty()) {
    region_json["name"] = EscapeText(subject);
  }
  Json fields = Json::array();
  for (const Part& part : spot->parts) {
    PartText text = TextOf(document, region, part);
    Json field = {{"name", std::move(text.name)}, {"meaning", std::move(text.meaning)}};
    field.update(RangeJson(part.range));
    fields.push_back(std::move(field));
  }
  const std::string_view bytes = AsText(spot->bytes);
  Json json = {{"schema", "ggufgate.at/1"},
               {"path", EscapeText(path)},
               {"size", document.file_size},
               {"offset", offset},
               {"region", std::move(region_json)},
               {"fields", std::move(fields)},
               {"bytes",
                {{"offset", spot->shown.begin},
                 {"hex", absl::BytesToHexString(absl::string_view(bytes.data(), bytes.size()))}}}};
  if (EscapeText(path) != path) json["path_hex"] = absl::BytesToHexString(path);
  out << JsonText(json) << '\n';
  return absl::OkStatus();
}

}  // namespace ggufgate
