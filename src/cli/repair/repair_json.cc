// The report of a repair as JSON Lines. Two processes write it, so it is no single document.

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cli/repair/faults_left.h"
#include "cli/repair/repair_report.h"
#include "report/json_value.h"
#include "words/escape.h"

namespace ggufgate {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "ggufgate.repair/1";
constexpr std::array<std::string_view, 4> kOutcomes = {"sound", "planned", "refused", "written"};

class JsonLines final : public RepairReport {
 public:
  explicit JsonLines(std::ostream& out) : out_(out) {}

  void Changes(const RepairPlan& plan) override {
    for (const Change& change : plan.changes) {
      const RepairInfo& info = InfoOf(change.repair);
      Print({{"schema", kSchema},
             {"event", "change"},
             {"repair", info.slug},
             {"text", TextFor(change)},
             {"reason", info.reason}});
    }
  }

  void Left(const Repair& repair) override {
    const FaultsLeft left = FaultsLeftBy(repair);
    for (const FaultLeft& fault : left.faults) {
      Json line = {
          {"schema", kSchema}, {"event", "left"}, {"rule", fault.rule}, {"text", fault.text}};
      if (fault.reason) line["reason"] = *fault.reason;
      Print(line);
    }
    for (const FaultsLeft::More& more : left.more) {
      Print({{"schema", kSchema}, {"event", "more"}, {"rule", more.rule}, {"count", more.count}});
    }
  }

  void End(const RepairEnding& ending) override {
    Json line = {{"schema", kSchema},
                 {"event", "end"},
                 {"outcome", kOutcomes.at(static_cast<std::size_t>(ending.outcome))},
                 {"path", EscapeText(ending.path)}};
    if (ending.outcome == RepairEnding::Outcome::kWritten) {
      line["tensors"] = ending.tensors;
      line["same_bytes"] = ending.bytes;
    }
    Print(line);
  }

 private:
  void Print(const Json& line) { out_ << JsonText(line) << '\n'; }

  std::ostream& out_;
};

}  // namespace

std::unique_ptr<RepairReport> RepairAsJsonLines(std::ostream& out) {
  return std::make_unique<JsonLines>(out);
}

}  // namespace ggufgate
