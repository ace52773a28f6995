#include "cli/check/options.h"

#include <string>
#include <vector>

#include "check/loaders/loader_names.h"
#include "check/policy.h"
#include "cli/check/contracts.h"
#include "gate/processes/second_opinion.h"
#include "gate/threads/thread_team.h"

namespace ggufgate {

namespace {

std::string LoaderList() {
  std::string list;
  for (const std::string& name : LoaderNames()) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace

void AddCheckOptions(Command command, CheckOptions& options) {
  AddPolicyOptions(command, options.policy);
  command
      .AddOption("--loader", options.loaders,
                 "Reject a file that this release of a loader does not run; give the option once "
                 "per loader. Without a version: the newest release. A file that it refuses, or "
                 "whose architecture it does not know, is rejected too. A single shard is not "
                 "judged. Loaders: " +
                     LoaderList() + ".")
      .ShownAs("NAME[@VERSION]")
      .OneValueEach()
      .CheckedBy(FaultOfLoader);
  command.AddFlag("--loaders", options.all_loaders,
                  "Print a table for each file: its outcome in each loader that --loader, "
                  "--contracts or the policy names; if none is named, in each release of llama.cpp "
                  "that ggufgate knows. A file that one of them does not run is rejected.");
  command
      .AddOption("--contracts", options.contracts,
                 "As --loader, for the build of llama.cpp whose contracts FILE has (see "
                 "docs/contracts.md).")
      .ShownAs("FILE")
      .NotEmpty();
  command.AddChoice("--fail-on", options.fail_on,
                    "Reject a file with findings of this severity or above (default: error, or the "
                    "value of the policy).",
                    {"error", "warning", "note"});
  command
      .AddChoice("-f,--format", options.format, "Print the report in this format."
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
      .AddOption(
          "-o,--output", options.output,
          "Write the report to FILE; - prints it, as without this option. The file appears only "
          "when it is complete, and replaces an older one. The numbers of accepted, rejected and "
          "undecided files go to standard error.")
      .ShownAs("FILE")
      .NotEmpty();
  command.AddChoice(
      "--data", options.data,
      "Also check the tensor data.\n"
      "none: header, metadata and tensor directory only (default).\n"
      "scales: the scales of quantised blocks, and float tensors of one dimension.\n"
      "full: every floating-point value and scale, and expert indices. It also finds reserved "
      "encodings and tensors of zeros.",
      {kDataScanWords.begin(), kDataScanWords.end()});
  command
      .AddOption(
          "-j,--jobs", options.jobs,
          "Use N threads for the data of a file, and for several files (default: one per "
          "processor). Each thread needs 256 MiB of address space; if it is limited, fewer run.")
      .Within(1, ThreadTeam::kMost)
      .ShownAs("N");
  command.AddChoice(
      "--second-opinion", options.second_opinion,
      "Accept a file only if a second reader also accepts its structure. It has separate code and "
      "runs in a separate process.\nnever: do not use it.\nsmall: for files with up to 512 KiB of "
      "metadata (default).\nalways: for all files. The second reader takes ten times as long as "
      "the first.\nThe option does not apply to standard input, which can be read only once.",
      {kSecondOpinionWords.begin(), kSecondOpinionWords.end()});
  command.AddFlag("-q,--quiet", options.quiet, "Do not print accepted files. Not with --verbose.");
  command.AddFlag("-v,--verbose", options.verbose, "Also show notes.");
  command.AddFlag(
      "--verify-digest", options.verify_digest,
      "If the name of a file is a SHA-256 (a blob, or a link to it), compare it with the contents. "
      "If no file has such a name, the exit code is 2. --data full also compares, but does not "
      "require such a name.");
  command.AddFlag(
      "--sha256", options.sha256,
      "Add the SHA-256 of each file to the report, with --format json, jsonl, sarif or html.");
}

}  // namespace ggufgate
