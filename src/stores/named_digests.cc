#include "stores/named_digests.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <optional>
#include <utility>

#include "check/check.h"
#include "check/rules/sink.h"
#include "check/rules/subject.h"
#include "check/verdict.h"
#include "remote/address.h"
#include "stores/blobs.h"

namespace ggufgate {
namespace {

constexpr int kMostLinks = 40;  // the limit of Linux for one path (path_resolution(7))

std::string_view LastPart(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // without a slash: the whole path
}

// LinkAt returns the target of a link, as a path from the current folder, or nullopt if `path` is
// not a link. It sets `unknown` if the system gives no answer.
std::optional<std::string> LinkAt(const std::string& path, bool& unknown) {
  std::array<char, PATH_MAX> text{};
  const ssize_t size = ::readlink(path.c_str(), text.data(), text.size());
  if (size < 0) {
    unknown = errno != EINVAL && errno != ENOENT && errno != ENOTDIR;
    return std::nullopt;
  }
  if (static_cast<std::size_t>(size) == text.size()) {
    unknown = true;
    return std::nullopt;
  }
  std::string target(text.data(), static_cast<std::size_t>(size));
  if (target.starts_with('/')) return target;
  return path.substr(0, path.size() - LastPart(path).size()) + target;
}

}  // namespace

NamedDigests::NamedDigests(const FoundFiles& found, const ModelStores& stores) {
  for (std::size_t i = 0; i < found.files.size(); ++i) {
    const std::string& path = found.files.at(i);
    if (stores.HasFile(i) || path == "-") continue;
    Names names;
    if (IsRemote(path)) {
      names.Add(RemoteFileName(path));
    } else {
      names = NamesOf(path);
    }
    if (names.any()) names_.emplace(i, std::move(names));
  }
}

void NamedDigests::Names::Add(std::string_view name) {
  std::string digest = DigestIn(name);
  if (!digest.empty()) digests.push_back(std::move(digest));
}

// NamesOf follows links only at the end of the path: folders that are links do not change the name.
NamedDigests::Names NamedDigests::NamesOf(std::string path) {
  Names names;
  for (int links = 0; links <= kMostLinks; ++links) {
    names.Add(LastPart(path));
    std::optional<std::string> target = LinkAt(path, names.unknown);
    if (!target) break;
    path = *std::move(target);
  }
  return names;
}

bool NamedDigests::Compare(std::size_t file, const Policy& policy, FileReport& report) const {
  const auto found = names_.find(file);
  if (found == names_.end() || report.verdict == Verdict::kUndecided) return false;
  const Names& names = found->second;
  if (names.unknown || !report.sha256) {
    if (report.verdict != Verdict::kAccept) return false;
    report.verdict = Verdict::kUndecided;
    report.problem = absl::FailedPreconditionError(names.unknown ? "cannot read the link"
                                                                 : "its digest is missing");
    return false;
  }
  Sink sink(RuleOf(RuleId::kStoreBlobDigest), policy, report.findings);
  for (const std::string& digest : names.digests) {
    if (*report.sha256 == digest) continue;
    sink.Add({.where = {},
              .observed = TextFact(*report.sha256),
              .allowed = TextFact(digest),
              .other = TextFact("the file"),
              .wording = StoreBlobDigestWording::kOnly});
  }
  SortFindings(report.findings);
  if (VerdictOf(report.findings, policy) == Verdict::kReject) report.verdict = Verdict::kReject;
  return true;
}

}  // namespace ggufgate
