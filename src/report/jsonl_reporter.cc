// Format jsonl: one object per file, each on a separate line, so that a reader can follow a long
// run.

#include <nlohmann/json.hpp>

#include "report/json_value.h"
#include "report/reporter.h"

namespace ggufgate {
namespace {

class JsonlReporter final : public Reporter {
 public:
  JsonlReporter(const Policy& policy, std::ostream& out) : policy_(policy), out_(out) {}

  void Add(const FileReport& report) override {
    out_ << JsonText(JsonOf(report, policy_)) << '\n' << std::flush;
  }

 private:
  Policy policy_;
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<Reporter> MakeJsonlReporter(const Policy& policy, const ReportStyle& /*style*/,
                                            std::ostream& out) {
  return std::make_unique<JsonlReporter>(policy, out);
}

}  // namespace ggufgate
