#include <array>
#include <nlohmann/json.hpp>

#include "absl/strings/escaping.h"
#include "absl/strings/str_format.h"
#include "manifest/difference.h"
#include "words/escape.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;

struct KindInfo {
  std::string_view word;
  std::string_view sign;
  std::string_view record;
  std::string_view what;
};
constexpr std::array kKinds = {
#define GGUFGATE_DIFFERENCE(name, word, sign, record, what) KindInfo{word, sign, record, what},
#include "manifest/differences.def"
#undef GGUFGATE_DIFFERENCE
};

const KindInfo& KindInfoOf(Difference::Kind kind) {
  return kKinds.at(static_cast<std::size_t>(kind));
}

std::string TextOf(const Json& json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

void PutPath(Json& json, const char* key, const std::string& path) {
  json[key] = EscapeText(path);
  if (EscapeText(path) != path) json[std::string(key) + "_hex"] = absl::BytesToHexString(path);
}

}  // namespace

void WriteDifferencesText(const Comparison& comparison, std::ostream& out) {
  for (const Difference& difference : comparison.differences) {
    const KindInfo& info = KindInfoOf(difference.kind);
    out << absl::StreamFormat("%s %-6s  %s", info.sign, info.record, difference.subject);
    if (!info.what.empty()) out << (difference.subject.empty() ? "" : "  ") << info.what;
    if (!difference.from.empty()) out << "  " << difference.from;
    if (!difference.from.empty() && !difference.to.empty()) out << " →";
    if (!difference.to.empty()) out << (difference.from.empty() ? "  " : " ") << difference.to;
    out << '\n';
  }
  const std::size_t count = comparison.differences.size();
  out << (count == 0 ? "same      " : "different ") << EscapeText(comparison.from) << "  "
      << EscapeText(comparison.to);
  if (count > 0) out << "   " << Grouped(count) << (count == 1 ? " difference" : " differences");
  if (!comparison.data) out << "   (tensor data not compared)";
  out << '\n';
}

void WriteDifferencesJson(const Comparison& comparison, std::ostream& out) {
  Json head = {{"schema", "ggufgate.differences/1"}, {"command", comparison.command}};
  PutPath(head, "from", comparison.from);
  PutPath(head, "to", comparison.to);
  head["same"] = comparison.differences.empty();
  head["data"] = comparison.data;
  std::string begin = TextOf(head);
  begin.pop_back();  // the closing bracket comes after the list
  out << begin << ",\"differences\":[";
  const char* before = "\n";
  for (const Difference& difference : comparison.differences) {
    out << std::exchange(before, ",\n")
        << TextOf({{"kind", KindInfoOf(difference.kind).word},
                   {"name", difference.subject.empty() ? Json(nullptr) : Json(difference.subject)},
                   {"from", difference.from_json},
                   {"to", difference.to_json}});
  }
  out << "\n]}\n";
}

}  // namespace ggufgate
