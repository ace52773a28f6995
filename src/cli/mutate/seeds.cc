#include "cli/mutate/seeds.h"

#include <unistd.h>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "bytes/bytes.h"
#include "format/tensors/layout.h"
#include "gate/find_files.h"
#include "gate/reading/input.h"
#include "gate/reading/read_document.h"
#include "words/escape.h"
#include "words/numbers.h"

namespace ggufgate {
namespace {

void Say(const std::string& path, const std::string& message, const Streams& streams) {
  streams.error << "ggufgate: " << EscapeText(path) << ": " << EscapeText(message) << '\n';
}

std::string TooLarge(std::uint64_t size) {
  return absl::StrFormat("seed size is %s bytes; must be at most %s", Grouped(size),
                         Grouped(kLargestSeed));
}

bool BeginsWithMagic(Bytes bytes) { return AsText(bytes).starts_with(kMagic); }

absl::StatusOr<Seed> ReadSeed(const std::string& path, const Input& input) {
  Seed seed{.path = path, .bytes = std::vector<std::uint8_t>(input.source().size())};
  const ReadOutcome outcome = input.source().ReadAt(0, seed.bytes);
  if (!outcome.complete()) return StatusOf(outcome);
  return seed;
}

}  // namespace

bool ReadSeeds(const std::vector<std::string>& paths, std::vector<Seed>& seeds,
               const Streams& streams) {
  const FoundFiles found = FindFiles(paths);
  for (const FoundFiles::Problem& problem : found.problems) {
    Say(problem.path, std::string(problem.status.message()), streams);
  }
  if (!found.problems.empty()) return false;

  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < found.files.size(); ++i) {
    const std::string& path = found.files.at(i);
    const absl::StatusOr<Input> input =
        path == "-" ? Input::Spool(STDIN_FILENO, kLargestSeed + 1) : Input::Open(path);
    if (!input.ok()) {
      Say(path, std::string(input.status().message()), streams);
      return false;
    }
    const std::uint64_t size = input->source().size();
    if (size > kLargestSeed) {
      Say(path, TooLarge(size) + (found.searched.at(i) ? "; left out" : ""), streams);
      if (found.searched.at(i)) continue;
      return false;
    }
    sum += size;
    if (sum > kMostOfSeeds) {
      Say(path, "the seeds together have more than " + HumanBytes(kMostOfSeeds), streams);
      return false;
    }
    absl::StatusOr<Seed> seed = ReadSeed(path, *input);
    if (!seed.ok()) {
      Say(path, std::string(seed.status().message()), streams);
      return false;
    }
    if (!BeginsWithMagic(seed->bytes) && !found.searched.at(i)) {
      Say(path, "does not begin with \"GGUF\"; its mutants may keep little of it", streams);
    }
    seeds.push_back(*std::move(seed));
  }
  if (!seeds.empty()) return true;
  streams.error << "ggufgate: no seeds: no GGUF file in";
  for (const std::string& path : paths) streams.error << ' ' << EscapeText(path);
  streams.error << '\n';
  return false;
}

}  // namespace ggufgate
