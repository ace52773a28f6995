// Format json: one object. It is written file by file, so memory does not grow with the list.

#include <nlohmann/json.hpp>
#include <string>

#include "report/json_value.h"
#include "report/reporter.h"

namespace ggufgate {

using Json = nlohmann::ordered_json;

namespace {

class JsonReporter final : public Reporter {
 public:
  JsonReporter(const Policy& policy, const ReportStyle& style, std::ostream& out)
      : policy_(policy), out_(out) {
    out_ << JsonHead(policy, style.run);
  }

  void Add(const FileReport& report) override {
    out_ << (count_++ == 0 ? "\n" : ",\n") << JsonText(JsonOf(report, policy_));
  }

  void Finish() override { out_ << kJsonTail; }

 private:
  Policy policy_;
  std::ostream& out_;
  std::uint64_t count_ = 0;
};

}  // namespace

Json JsonOf(const FileReport& report, const Policy& policy) {
  if (report.problem.ok()) return JsonOf(report, policy, std::nullopt);
  const absl::string_view why = report.problem.message();
  return JsonOf(report, policy, std::string_view(why.data(), why.size()));
}

std::unique_ptr<Reporter> MakeJsonReporter(const Policy& policy, const ReportStyle& style,
                                           std::ostream& out) {
  return std::make_unique<JsonReporter>(policy, style, out);
}

}  // namespace ggufgate
