#include "cli/check/remote.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "format/shard_name.h"
#include "gate/remote/judge_remote.h"
#include "rehearse/stand_in.h"
#include "remote/address.h"

namespace ggufgate {
namespace {

constexpr std::uint64_t kMostSeconds = 600;
constexpr std::uint32_t kMostShardsFetched = 1000;
constexpr std::size_t kMostChannels = 64;

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// ForgetToken erases the token from memory that the checking processes will inherit. A worker that
// a malicious file controls could send the contents of its memory to a server, encoded in the
// ranges that it requests.
void ForgetToken(FetchConfig& config) {
  ::explicit_bzero(config.token.data(), config.token.size());
  config.token.clear();
  if (char* const value = std::getenv("HF_TOKEN")) ::explicit_bzero(value, std::strlen(value));
}

std::string HubEndpoint() {
  std::string endpoint = Variable("HF_ENDPOINT");
  return endpoint.empty() ? "https://huggingface.co" : endpoint;
}

std::string Authorities(const RemoteOptions& options) {
  if (!options.authorities.empty()) return options.authorities;
  const std::string given = Variable("SSL_CERT_FILE");
  return given.empty() ? Variable("CURL_CA_BUNDLE") : given;
}

std::string Netrc() {
  std::string path = Variable("NETRC");
  if (path.empty() && !Variable("HOME").empty()) path = Variable("HOME") + "/.netrc";
  std::error_code error;
  return std::filesystem::is_regular_file(path, error) ? path : "";
}

FetchConfig ConfigFor(const RemoteOptions& options, std::uint64_t judges) {
  FetchConfig config;
  config.allow_private = options.allow_private;
  config.allow_http = options.allow_http;
  config.authorities = Authorities(options);
  config.netrc = Netrc();
  config.proxies = ProxiesOfEnvironment();
  config.seconds = options.seconds;
  config.judges = judges;
  if (const absl::StatusOr<Address> hub = ParseAddress(HubEndpoint()); hub.ok()) {
    config.token = Variable("HF_TOKEN");
    config.token_origin = hub->Origin();
  }
  return config;
}

// PatternOf returns the same text for all shards of a set.
std::string PatternOf(const ShardName& name) {
  return FileNameOf({.stem = name.stem, .number = 0, .count = name.count});
}

}  // namespace

void AddRemoteOptions(Command command, RemoteOptions& options) {
  command.AddFlag("--allow-private", options.allow_private,
                  "Also fetch from this machine and from private networks.");
  command.AddFlag("--allow-http", options.allow_http,
                  "Also fetch over plain HTTP, without encryption.");
  command
      .AddOption("--ca-file", options.authorities,
                 "Trust the certificate authorities in FILE (default: $SSL_CERT_FILE, "
                 "$CURL_CA_BUNDLE, or those of the system).")
      .ShownAs("FILE");
  command
      .AddOption("--network-timeout", options.seconds,
                 "Stop if a server sends almost no data for N seconds (default: 30).")
      .Within(1, kMostSeconds)
      .ShownAs("N");
}

void FindRemoteShards(FoundFiles& found) {
  FoundFiles all;
  std::set<std::string> sets;  // sets that are in `all`, by location and name
  const auto add = [&all](std::string path, bool searched) {
    all.files.push_back(std::move(path));
    all.searched.push_back(searched);
  };
  for (std::size_t i = 0; i < found.files.size(); ++i) {
    const std::string& path = found.files.at(i);
    const std::optional<ShardName> name =
        IsRemote(path) ? ParseShardName(RemoteFileName(path)) : std::nullopt;
    const absl::Status address =
        IsRemote(path) ? UrlOf(path, HubEndpoint()).status() : absl::OkStatus();
    if (!address.ok()) {
      found.problems.push_back({path, address});
    } else if (!name) {
      add(path, found.searched.at(i));
    } else if (name->count > kMostShardsFetched) {
      found.problems.push_back(
          {path, absl::ResourceExhaustedError("its set has more than 1,000 shards")});
    } else if (sets.insert(WithFileName(path, PatternOf(*name))).second) {
      for (std::uint32_t number = 1; number <= name->count; ++number) {
        const ShardName shard{.stem = name->stem, .number = number, .count = name->count};
        add(WithFileName(path, FileNameOf(shard)), /*searched=*/true);
      }
    }
  }
  found.files = std::move(all.files);
  found.searched = std::move(all.searched);
}

RemoteFiles::RemoteFiles(const std::vector<std::string>& files, const RemoteOptions& options,
                         std::uint64_t judges) {
  any_ = std::ranges::any_of(files, [](const std::string& path) { return IsRemote(path); });
  if (!any_) return;
  FetchConfig config = ConfigFor(options, judges);
  for (const std::string& path : files) {
    numbers_.emplace_back();
    if (!IsRemote(path)) continue;
    absl::StatusOr<std::string> url = UrlOf(path, HubEndpoint());
    if (!url.ok()) continue;  // already reported
    numbers_.back() = static_cast<std::uint32_t>(config.urls.size());
    config.urls.push_back(*std::move(url));
  }
  absl::StatusOr<std::unique_ptr<Fetcher>> started = Fetcher::Start(config);
  ForgetToken(config);
  if (started.ok()) {
    fetcher_ = *std::move(started);
  } else {
    problem_ = started.status();
  }
}

void RemoteFiles::Connect(unsigned at_once, WorkerProcesses& processes) {
  if (fetcher_ == nullptr) return;
  const std::size_t channels = std::min<std::size_t>(at_once, kMostChannels);
  processes.before_worker = [this, channels] {
    return fetcher_->OpenChannels(channels, of_worker_);
  };
  processes.before_witness = [this] { return fetcher_->OpenChannels(1, of_witness_); };
}

FileReport RemoteFiles::Judge(std::size_t file, const std::string& path,
                              const JudgeOptions& options) {
  if (problem_.ok()) return JudgeRemote(of_worker_, *numbers_.at(file), path, options);
  FileReport report;
  report.path = path;
  report.problem = problem_;
  return report;
}

Opinion RemoteFiles::Ask(std::size_t file, SecondOpinion wanted, const Policy& policy) {
  if (!problem_.ok()) return {};
  return AskWitnessOfRemote(of_witness_, *numbers_.at(file), wanted, policy);
}

absl::StatusOr<Descriptor> RemoteFiles::StandIn(std::size_t file, const std::string& path) {
  const absl::StatusOr<std::string> url = UrlOf(path, HubEndpoint());
  if (!url.ok()) return url.status();
  if (!problem_.ok()) return problem_;
  ChannelPool channels;
  const absl::StatusOr<std::vector<Descriptor>> sockets = fetcher_->OpenChannels(1, channels);
  if (!sockets.ok()) return sockets.status();
  const ChannelPool::Loan channel(channels);
  return FetchStandIn(channel.socket(), *numbers_.at(file));
}

}  // namespace ggufgate
