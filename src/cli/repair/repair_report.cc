#include "cli/repair/repair_report.h"

#include <algorithm>
#include <string_view>

#include "cli/repair/faults_left.h"
#include "words/escape.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

class TextReport final : public RepairReport {
 public:
  explicit TextReport(std::ostream& out) : out_(out) {}

  // After the changes of one kind follows their reason.
  void Changes(const RepairPlan& plan) override {
    for (std::size_t i = 0; i < plan.changes.size(); ++i) {
      const Change& change = plan.changes.at(i);
      const RepairInfo& info = InfoOf(change.repair);
      PrintLine("change", info.slug, TextFor(change));
      const bool last =
          i + 1 == plan.changes.size() || plan.changes.at(i + 1).repair != change.repair;
      if (last) PrintReason(info.reason);
    }
  }

  void Left(const Repair& repair) override {
    const FaultsLeft left = FaultsLeftBy(repair);
    for (const FaultLeft& fault : left.faults) {
      PrintLine("left", fault.rule, fault.text);
      if (fault.reason) PrintReason(*fault.reason);
    }
    for (const FaultsLeft::More& more : left.more) {
      out_ << "        … and " << Grouped(more.count) << " more of " << more.rule << '\n';
    }
  }

  void End(const RepairEnding& ending) override {
    const std::string path = EscapeText(ending.path);
    switch (ending.outcome) {
      case RepairEnding::Outcome::kSound:
        out_ << "sound   " << path << "   there is nothing to repair, and nothing was written\n";
        return;
      case RepairEnding::Outcome::kPlanned:
        out_ << "dry run " << path << "   the result would be accepted, and nothing was written\n";
        return;
      case RepairEnding::Outcome::kRefused:
        out_ << "refused " << path << "   nothing was written: "
             << (ending.changes ? "the result would not be sound" : "no fault has a certain answer")
             << '\n';
        return;
      case RepairEnding::Outcome::kWritten:
        out_ << "accept  " << path << "   " << Grouped(ending.tensors)
             << (ending.tensors == 1 ? " tensor" : " tensors") << " with the same "
             << HumanBytes(ending.bytes) << ", by SHA-256\n";
    }
  }

 private:
  void PrintLine(std::string_view head, std::string_view slug, const std::string& text) {
    constexpr std::size_t kHead = 8;
    out_ << head << std::string(kHead - std::min(kHead, head.size()), ' ') << slug << "  " << text
         << '\n';
  }
  void PrintReason(std::string_view reason) { out_ << "        why: " << reason << '\n'; }

  std::ostream& out_;
};

}  // namespace

std::unique_ptr<RepairReport> RepairAsText(std::ostream& out) {
  return std::make_unique<TextReport>(out);
}

}  // namespace ggufgate
