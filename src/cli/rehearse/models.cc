#include "cli/rehearse/models.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "cli/check/remote.h"
#include "cli/usage/suggest.h"
#include "format/shard_name.h"
#include "gate/find_files.h"
#include "gate/judge_options.h"
#include "gate/shards_beside.h"
#include "remote/address.h"

namespace ggufgate {
namespace {

namespace fs = std::filesystem;

// FilesOnce returns each file once. Model caches consist of links to blobs: a link has the name of
// the model, and the number of a shard.
std::set<std::string> FilesOnce(const std::vector<std::string>& paths) {
  std::map<std::string, std::string> names;  // by the path without links
  for (const std::string& path : paths) {
    std::error_code error;
    const std::string target = fs::canonical(path, error).string();
    const auto [it, is_new] = names.emplace(error ? path : target, path);
    if (!is_new && fs::is_symlink(path, error)) it->second = path;
  }
  std::set<std::string> files;
  for (auto& [target, name] : names) files.insert(std::move(name));
  return files;
}

// IsLaterShard tells whether another file of the same folder is the first shard of its set.
bool IsLaterShard(const std::string& path, const std::set<std::string>& files) {
  const fs::path file(path);
  const std::string name = file.filename().string();
  std::optional<ShardName> shard = ParseShardName(name);
  if (!shard || shard->number == 1) return false;
  shard->number = 1;
  return files.contains((file.parent_path() / FileNameOf(*shard)).string());
}

}  // namespace

Models::Models(const std::vector<std::string>& paths, const RemoteOptions& remote) {
  for (const std::string& path : paths) {
    if (IsFolder(path)) {
      AddFolder(path);
    } else {
      Add(path);
    }
  }
  remote_ = std::make_unique<RemoteFiles>(files_, remote, 1);
}

Models::~Models() = default;

std::span<const std::string> Models::FilesOf(std::size_t model) const {
  const Model& of = models_.at(model);
  return std::span(files_).subspan(of.begin, of.end - of.begin);
}

absl::StatusOr<std::vector<Input>> Models::Open(std::size_t model) {
  const Model& opened = models_.at(model);
  if (!opened.problem.ok()) return opened.problem;
  std::vector<Input> inputs;
  for (std::size_t i = opened.begin; i < opened.end; ++i) {
    absl::StatusOr<Input> input = OpenFile(i);
    if (!input.ok()) return input.status();
    inputs.push_back(*std::move(input));
  }
  return inputs;
}

void Models::Add(const std::string& path) {
  FoundFiles found{.files = {path}, .searched = {false}};
  FindShardsBeside({}, found);
  FindRemoteShards(found);
  if (found.files.empty()) found = {.files = {path}, .searched = {false}};  // a wrong address
  const std::size_t begin = files_.size();
  std::ranges::move(found.files, std::back_inserter(files_));
  models_.push_back({.name = path, .begin = begin, .end = files_.size()});
}

void Models::AddFolder(const std::string& path) {
  const FoundFiles found = FindFiles({path});
  for (const FoundFiles::Problem& problem : found.problems) {
    models_.push_back({.name = problem.path, .problem = problem.status});
  }
  const std::set<std::string> files = FilesOnce(found.files);
  for (const std::string& file : files) {
    if (!IsLaterShard(file, files)) Add(file);
  }
  if (files.empty() && found.problems.empty()) {
    models_.push_back(
        {.name = path, .problem = absl::NotFoundError("there is no GGUF file in this folder")});
  }
}

absl::StatusOr<Input> Models::OpenFile(std::size_t file) {
  const std::string& path = files_.at(file);
  if (path == "-") return Input::Spool(STDIN_FILENO, JudgeOptions{}.most_spooled);
  if (!IsRemote(path)) return Input::Open(path);
  const absl::StatusOr<Descriptor> stand_in = remote_->StandIn(file, path);
  if (!stand_in.ok()) return stand_in.status();
  return Input::Open("/proc/self/fd/" + std::to_string(stand_in->get()));
}

}  // namespace ggufgate
