#include "remote/address.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace ggufgate {
namespace {

constexpr std::string_view kHttps = "https://";
constexpr std::string_view kHttp = "http://";
constexpr std::string_view kHuggingFace = "hf://";
constexpr std::size_t kLongest = 8192;
constexpr std::uint16_t kHttpsPort = 443;
constexpr std::uint16_t kHttpPort = 80;

absl::Status Bad(const char* why) { return absl::InvalidArgumentError(why); }

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsUnreserved(char c) {
  return IsDigit(c) || IsLetter(c) || c == '-' || c == '.' || c == '_' || c == '~';
}
char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool StartsWithIgnoringCase(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::ranges::equal(text.substr(0, lower.size()), lower, {}, Lower);
}

bool IsHostName(std::string_view host) {
  return !host.empty() && std::ranges::all_of(host, [](char c) {
    return IsDigit(c) || IsLetter(c) || c == '.' || c == '-' || c == '_';
  });
}

bool IsIpv6Literal(std::string_view host) {
  if (host.size() < 4 || !host.starts_with('[') || !host.ends_with(']')) return false;
  return std::ranges::all_of(host.substr(1, host.size() - 2), [](char c) {
    const char lower = Lower(c);
    return IsDigit(c) || (lower >= 'a' && lower <= 'f') || c == ':' || c == '.';
  });
}

std::optional<std::uint16_t> PortIn(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = std::to_address(text.end());
  const auto [stop, error] = std::from_chars(std::to_address(text.begin()), end, port);
  if (error != std::errc() || stop != end || port == 0) return std::nullopt;
  return port;
}

// SplitAuthority sets host and port.
absl::Status SplitAuthority(std::string_view authority, Address& address) {
  if (authority.find('@') != std::string_view::npos) {
    return Bad("the address contains a user name; use a netrc file or HF_TOKEN instead");
  }
  const std::size_t bracket = authority.find(']');
  const std::size_t colon = authority.find(':', bracket == std::string_view::npos ? 0 : bracket);
  const std::string_view host = authority.substr(0, colon);
  if (!IsHostName(host) && !IsIpv6Literal(host)) return Bad("the address names no host");
  address.host.resize(host.size());
  std::ranges::transform(host, address.host.begin(), Lower);
  if (colon == std::string_view::npos) return absl::OkStatus();
  const auto port = PortIn(authority.substr(colon + 1));
  if (!port) return Bad("the port of the address must be a number from 1 to 65535");
  address.port = *port;
  return absl::OkStatus();
}

// Encoded percent-encodes the characters of a path that a URL cannot contain.
std::string Encoded(std::string_view path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text;
  for (const char c : path) {
    if (IsUnreserved(c) || c == '/') {
      text += c;
      continue;
    }
    const auto byte = static_cast<std::uint8_t>(c);
    text += '%';
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

bool IsRepositoryName(std::string_view name) {
  return !name.empty() && name != "." && name != ".." && std::ranges::all_of(name, IsUnreserved);
}

// IsRevision tells whether a name may be that of a branch, a tag or a commit. "refs/pr/1" is
// written as in the addresses of the hub: refs%2Fpr%2F1.
bool IsRevision(std::string_view name) {
  return !name.empty() && name != "." && name != ".." &&
         std::ranges::all_of(name, [](char c) { return IsUnreserved(c) || c == '%'; });
}

// CutBehind removes the part after the last `mark` from `text` and returns it. It returns nullopt
// if there is no `mark`.
std::optional<std::string_view> CutBehind(std::string_view& text, char mark) {
  const std::size_t at = text.rfind(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view behind = text.substr(at + 1);
  text = text.substr(0, at);
  return behind;
}

bool HasDots(std::string_view path) {
  while (true) {
    const std::string_view name = path.substr(0, path.find('/'));
    if (name.empty() || name == "." || name == "..") return true;
    if (name.size() == path.size()) return false;
    path.remove_prefix(name.size() + 1);
  }
}

absl::StatusOr<std::string> HubUrl(std::string_view path, std::string_view endpoint) {
  constexpr const char* kForm = "must be hf://OWNER/REPOSITORY/PATH[@REVISION]";
  const auto cut = [&path] {
    const std::string_view name = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(name.size() + 1, path.size()));
    return name;
  };
  const std::string_view owner = cut();
  std::string_view repository = cut();
  std::optional<std::string_view> revision = CutBehind(repository, '@');
  if (!revision) revision = CutBehind(path, '@');
  if (!IsRepositoryName(owner) || !IsRepositoryName(repository) || HasDots(path)) return Bad(kForm);
  if (revision && !IsRevision(*revision)) return Bad(kForm);
  while (endpoint.ends_with('/')) endpoint.remove_suffix(1);
  return absl::StrCat(std::string(endpoint), "/", std::string(owner), "/", std::string(repository),
                      "/resolve/", std::string(revision.value_or("main")), "/", Encoded(path));
}

// The position of the last name in a path.
struct NamePlace {
  std::size_t begin;
  std::size_t end;
};
NamePlace PlaceOfName(std::string_view path) {
  const bool hub = StartsWithIgnoringCase(path, kHuggingFace);
  const std::size_t query = hub ? std::string_view::npos : path.find('?');
  std::size_t end = std::min(query, path.size());
  const std::size_t begin = path.substr(0, end).rfind('/') + 1;
  if (hub) end = std::min(path.find('@', begin), end);
  return {.begin = begin, .end = end};
}

}  // namespace

std::string Address::Origin() const { return absl::StrCat(scheme, "://", host, ":", port); }

absl::StatusOr<Address> ParseAddress(std::string_view text) {
  if (text.size() > kLongest) return Bad("the address is longer than 8,192 bytes");
  const auto allowed = [](char c) { return c > ' ' && c <= '~' && c != '\\' && c != '"'; };
  if (!std::ranges::all_of(text, allowed)) {
    return Bad("the address contains characters that a URL must not contain");
  }
  if (text.find('#') != std::string_view::npos)
    return Bad("the address contains #, which names a part of a file");
  Address address;
  const bool secure = StartsWithIgnoringCase(text, kHttps);
  if (!secure && !StartsWithIgnoringCase(text, kHttp)) {
    return Bad("the address must begin with https:// or http://");
  }
  address.scheme = secure ? "https" : "http";
  address.port = secure ? kHttpsPort : kHttpPort;
  text.remove_prefix((secure ? kHttps : kHttp).size());
  const std::size_t end = std::min(text.find_first_of("/?"), text.size());
  if (absl::Status split = SplitAuthority(text.substr(0, end), address); !split.ok()) return split;
  address.target = std::string(text.substr(end));
  if (!address.target.starts_with('/')) address.target.insert(0, 1, '/');
  return address;
}

bool IsRemote(std::string_view path) {
  return StartsWithIgnoringCase(path, kHttps) || StartsWithIgnoringCase(path, kHttp) ||
         StartsWithIgnoringCase(path, kHuggingFace);
}

bool LooksLikeAddress(std::string_view path) {
  const std::string_view scheme = path.substr(0, path.find("://"));
  return !scheme.empty() && scheme.size() < path.size() && IsLetter(scheme.front()) &&
         std::ranges::all_of(
             scheme,
             [](char c) { return IsLetter(c) || IsDigit(c) || c == '+' || c == '-' || c == '.'; });
}

absl::StatusOr<std::string> UrlOf(std::string_view path, std::string_view endpoint) {
  std::string url(path);
  if (StartsWithIgnoringCase(path, kHuggingFace)) {
    absl::StatusOr<std::string> found = HubUrl(path.substr(kHuggingFace.size()), endpoint);
    if (!found.ok()) return found.status();
    url = *std::move(found);
  }
  const absl::StatusOr<Address> address = ParseAddress(url);
  if (!address.ok()) return address.status();
  return address->Text();
}

std::string_view RemoteFileName(std::string_view path) {
  const NamePlace place = PlaceOfName(path);
  return path.substr(place.begin, place.end - place.begin);
}

std::string WithFileName(std::string_view path, std::string_view file_name) {
  const NamePlace place = PlaceOfName(path);
  return absl::StrCat(std::string(path.substr(0, place.begin)), std::string(file_name),
                      std::string(path.substr(place.end)));
}

}  // namespace ggufgate
