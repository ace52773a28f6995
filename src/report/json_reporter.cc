// Format json: one object, written file by file so that a long list needs no memory.

#include <nlohmann/json.hpp>
#include <string>

#include "report/json_value.h"
#include "report/reporter.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;

// Text is escaped before it gets here; ASCII output is a second wall before the terminal.
std::string Dump(const Json& json) {
  return json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

class JsonReporter final : public Reporter {
 public:
  JsonReporter(const Policy& policy, std::ostream& out) : out_(out) {
    const auto profile = static_cast<std::size_t>(policy.profile);
    out_ << R"({"schema":"ggufgate.report/1","tool":)"
         << Dump({{"name", "ggufgate"}, {"version", GGUFGATE_VERSION}})
         << ",\"profile\":" << Dump(kProfileWords.at(profile))
         << ",\"data\":" << Dump(kDataScanWords.at(static_cast<std::size_t>(policy.data)))
         << ",\"files\":[";
  }

  void Add(const FileReport& report) override {
    out_ << (count_++ == 0 ? "\n" : ",\n") << Dump(JsonOf(report));
  }

  void Finish() override { out_ << "\n]}\n"; }

 private:
  std::ostream& out_;
  std::uint64_t count_ = 0;
};

}  // namespace

std::unique_ptr<Reporter> MakeJsonReporter(const Policy& policy, const ReportStyle& /*style*/,
                                           std::ostream& out) {
  return std::make_unique<JsonReporter>(policy, out);
}

}  // namespace ggufgate
