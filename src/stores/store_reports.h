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

// StoreReports reports the models of stores by their names. It takes the reports of blobs, each of
// which was checked once, and makes one report for each GGUF file of each model. Findings about
// other blobs of a model are added to its first report.
//
// It reads no file, and runs in the process that prints.
class StoreReports {
 public:
  // All arguments must outlive it. `digests` means that digests were requested: then a blob without
  // one is undecided.
  StoreReports(const ModelStores& stores, const Policy& policy, bool digests,
               std::function<void(FileReport)> take);

  // Take takes the reports of the blobs in their order, from stores.first_file on. It makes the
  // reports of a model as soon as all of its blobs are known, and keeps those of blobs that later
  // models need.
  void Take(FileReport report);
  // Finish makes the remaining reports: those of models without blobs. It is called once, after the
  // last Take.
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

// ReportNames returns the paths of the reports in their order.
[[nodiscard]] std::vector<std::string> ReportNames(const ModelStores& stores);

}  // namespace ggufgate
