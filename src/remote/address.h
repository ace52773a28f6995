#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace ggufgate {

// Address is a parsed absolute http or https URL.
struct Address {
  std::string scheme;  // "https" or "http"
  std::string host;    // lower case; IPv6 with its brackets
  std::uint16_t port = 0;
  std::string target;  // path and query, begins with '/'

  [[nodiscard]] bool IsSecure() const { return scheme == "https"; }
  // Origin returns "https://host:port".
  [[nodiscard]] std::string Origin() const;
  [[nodiscard]] std::string Text() const { return Origin() + target; }
};

// ParseAddress parses an http or https URL. It returns an error for an invalid URL, and for one
// with a user name, a fragment, or invalid characters: two parsers must never see two different
// hosts. Source: RFC 3986.
[[nodiscard]] absl::StatusOr<Address> ParseAddress(std::string_view text);

// IsRemote tells whether a path names a file on a server: it begins with https://, http:// or
// hf://.
[[nodiscard]] bool IsRemote(std::string_view path);

// LooksLikeAddress tells whether a path may be meant as an address: it begins with a name and ://.
[[nodiscard]] bool LooksLikeAddress(std::string_view path);

// UrlOf returns the URL of a remote path. It does not change https:// and http:// URLs.
// hf://owner/repo/path becomes `endpoint`/owner/repo/resolve/REVISION/path. The revision follows an
// @ at the end of the path or of the repository; the default is `main`. Source: huggingface_hub,
// HfFileSystem.resolve_path() and hf_hub_url().
[[nodiscard]] absl::StatusOr<std::string> UrlOf(std::string_view path, std::string_view endpoint);

// RemoteFileName returns the last name in a remote path, without query and revision.
[[nodiscard]] std::string_view RemoteFileName(std::string_view path);

// WithFileName returns the path of another file in the same folder.
[[nodiscard]] std::string WithFileName(std::string_view path, std::string_view file_name);

}  // namespace ggufgate
