// ggufgate mutate: makes broken and unusual copies of files, each with the expected verdict.

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <memory>
#include <optional>
#include <system_error>
#include <vector>

#include "cli/command_line.h"
#include "cli/into_file.h"
#include "cli/mutate/manifest.h"
#include "cli/mutate/mutant_folder.h"
#include "cli/mutate/mutation_list.h"
#include "cli/mutate/seeds.h"
#include "cli/usage/suggest.h"
#include "mutate/mutator.h"
#include "mutate/naming.h"
#include "words/escape.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

constexpr std::string_view kMutateFooter = R"(EXIT STATUS
    0  all files and the manifest were written
    2  a seed could not be read, something could not be written, or the command
       was wrong; files that were written are removed

EXAMPLES
    ggufgate mutate model.gguf --count 1000 --output-dir mutants
        A thousand files to test a loader.
    ggufgate mutate corpus/ --mode one-lie --data full --output-dir lies
        Files with one fault each; lies/manifest.jsonl names the faults.
    ggufgate mutate --mode generate --count 50 --output-dir seeds
        Sound files, to start a fuzzer with.
    ggufgate mutate --list
        All mutations.
)";

using mutate::Mutant;

struct MutateOptions {
  std::vector<std::string> seeds;
  std::uint64_t count = 100;
  std::uint64_t seed = 1;
  std::string output_dir;
  std::string mode = "havoc";
  std::string data = "none";
  std::uint64_t max_size = 0;  // bytes; 0: see RoomFor
  bool force = false;
  bool list = false;
  std::string format = "text";
};

constexpr std::uint64_t kRoom = std::uint64_t{1} << 20;            // bytes; the maximum of AFL++
constexpr std::uint64_t kLargestMutant = std::uint64_t{64} << 20;  // bytes
constexpr std::uint64_t kBatch = 128;  // files per child, which has all of them open

// RoomFor returns the maximum size of a mutant. It depends only on its seed, so that other seeds do
// not change the mutant.
std::uint64_t RoomFor(const MutateOptions& options, const Seed& seed) {
  if (options.max_size != 0) return options.max_size;
  return std::max<std::uint64_t>(kRoom, seed.bytes.size() + kRoom / 16);
}

// PlanFor takes the seeds in turn, with another donor in each round.
//
// `ggufgate mutate SEED DONOR --count 1 --seed NUMBER` makes the same mutant again.
MutantPlan PlanFor(const MutateOptions& options, const std::vector<Seed>& seeds, std::uint64_t i) {
  const std::uint64_t round = i / seeds.size();
  return {.seed = &seeds.at(i % seeds.size()),
          .donor = &seeds.at((i + 1 + round) % seeds.size()),
          .number = mutate::SeedOf(options.seed, i)};
}

// --- making the files ----------------------------------------------------------------------------

// WriteAll returns an errno, or 0.
int WriteAll(int descriptor, Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(descriptor, bytes.data(), bytes.size());
    if (put >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(put));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

// Maker writes mutants to the files of a folder.
class Maker {
 public:
  Maker(const MutateOptions& options, const std::vector<Seed>& seeds, MutantFolder& folder,
        const Streams& streams)
      : options_(options), seeds_(seeds), folder_(folder), streams_(streams), mutator_(Room()) {}

  // MakeAll makes a few files at a time in a confined child, because the seeds are untrusted. The
  // files are opened before, and the child cannot open any.
  [[nodiscard]] bool MakeAll() {
    for (std::uint64_t first = 0; first < options_.count; first += kBatch) {
      const std::uint64_t end = std::min(options_.count, first + kBatch);
      if (absl::Status opened = folder_.OpenFiles(first, end, options_.count); !opened.ok()) {
        return Fail(std::string(opened.message()));
      }
      const auto make = [&] { return Make(first, end) ? kExitAccept : kExitUndecided; };
      if (GuardedAndConfined({}, make, streams_) != kExitAccept) return false;
      ShowProgress(end);
    }
    if (shown_) streams_.error << "\r\x1b[K" << std::flush;
    return true;
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::size_t Room() const {
    std::uint64_t room = 0;
    for (const Seed& seed : seeds_) {
      room = std::max({room, RoomFor(options_, seed), std::uint64_t{seed.bytes.size()}});
    }
    return room;
  }

  bool Fail(std::string_view message) const {
    streams_.error << "ggufgate: cannot write " << EscapeText(options_.output_dir) << ": "
                   << EscapeText(message) << '\n';
    return false;
  }

  bool Make(std::uint64_t first, std::uint64_t end) {
    for (std::uint64_t i = first; i < end; ++i) {
      const MutantPlan plan = PlanFor(options_, seeds_, i);
      const Mutant mutant = MakeOne(plan);
      if (const int error = WriteAll(folder_.descriptor(i), mutant.bytes); error != 0) {
        return Fail(std::generic_category().message(error));
      }
      folder_.manifest() << ManifestLine(MutantFolder::NameOf(i, options_.count), plan, mutant);
    }
    const absl::Status flushed = folder_.FlushManifest();
    return flushed.ok() || Fail(std::string(flushed.message()));
  }

  Mutant MakeOne(const MutantPlan& plan) {
    return mutator_.Make({.input = plan.seed->bytes,
                          .donor = plan.donor->bytes,
                          .mode = *mutate::FindMode(options_.mode),
                          .seed = plan.number,
                          .max_size = RoomFor(options_, *plan.seed),
                          .data = *mutate::FindDataNeeded(options_.data)});
  }

  void ShowProgress(std::uint64_t made) {
    constexpr std::chrono::milliseconds kPause(200);
    if (!streams_.progress || made == options_.count || Clock::now() - drawn_ < kPause) return;
    drawn_ = Clock::now();
    shown_ = true;
    streams_.error << "\r\x1b[K" << Grouped(made) << " of " << Grouped(options_.count) << " files"
                   << std::flush;
  }

  const MutateOptions& options_;
  const std::vector<Seed>& seeds_;
  MutantFolder& folder_;
  const Streams& streams_;
  mutate::Mutator mutator_;
  Clock::time_point drawn_ = Clock::now();
  bool shown_ = false;
};

// --- the command ---------------------------------------------------------------------------------

int RunList(const MutateOptions& options, const Streams& streams) {
  if (!options.seeds.empty() || !options.output_dir.empty()) {
    return WrongUsage(
        "mutate", "mutate --list writes no files; it cannot be combined with seeds or --output-dir",
        streams);
  }
  options.format == "json" ? PrintMutationsJson(streams.out) : PrintMutationsText(streams.out);
  return kExitAccept;
}

int RunMutate(const MutateOptions& options, const Streams& streams) {
  if (options.list) return RunList(options, streams);
  if (options.output_dir.empty())
    return WrongUsage("mutate", "mutate needs --output-dir DIR", streams);
  const bool needs_seeds = options.mode != "generate";
  if (options.seeds.empty() && needs_seeds)
    return WrongUsage("mutate", "mutate needs a SEED", streams);
  if (std::ranges::count(options.seeds, "-") > 1) {
    return WrongUsage("mutate", "standard input (-) is given more than once; give it once",
                      streams);
  }

  std::vector<Seed> seeds;
  if (options.seeds.empty()) {
    seeds.push_back({});
  } else if (!ReadSeeds(options.seeds, seeds, streams)) {
    return kExitUndecided;
  }
  std::vector<std::string> inputs;
  for (const Seed& seed : seeds) inputs.push_back(seed.path);
  const auto folder = MutantFolder::Open(options.output_dir, options.force, inputs);
  absl::Status status = folder.status();
  if (status.ok()) {
    if (!Maker(options, seeds, **folder, streams).MakeAll()) return kExitUndecided;
    status = (*folder)->Commit();
  }
  if (!status.ok()) return ComplainOfOutput(options.output_dir, status, streams);
  streams.error << Grouped(options.count) << (options.count == 1 ? " mutant" : " mutants")
                << " and manifest.jsonl in " << EscapeText(options.output_dir) << '\n';
  return kExitAccept;
}

void AddOutputOptions(Command command, MutateOptions& options) {
  command
      .AddOption("--output-dir", options.output_dir,
                 "Write 000000.gguf and so on, and at the end manifest.jsonl with one line per "
                 "file. If the folder exists, it must be empty.")
      .ShownAs("DIR")
      .NotEmpty();
  command.AddFlag("--force", options.force,
                  "Write into a folder that is not empty, and replace files with the same names.");
  command
      .AddOption("--max-size", options.max_size,
                 "The maximum size of a mutant (default: 1 MiB; if a seed is larger, slightly more "
                 "than that seed).")
      .Within(1, kLargestMutant)
      .ShownAs("N");
  command.AddFlag("--list", options.list, "Make nothing; list all mutations.");
  command.AddChoice("-f,--format", options.format, "List as text (default) or json.",
                    {"text", "json"});
}

}  // namespace

void AddMutateCommand(Command app, const Streams& streams, ChosenCommand& run) {
  const auto options = std::make_shared<MutateOptions>();
  Command command =
      app.AddSubcommand("mutate",
                        "make mutants of files, to test loaders and gates\nChanges the records of "
                        "files, also of invalid ones, and writes new files. For each, "
                        "manifest.jsonl has the verdict that a checker must give. The same "
                        "command makes the same files on every machine.");
  command.Footer(kMutateFooter);
  command
      .AddOption("SEED", options->seeds,
                 "Files of at most 16 MiB, folders (searched as by `check`), or - for standard "
                 "input. They are used in turn.")
      .NotEmpty();
  command.AddOption("--count", options->count, "Make N files (default: 100).")
      .Within(1, 100'000'000)
      .ShownAs("N");
  command
      .AddOption("--seed", options->seed,
                 "Seed of the random numbers (default: 1). To make the file of a manifest line "
                 "again with the same version, use --count 1, its \"seed\", and its \"from\" and "
                 "\"donor\" as SEED.")
      .ShownAs("S");
  command
      .AddChoice("--mode", options->mode,
                 "The kind of files:\nconsistent: sound files, which a gate must accept.\none-lie: "
                 "sound except for one fault; the manifest names the rule that it breaks.\n"
                 "generate: sound files from the random numbers only; needs no SEED.\n"
                 "semi: changed without repair, several faults.\n"
                 "raw: random changes of bytes.\n"
                 "reduce: a simpler version of a seed, not larger.\n"
                 "havoc: a mixture of consistent, one-lie, semi and raw (default).",
                 {"consistent", "one-lie", "havoc", "generate", "semi", "raw", "reduce"})
      .ShownAs("MODE");
  command.AddChoice("--data", options->data,
                    "With one-lie and havoc: also make faults in the weights, which `check` finds "
                    "with the same value of --data (default: none).",
                    {"none", "scales", "full"});
  AddOutputOptions(command, *options);
  command.OnChosen([options, &streams, &run] {
    run = [options, &streams] { return RunMutate(*options, streams); };
  });
}

}  // namespace ggufgate
