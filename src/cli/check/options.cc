#include "cli/check/options.h"

#include <string>
#include <vector>

#include "check/policy.h"
#include "gate/processes/second_opinion.h"
#include "gate/threads/thread_team.h"

namespace ggufgate {

void AddCheckOptions(Command command, CheckOptions& options) {
  AddPolicyOptions(command, options.policy);
  command.AddChoice("--fail-on", options.fail_on,
                    "Reject a file with findings of this severity or above (default: error, or as "
                    "the policy says).",
                    {"error", "warning", "note"});
  command
      .AddChoice("-f,--format", options.format, "Print"
#define GGUFGATE_FORMAT(name, word, what) "\n" word ": " what "."
#include "report/formats.def"
#undef GGUFGATE_FORMAT
                 ,
                 {
#define GGUFGATE_FORMAT(name, word, what) word,
#include "report/formats.def"
#undef GGUFGATE_FORMAT
                 })
      .ShownAs("FORMAT");
  command
      .AddOption("-o,--output", options.output,
                 "Write the report to FILE instead of standard output (-). The file appears whole "
                 "or not at all; what was there before is replaced. The number of verdicts goes "
                 "to standard error.")
      .ShownAs("FILE")
      .NotEmpty();
  command.AddChoice("--data", options.data,
                    "Read and judge the tensor data too.\n"
                    "none: header, metadata and tensor directory only (default).\n"
                    "scales: the scales of quantised blocks, and float tensors of one dimension.\n"
                    "full: every value, reserved encodings, and tensors of zeros.",
                    {kDataScanWords.begin(), kDataScanWords.end()});
  command
      .AddOption("-j,--jobs", options.jobs,
                 "Work with N threads, on several files and on the data of one (default: one a "
                 "processor); with fewer where memory is limited, so that each has 256 MiB of "
                 "address space.")
      .Within(1, ThreadTeam::kMost)
      .ShownAs("N");
  command.AddChoice("--second-opinion", options.second_opinion,
                    "Accept nothing whose structure a second reader, which shares no line with the "
                    "first and runs in a process of its own, does not find sound.\n"
                    "never: there is none.\n"
                    "small: of files with up to 512 KiB of metadata (default).\n"
                    "always: of all; it takes ten times as long as the first.\n"
                    "What comes through standard input is read once only.",
                    {kSecondOpinionWords.begin(), kSecondOpinionWords.end()});
  command.AddFlag("-q,--quiet", options.quiet,
                  "Say nothing about accepted files. Not with --verbose.");
  command.AddFlag("-v,--verbose", options.verbose, "Show notes too.");
  command.AddFlag(
      "--verify-digest", options.verify_digest,
      "Compare the SHA-256 of each file that is named by one (a blob, a link to it) with "
      "that name. Without such a file the exit code is 2. --data full compares, too.");
  command.AddFlag("--sha256", options.sha256,
                  "Add each file's SHA-256 to the report, as json, jsonl, sarif or html.");
}

}  // namespace ggufgate
