#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "check/policy.h"
#include "gate/file_report.h"
#include "stores/model_store.h"

namespace ggufgate {

// StoreReports tells of the models in stores by their names: it takes the reports of blobs, each
// judged once, and gives one for each GGUF file of each model, with what is wrong with the model's
// other blobs among the findings of the first.
//
// Sees no byte of a file, and runs where reports are printed.
class StoreReports {
 public:
  // All outlive it. `digests` were asked for: a blob without one is undecided.
  StoreReports(const ModelStores& stores, const Policy& policy, bool digests,
               std::function<void(FileReport)> take);

  // Take takes the reports of the blobs in their order, from stores.first_file on. Reports go out
  // as soon as all blobs of a model are known; those of blobs that later models need are kept.
  void Take(FileReport report);
  // Finish gives the rest, which is models without blobs. Called once, after the last Take.
  void Finish() { GiveComplete(); }

  // The number of digests that were compared with names.
  [[nodiscard]] std::size_t compared() const { return compared_; }

 private:
  void GiveComplete();
  [[nodiscard]] bool IsComplete(const StoreModel& model) const;
  void Give(const StoreModel& model);
  void Release(const StoreModel& model);

  const ModelStores& stores_;
  const Policy& policy_;
  bool digests_;
  std::function<void(FileReport)> take_;
  std::vector<std::size_t> users_;          // by blob
  std::map<std::size_t, FileReport> kept_;  // by file
  std::size_t taken_ = 0;                   // blobs
  std::size_t given_ = 0;                   // models
  std::size_t compared_ = 0;                // digests
};

// ReportNames are the paths of the reports to come, in their order.
[[nodiscard]] std::vector<std::string> ReportNames(const ModelStores& stores);

}  // namespace ggufgate
