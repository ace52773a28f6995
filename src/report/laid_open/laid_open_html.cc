// inspect --format html: the viewer of web/view with the contents of a file.

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "parse/extent.h"
#include "parse/parts.h"
#include "parse/regions.h"
#include "report/json_value.h"
#include "report/laid_open/laid_open.h"
#include "report/laid_open/stretches.h"
#include "report/pages/page.h"
#include "report/values.h"
#include "words/escape.h"
#include "words/numbers.h"
#include "words/part_text.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostRegions = 20'000;
constexpr std::size_t kMostParts = 40'000;  // in the page
constexpr std::size_t kFirstParts = 1'000;  // of a region
constexpr std::size_t kPartsAtFinding = 64;
constexpr std::size_t kPartsWalked = 200;  // findings whose parts are shown
// How far before a finding the parts begin.
constexpr std::uint64_t kBytesBeforeFinding = 256;
constexpr std::size_t kNameBytes = 256;

// PartRuns collects the parts of the regions except tensor data, in the format of the page: runs,
// each with the offset of its first byte and a list of [length, name, meaning].
class PartRuns {
 public:
  PartRuns(const Document& document, std::span<const Finding> findings)
      : document_(document), findings_(findings) {}

  [[nodiscard]] Json Of(const Region& region) {
    Json runs = Json::array();
    std::uint64_t end = Add(region, region.range.begin, kFirstParts, runs);
    for (const Finding& finding : findings_) {
      const std::uint64_t at = finding.where.begin;
      if (at < end || at >= region.range.End() || walked_ == kPartsWalked) continue;
      ++walked_;
      const std::uint64_t from = at - std::min(at, kBytesBeforeFinding);
      end = std::max(end, Add(region, std::max(from, end), kPartsAtFinding, runs));
    }
    return runs;
  }

 private:
  // Add returns the end of the run.
  std::uint64_t Add(const Region& region, std::uint64_t from, std::size_t most, Json& runs) {
    const PartPage page = PartsOf(document_, region, from, std::min(most, left_));
    left_ -= page.parts.size();
    if (page.parts.empty()) return from;
    Json run = Json::array();
    for (const Part& part : page.parts) {
      PartText text = TextOf(document_, region, part);
      run.push_back({part.range.size, std::move(text.name), std::move(text.meaning)});
    }
    runs.push_back({page.parts.front().range.begin, std::move(run)});
    return page.next;
  }

  const Document& document_;
  std::span<const Finding> findings_;  // sorted by offset
  std::size_t left_ = kMostParts;
  std::size_t walked_ = 0;
};

// NumberWord returns how the viewer decodes a value of a type without blocks, or null.
Json NumberWord(const TensorTypeInfo& type) {
  std::string word = absl::AsciiStrToLower(std::string(type.name));
  constexpr std::array kRead = {"f32", "f16", "bf16", "f64", "i8", "i16", "i32", "i64"};
  return std::ranges::find(kRead, word) != kRead.end() ? Json(std::move(word)) : Json(nullptr);
}

Json BlocksOf(const Document& document, const Region& region) {
  const TensorInfo& tensor = document.tensors.at(region.index);
  const Extent extent = ExtentOf(tensor, 1);
  if (extent.type == nullptr) return nullptr;
  // The row as text, because it may exceed the exact integers of JavaScript.
  return {{"bytes", extent.type->block_bytes},
          {"values", extent.type->block_elements},
          {"type", extent.type->name},
          {"row", std::to_string(tensor.dims.front())},
          {"number", NumberWord(*extent.type)}};
}

Json RegionJson(const Document& document, const Region& region) {
  const std::string subject = EscapeText(SubjectOf(document, region));
  return {{"kind", WordFor(region.kind)},
          {"name", CutText(NameOf(document, region), kNameBytes)},
          {"offset", region.range.begin},
          {"length", region.range.size},
          {"subject", CutText(subject, kNameBytes)}};
}

// OthersJson describes the regions that are not listed.
Json OthersJson(std::span<const Region> others, std::uint64_t size) {
  const std::uint64_t begin = others.front().range.begin;
  return {{"kind", WordFor(Region::Kind::kUnread)},
          {"name", Grouped(others.size()) + " more regions, not on this page"},
          {"offset", begin},
          {"length", size - std::min(begin, size)},
          {"subject", ""}};
}

void AddRegions(const Document& document, std::span<const Region> regions,
                std::span<const Finding> findings, Json& json) {
  PartRuns runs(document, findings);
  Json list = Json::array();
  Json parts = Json::object();
  Json blocks = Json::object();
  const std::size_t listed = std::min(regions.size(), kMostRegions);
  for (std::size_t i = 0; i < listed; ++i) {
    const Region& region = regions[i];
    list.push_back(RegionJson(document, region));
    Json shape = region.kind == Region::Kind::kTensorData ? BlocksOf(document, region) : Json();
    if (shape.is_null()) {
      parts[std::to_string(i)] = runs.Of(region);
    } else {
      blocks[std::to_string(i)] = std::move(shape);
    }
  }
  if (listed < regions.size()) {
    list.push_back(OthersJson(regions.subspan(listed), document.file_size));
  }
  json["regions"] = std::move(list);
  json["parts"] = std::move(parts);
  json["blocks"] = std::move(blocks);
}

absl::Status AddStretches(const ByteSource& source, std::span<const ByteRange> stretches,
                          Json& json) {
  Json list = Json::array();
  for (const ByteRange& stretch : stretches) {
    const auto bytes = BytesOf(source, stretch);
    if (!bytes.ok()) return bytes.status();
    const std::string_view text = AsText(*bytes);
    list.push_back({stretch.begin, stretch.size,
                    absl::Base64Escape(absl::string_view(text.data(), text.size()))});
  }
  json["stretches"] = std::move(list);
  return absl::OkStatus();
}

std::string LeftOut(std::span<const ByteRange> stretches, std::uint64_t size) {
  std::uint64_t held = 0;
  for (const ByteRange& stretch : stretches) held += stretch.size;
  if (held == size) return "";
  return absl::StrCat("This page shows ", HumanBytes(held), " of the file's ", HumanBytes(size),
                      ": header and metadata up to ", HumanBytes(kBeginningBytes), ", ",
                      HumanBytes(kAroundFindingBytes),
                      " on both sides of each finding, and the first ",
                      HumanBytes(kTensorBeginningBytes),
                      " of each tensor. ggufgate inspect --at OFFSET shows all others.");
}

std::string_view ClassOf(Verdict verdict) {
  return verdict == Verdict::kAccept ? "good" : verdict == Verdict::kReject ? "bad" : "doubt";
}

}  // namespace

absl::Status LayOpenAsHtml(const Document& document, const ByteSource& source,
                           const FileReport& report, std::ostream& out) {
  const std::vector<Region> regions = Regions(document);
  std::span<const Finding> findings = report.findings.list;
  findings = findings.first(std::min(findings.size(), kMostFindingsShown));
  const std::vector<ByteRange> stretches = StretchesOf(document, regions, findings);
  const std::string name = EscapeText(report.path);
  Json json = {{"name", name},
               {"size", document.file_size},
               {"big_endian", document.byte_order == ByteOrder::kBig},
               {"left_out", LeftOut(stretches, document.file_size)}};
  Json listed = Json::array();
  for (const Finding& finding : findings) listed.push_back(JsonOf(finding));
  json["findings"] = std::move(listed);
  AddRegions(document, regions, findings, json);
  if (absl::Status status = AddStretches(source, stretches, json); !status.ok()) return status;

  BeginPage(name + " laid open", kInspectStyle, kInspectScript, out);
  const std::size_t shown = findings.size();
  out << "<main>\n<h1>" << HtmlText(name) << "</h1>\n<p class=\"lead\"><strong class=\""
      << ClassOf(report.verdict) << "\">" << WordFor(report.verdict) << "</strong>, "
      << HumanBytes(document.file_size) << ", " << Grouped(shown)
      << (shown == 1 ? " finding" : " findings");
  if (shown < report.findings.list.size()) {
    out << " shown of " << Grouped(report.findings.list.size());
  }
  out << "</p>\n<div id=\"view\"><noscript><p>The script of this page shows the bytes; it fetches "
         "nothing. Without scripts, use ggufgate inspect --at OFFSET.</p></noscript></div>\n"
      << "<footer>ggufgate " << GGUFGATE_VERSION << "</footer>\n</main>\n"
      << "<script type=\"application/json\" id=\"file\">" << JsonInPage(json) << "</script>\n";
  EndPage(kInspectScript, out);
  return absl::OkStatus();
}

}  // namespace ggufgate
