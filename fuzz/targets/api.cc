// api: for any bytes, the C interface opens the files that it accepts and reads all of them. A
// rejected file can be read up to its fault.

#include "fuzz/support/target.h"
#include "ggufgate/ggufgate.h"
#include "tests/oracles/walk.h"

using namespace ggufgate;
using fuzz::Require;

GGUFGATE_FUZZ_TARGET(input) {
  const fuzz::GuardedCopy copy(input);
  ggufgate_options options = GGUFGATE_OPTIONS_INIT;
  options.open_rejected = 1;
  ggufgate_report* report = nullptr;
  ggufgate_file* file = nullptr;
  const ggufgate_status status =
      ggufgate_open_memory(copy.bytes().data(), copy.bytes().size(), &options, &report, &file);
  Require(status == GGUFGATE_STATUS_OK && report != nullptr && file != nullptr,
          "bytes in memory are always judged");
  const fuzz::Walked walked = fuzz::Walk(*file);
  Require(walked.failure.empty(), walked.failure.c_str());
  const bool accepted = ggufgate_report_verdict(report) == GGUFGATE_VERDICT_ACCEPT;
  Require(!accepted || walked.unreadable_tensors == 0, "all data of an accepted file are there");
  ggufgate_finding finding = {};
  finding.size = sizeof(finding);
  for (std::size_t i = 0; i < ggufgate_report_finding_count(report); ++i) {
    Require(ggufgate_report_finding(report, i, &finding) == GGUFGATE_STATUS_OK &&
                finding.message != nullptr && *finding.message != '\0',
            "a finding has a message");
  }
  ggufgate_file_free(file);
  ggufgate_report_free(report);
}
