#include "cli/rehearse/rehearsing.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "bytes/checked.h"
#include "cli/loader_command.h"
#include "gate/reading/digest.h"
#include "rehearse/driver_record.h"
#include "rehearse/rehearse.h"
#include "rehearse/stand_in.h"

namespace ggufgate {
namespace {

constexpr std::uint64_t kSmallModel = std::uint64_t{256} << 20;  // bytes

// PathOf returns the path of a loader without links.
absl::StatusOr<std::string> PathOf(const std::string& name, bool is_program) {
  const std::vector<std::string> places = is_program ? PathsOf(name) : std::vector{name};
  for (const std::string& place : places) {
    if (is_program && ::access(place.c_str(), X_OK) != 0) continue;
    std::error_code error;
    std::string path = std::filesystem::canonical(place, error).string();
    if (!error && std::filesystem::is_regular_file(path, error)) return path;
  }
  if (is_program) {
    return absl::NotFoundError(
        "there is no executable file with this name; names without a slash are searched in $PATH");
  }
  std::error_code error;
  return absl::NotFoundError(std::filesystem::is_directory(name, error)
                                 ? "this is a folder; give the library in it, such as libllama.so"
                                 : "the loader was not found");
}

// Reopen opens the file of a shard again, for reading. The loader gets no descriptor whose position
// it would share with this process.
absl::StatusOr<Descriptor> Reopen(const Input& shard) {
  const std::string path = "/proc/self/fd/" + std::to_string(shard.descriptor());
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return absl::ErrnoToStatus(errno, "cannot open the model again");
  return file;
}

// FileFor returns the file for the loader, for one of `shards` shards: a stand-in, or the shard. An
// adapter has one. It appends the bytes that are not zeros to `fronts`.
absl::StatusOr<Descriptor> FileFor(const Input& shard, std::size_t shards, bool real_data,
                                   std::vector<std::uint64_t>& fronts) {
  const absl::StatusOr<ModelFront> front = FrontOf(shard);
  if (!front.ok()) return front.status();
  if (shards == 1 && front->shards > 1) {
    return absl::InvalidArgumentError(
        "it is one of several shards: give the first one under its own name "
        "(…-00001-of-0000N.gguf), next to the others");
  }
  if (shards > 1 && front->shards != shards) {
    return absl::InvalidArgumentError("shards of the model are missing");
  }
  fronts.push_back(real_data ? shard.source().size() : front->bytes);
  if (real_data) return Reopen(shard);
  absl::StatusOr<Descriptor> stand_in = MakeStandIn(shard, *front);
  if (!stand_in.ok()) return stand_in.status();
  // The stand-in holds the bytes that were checked, unless the file has changed.
  if (absl::Status same = shard.Unchanged(); !same.ok()) return same;
  return stand_in;
}

// AllUnchanged returns an error if a file has changed since the check.
absl::Status AllUnchanged(const RehearsedInputs& inputs) {
  for (const std::span<const Input> files : {inputs.shards, inputs.adapters}) {
    for (const Input& file : files) {
      if (absl::Status same = file.Unchanged(); !same.ok()) return same;
    }
  }
  return absl::OkStatus();
}

// AppendFiles appends the files of shards or adapters for the loader.
absl::Status AppendFiles(std::span<const Input> inputs, std::size_t shards, bool real_data,
                         std::vector<std::uint64_t>& fronts, std::vector<Descriptor>& files) {
  for (const Input& input : inputs) {
    absl::StatusOr<Descriptor> file = FileFor(input, shards, real_data, fronts);
    if (!file.ok()) return file.status();
    files.push_back(*std::move(file));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<FoundLoader> FindLoader(const std::string& name, bool is_program) {
  absl::StatusOr<std::string> path = PathOf(name, is_program);
  if (!path.ok()) return path.status();
  absl::StatusOr<Input> file = Input::Open(*path);
  if (!file.ok()) return file.status();
  absl::StatusOr<std::string> sha256 = Sha256Of(file->source());
  if (!sha256.ok()) return sha256.status();
  return FoundLoader{
      .path = *std::move(path), .sha256 = *std::move(sha256), .file = *std::move(file)};
}

std::optional<std::uint64_t> SizeOf(std::span<const Input> shards) {
  std::optional<std::uint64_t> size = 0;
  for (const Input& shard : shards) {
    if (size) size = CheckedAdd(*size, shard.source().size());
  }
  return size;
}

Rehearsal RehearseFiles(const RehearsedInputs& inputs, const FoundLoader& loader,
                        const RehearsalSettings& settings, std::uint64_t& read_bytes) {
  const std::span<const Input> shards = inputs.shards;
  if (shards.size() > 1 && !settings.command.empty()) {
    return NotRehearsed(
        "a program looks for shards by their names, which stand-ins lack: use --loader LIBLLAMA");
  }
  DriverCall call{.loader = loader.path,
                  .last_stage = settings.last_stage,
                  .adapters = inputs.adapters.size(),
                  .tokens = SizeOf(shards).value_or(kSmallModel + 1) <= kSmallModel ? kLongPrompt
                                                                                    : kShortPrompt,
                  .repacks = settings.repacks,
                  .command = WithModel(settings.command, std::string(kStandInPath))};
  std::vector<Descriptor> files;
  absl::Status made =
      AppendFiles(shards, shards.size(), settings.real_data, call.front_bytes, files);
  for (const std::uint64_t front : call.front_bytes) {
    read_bytes = CheckedAdd(read_bytes, front).value_or(UINT64_MAX);
  }
  if (made.ok())
    made = AppendFiles(inputs.adapters, 1, settings.real_data, call.front_bytes, files);
  if (!made.ok()) return NotRehearsed(std::string(made.message()));
  Rehearsal rehearsal = Rehearse(std::move(call), files,
                                 {.cpu_seconds = static_cast<double>(settings.seconds),
                                  .memory_bytes = settings.memory_mib << 20,
                                  .counts_mapped_files = !settings.real_data});
  if (settings.real_data) {
    if (const absl::Status same = AllUnchanged(inputs); !same.ok()) {
      return NotRehearsed("a file of the model or an adapter changed during the run");
    }
  }
  // After a change, the hash may not be that of the file that ran.
  if (const absl::Status same = loader.file.Unchanged(); !same.ok()) {
    return NotRehearsed("the loader's file changed during the run");
  }
  return rehearsal;
}

}  // namespace ggufgate
