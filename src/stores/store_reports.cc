#include "stores/store_reports.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "check/check.h"
#include "check/rules/sink.h"
#include "check/rules/subject.h"
#include "check/verdict.h"

namespace ggufgate {
namespace {

bool IsJudgedAsModel(const StoreLayer& layer, const ModelStores& stores) {
  return layer.file ? !stores.IsPlainBlob(*layer.file) : IsGguf(layer.kind);
}

// LayersToTell returns the numbers of a model's layers that have a separate report. The first
// report has the name of the model. A model without such layers has one report.
std::vector<std::size_t> LayersToTell(const StoreModel& model, const ModelStores& stores) {
  std::vector<std::size_t> told;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    if (IsJudgedAsModel(model.layers.at(i), stores)) told.push_back(i);
  }
  const auto model_itself = std::ranges::find_if(
      told, [&](std::size_t i) { return model.layers.at(i).kind == LayerKind::kModel; });
  if (model_itself != told.end()) std::rotate(told.begin(), model_itself, model_itself + 1);
  return told;
}

std::vector<std::string> NamesFor(const StoreModel& model, const std::vector<std::size_t>& told) {
  std::vector<std::string> names = {model.name};
  for (std::size_t i = 1; i < told.size(); ++i) {
    const std::string name =
        absl::StrCat(model.name, " ", std::string(WordFor(model.layers.at(told.at(i)).kind)));
    const auto same = 1 + std::ranges::count_if(names, [&](const std::string& other) {
                        return other == name || other.starts_with(name + " ");
                      });
    names.push_back(same == 1 ? name : absl::StrCat(name, " ", same));
  }
  return names;
}

// Telling makes the reports of one model.
class Telling {
 public:
  Telling(const StoreModel& model, const ModelStores& stores, const Policy& policy, bool digests)
      : model_(model),
        policy_(policy),
        digests_(digests),
        told_(LayersToTell(model, stores)),
        reports_(std::max<std::size_t>(told_.size(), 1)) {
    const std::vector<std::string> names = NamesFor(model, told_);
    for (std::size_t i = 0; i < reports_.size(); ++i) reports_.at(i).path = names.at(i);
  }

  // Blob takes the report on the file of a layer.
  void Blob(std::size_t layer, const FileReport& blob) {
    FileReport* const own = OwnReportOf(layer);
    if (own == nullptr) return;
    std::string path = std::move(own->path);
    *own = blob;
    own->path = std::move(path);
  }

  // Compare compares a layer with its blob, which is nullptr if it is missing.
  void Compare(std::size_t number, const FileReport* blob) {
    const StoreLayer& layer = model_.layers.at(number);
    FileReport& report = ReportFor(number);
    if (!layer.obstacle.empty()) return Doubt(report, layer, layer.obstacle);
    if (blob == nullptr) return Missing(layer, report);
    if (blob->verdict == Verdict::kUndecided) {
      if (&report == OwnReportOf(number)) return;
      return Doubt(report, layer, std::string(blob->problem.message()));
    }
    if (layer.size && *layer.size != blob->identity.size) {
      Add(StoreBlobSizeWording::kOnly, report,
          {.where = {},
           .observed = blob->identity.size,
           .allowed = *layer.size,
           .other = TextFact(NameOf(layer))});
    }
    if (layer.digest.empty()) return;
    if (!blob->sha256) {
      if (digests_) Doubt(report, layer, "its digest is missing");
      return;
    }
    ++compared_;
    if (*blob->sha256 != layer.digest) {
      Add(StoreBlobDigestWording::kOnly, report,
          {.where = {},
           .observed = TextFact(*blob->sha256),
           .allowed = TextFact(layer.digest),
           .other = TextFact(NameOf(layer))});
    }
  }

  // Manifest adds the fault of the manifest.
  void Manifest() {
    FileReport& first = reports_.front();
    if (model_.fault) {
      Sink::Report report{.where = {}};
      if (model_.fault_layer) report.observed = *model_.fault_layer;
      Add(*model_.fault, first, std::move(report));
    }
    if (!model_.problem.empty()) return Undecided(first, model_.problem);
    // An error in another layer is certain, so it rejects any model.
    if (told_.empty() && VerdictOf(first.findings, policy_) == Verdict::kAccept) {
      Undecided(first, "not a GGUF model: nothing was checked");
    }
  }

  [[nodiscard]] std::size_t compared() const { return compared_; }

  [[nodiscard]] std::vector<FileReport> Take() {
    for (FileReport& report : reports_) {
      SortFindings(report.findings);
      if (!report.problem.ok()) {
        report.verdict = Verdict::kUndecided;
      } else {
        report.verdict = VerdictOf(report.findings, policy_);
      }
      report.data = policy_.data;
    }
    return std::move(reports_);
  }

 private:
  [[nodiscard]] FileReport* OwnReportOf(std::size_t layer) {
    const auto own = std::ranges::find(told_, layer);
    return own == told_.end() ? nullptr
                              : &reports_.at(static_cast<std::size_t>(own - told_.begin()));
  }
  FileReport& ReportFor(std::size_t layer) {
    FileReport* const own = OwnReportOf(layer);
    return own != nullptr ? *own : reports_.front();
  }

  static std::string NameOf(const StoreLayer& layer) {
    return absl::StrCat("the ", std::string(WordFor(layer.kind)));
  }

  template <typename Name>
  void Add(Name wording, FileReport& report, Sink::Report finding) {
    finding.wording = Wording(wording);
    Sink(RuleOf(RuleIdOf(wording)), policy_, report.findings).Add(std::move(finding));
  }

  void Missing(const StoreLayer& layer, FileReport& report) {
    Add(model_.linked ? StoreBlobMissingWording::kLink : StoreBlobMissingWording::kLayer, report,
        {.where = {},
         .observed = TextFact((model_.linked ? "blobs/" : "") + layer.blob),
         .other = TextFact(NameOf(layer))});
  }

  static void Undecided(FileReport& report, const std::string& why) {
    if (report.problem.ok()) report.problem = absl::FailedPreconditionError(why);
  }
  void Doubt(FileReport& report, const StoreLayer& layer, const std::string& why) const {
    Undecided(report, model_.linked ? why : absl::StrCat(NameOf(layer), ": ", why));
  }

  const StoreModel& model_;
  const Policy& policy_;
  bool digests_;
  std::size_t compared_ = 0;
  std::vector<std::size_t> told_;  // numbers of layers
  std::vector<FileReport> reports_;
};

}  // namespace

std::vector<std::string> ReportNames(const ModelStores& stores) {
  std::vector<std::string> names;
  for (const StoreModel& model : stores.models) {
    std::ranges::move(NamesFor(model, LayersToTell(model, stores)), std::back_inserter(names));
  }
  return names;
}

StoreReports::StoreReports(const ModelStores& stores, const Policy& policy, bool digests,
                           std::function<void(FileReport)> take)
    : stores_(stores),
      policy_(policy),
      digests_(digests),
      take_(std::move(take)),
      users_(stores.gguf.size()) {
  for (const StoreModel& model : stores.models) {
    for (const StoreLayer& layer : model.layers) {
      if (layer.file) ++users_.at(*layer.file - stores_.first_file);
    }
  }
}

void StoreReports::Take(FileReport report) {
  const std::size_t blob = taken_++;
  if (users_.at(blob) > 0) kept_.emplace(stores_.first_file + blob, std::move(report));
  GiveComplete();
}

void StoreReports::GiveComplete() {
  while (given_ < stores_.models.size() && IsComplete(stores_.models.at(given_))) {
    const StoreModel& model = stores_.models.at(given_++);
    Give(model);
    Release(model);
  }
}

bool StoreReports::IsComplete(const StoreModel& model) const {
  return std::ranges::all_of(model.layers, [this](const StoreLayer& layer) {
    return !layer.file || *layer.file < stores_.first_file + taken_;
  });
}

void StoreReports::Give(const StoreModel& model) {
  Telling telling(model, stores_, policy_, digests_);
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const std::optional<std::size_t> file = model.layers.at(i).file;
    if (file) telling.Blob(i, kept_.at(*file));
  }
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const std::optional<std::size_t> file = model.layers.at(i).file;
    telling.Compare(i, file ? &kept_.at(*file) : nullptr);
  }
  telling.Manifest();
  compared_ += telling.compared();
  for (FileReport& report : telling.Take()) take_(std::move(report));
}

void StoreReports::Release(const StoreModel& model) {
  for (const StoreLayer& layer : model.layers) {
    if (layer.file && --users_.at(*layer.file - stores_.first_file) == 0) {
      kept_.erase(*layer.file);
    }
  }
}

}  // namespace ggufgate
