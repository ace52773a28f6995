#pragma once

#include <vector>

#include "bytes/byte_source.h"
#include "check/data_scan.h"
#include "check/hyper_parameters.h"
#include "check/policy.h"
#include "check/rules/file_cache.h"
#include "parse/document.h"
#include "parse/extent.h"
#include "parse/regions.h"

namespace ggufgate {

// Context has the data that the rules of one file share.
struct Context {
  const Document& document;
  const ByteSource& source;
  const Policy& policy;
  FileCache cache;  // results that several rules use
  HyperParameters parameters;
  std::vector<Extent> extents;  // by tensor; computed with alignment 1 if the file's is invalid
  std::vector<Region> regions;  // of the whole file, in file order
  DataScanResult data = {};     // the tensor data that the policy selected; otherwise empty

  Context(const Document& document_in, const ByteSource& source_in, const Policy& policy_in);

  // The contract of the file's architecture in the loader whose rules run (see FileCache); nullptr
  // if it has none there. Rules see nothing else of a loader: RunRules() relies on that.
  [[nodiscard]] const LoaderContract* contract() const {
    return cache.FindContract(parameters.architecture());
  }
};

}  // namespace ggufgate
