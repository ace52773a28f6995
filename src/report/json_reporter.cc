// Format json: one object, written file by file so that a long list needs no memory.

#include <nlohmann/json.hpp>
#include <string>

#include "report/json_value.h"
#include "report/reporter.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;

class JsonReporter final : public Reporter {
 public:
  JsonReporter(const Policy& policy, const ReportStyle& style, std::ostream& out) : out_(out) {
    const auto profile = static_cast<std::size_t>(policy.profile);
    out_ << R"({"schema":"ggufgate.report/1","tool":)"
         << JsonText({{"name", "ggufgate"}, {"version", GGUFGATE_VERSION}})
         << ",\"profile\":" << JsonText(kProfileWords.at(profile)) << ",\"policy\":"
         << JsonText(policy.source.empty() ? Json(nullptr) : Json(EscapeText(policy.source)))
         << ",\"data\":" << JsonText(kDataScanWords.at(static_cast<std::size_t>(policy.data)));
    if (style.run) {
      out_ << ",\"time\":" << JsonText(style.run->time)
           << ",\"policy_sha256\":" << JsonText(style.run->policy_sha256)
           << ",\"confinement\":" << JsonText(ConfinementJson(*style.run));
    }
    out_ << ",\"files\":[";
  }

  void Add(const FileReport& report) override {
    out_ << (count_++ == 0 ? "\n" : ",\n") << JsonText(JsonOf(report));
  }

  void Finish() override { out_ << "\n]}\n"; }

 private:
  std::ostream& out_;
  std::uint64_t count_ = 0;
};

}  // namespace

std::unique_ptr<Reporter> MakeJsonReporter(const Policy& policy, const ReportStyle& style,
                                           std::ostream& out) {
  return std::make_unique<JsonReporter>(policy, style, out);
}

}  // namespace ggufgate
