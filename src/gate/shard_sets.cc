#include "gate/shard_sets.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "check/shards/shard_set.h"
#include "check/verdict.h"
#include "format/shard_name.h"
#include "remote/address.h"

namespace ggufgate {

std::string FileNameIn(const std::string& path) {
  if (IsRemote(path)) return std::string(RemoteFileName(path));
  return path.substr(path.rfind('/') + 1);  // without a slash: the whole path
}

std::string FolderOf(const std::string& path) {
  if (IsRemote(path)) return WithFileName(path, "");
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  return (folder.empty() ? std::filesystem::path(".") : folder / ".").lexically_normal().string();
}

ShardSets::ShardSets(const FoundFiles& found, const Policy& policy,
                     std::function<void(FileReport)> take)
    : found_(found), policy_(policy), take_(std::move(take)), set_of_(found.files.size(), kNone) {
  std::map<std::tuple<std::string, std::string, std::uint32_t>, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < found.files.size(); ++i) {
    const std::string file_name = FileNameIn(found.files.at(i));
    const std::optional<ShardName> name = ParseShardName(file_name);
    if (!name) continue;
    groups[{FolderOf(found.files.at(i)), std::string(name->stem), name->count}].push_back(i);
  }
  for (auto& group : groups) {
    std::vector<std::size_t>& files = group.second;
    const auto searched = [&](std::size_t file) { return found.searched.at(file); };
    const auto other = [&](std::size_t file) {
      return FileNameIn(found.files.at(file)) != FileNameIn(found.files.at(files.front()));
    };
    const bool alone = std::ranges::none_of(files, searched) && std::ranges::none_of(files, other);
    for (const std::size_t file : files) set_of_.at(file) = sets_.size();
    const std::size_t missing = files.size();
    sets_.push_back({.stem = std::get<1>(group.first),
                     .count = std::get<2>(group.first),
                     .files = std::move(files),
                     .missing = missing,
                     .alone = alone});
  }
}

void ShardSets::Take(FileReport report) {
  const std::size_t file = handed_over_ + waiting_.size();
  waiting_.push_back(std::move(report));
  if (const std::size_t index = set_of_.at(file); index != kNone) {
    Set& set = sets_.at(index);
    if (--set.missing == 0) Judge(set);
  } else {
    JudgeAlone(file);
  }
  while (!waiting_.empty()) {
    const std::size_t set = set_of_.at(handed_over_);
    if (set != kNone && sets_.at(set).missing > 0) return;
    FileReport next = std::move(waiting_.front());
    waiting_.pop_front();
    ++handed_over_;
    take_(std::move(next));
  }
}

// JudgeAlone states in the report that a shard was checked without the others, and whether its
// name is impossible.
void ShardSets::JudgeAlone(std::size_t file) {
  FileReport& report = ReportOf(file);
  const ShardFacts* const facts = report.shard ? &*report.shard : nullptr;
  if (facts != nullptr && facts->count.value > 1) report.lone_shard_of = facts->count.value;
  const std::string file_name = FileNameIn(found_.files.at(file));
  const std::optional<ShardName> name = ParseImpossibleShardName(file_name);
  if (!name || report.verdict == Verdict::kUndecided) return;
  JudgeImpossibleName(*name, facts, policy_, report.findings);
  report.verdict = VerdictOf(report.findings, policy_);
}

void ShardSets::Judge(const Set& set) {
  ShardSet members{.stem = set.stem, .count = set.count, .members = {}, .alone = set.alone};
  std::string undecided;
  for (const std::size_t file : set.files) {
    FileReport& report = ReportOf(file);
    const std::string file_name = FileNameIn(found_.files.at(file));
    if (report.verdict == Verdict::kUndecided) undecided = file_name;
    members.members.push_back({.file = file_name,
                               .number = ParseShardName(file_name)->number,
                               .facts = report.shard ? &*report.shard : nullptr,
                               .unsound = report.verdict != Verdict::kAccept,
                               .findings = &report.findings});
  }
  std::ranges::sort(members.members, {}, &ShardMember::number);
  JudgeShardSet(members, policy_);

  for (const std::size_t file : set.files) {
    FileReport& report = ReportOf(file);
    if (set.alone) JudgeAlone(file);
    if (report.verdict != Verdict::kAccept) continue;
    if (!undecided.empty()) {
      report.verdict = Verdict::kUndecided;
      report.problem = absl::FailedPreconditionError(
          absl::StrCat("another shard of its set could not be checked: ", undecided));
    } else {
      report.verdict = VerdictOf(report.findings, policy_);
    }
  }
}

}  // namespace ggufgate
