#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace ggufgate {

// Address is an absolute http or https URL, taken apart.
struct Address {
  std::string scheme;  // "https" or "http"
  std::string host;    // lower case; of IPv6 with its brackets
  std::uint16_t port = 0;
  std::string target;  // path and query, begins with '/'

  [[nodiscard]] bool IsSecure() const { return scheme == "https"; }
  // Origin is "https://host:port".
  [[nodiscard]] std::string Origin() const;
  [[nodiscard]] std::string Text() const { return Origin() + target; }
};

// ParseAddress takes an http or https URL apart. An error for what is none, or has a user name, a
// fragment, or characters that a URL may not have: where two readers may see two hosts there must
// not be any choice.
// Source: RFC 3986.
[[nodiscard]] absl::StatusOr<Address> ParseAddress(std::string_view text);

// IsRemote tells whether a path means a file on a server: it begins with https://, http:// or
// hf://.
[[nodiscard]] bool IsRemote(std::string_view path);

// LooksLikeAddress tells whether somebody may have meant an address: it begins with a name and ://.
[[nodiscard]] bool LooksLikeAddress(std::string_view path);

// UrlOf is where a remote path lies. https:// and http:// stay as they are. hf://owner/repo/path is
// `endpoint`/owner/repo/resolve/REVISION/path; the revision stands at the end of the path or of the
// repository, behind an @, and is `main` where there is none.
// Source: huggingface_hub, HfFileSystem.resolve_path() and hf_hub_url().
[[nodiscard]] absl::StatusOr<std::string> UrlOf(std::string_view path, std::string_view endpoint);

// RemoteFileName is the last name in a remote path, without query and revision.
[[nodiscard]] std::string_view RemoteFileName(std::string_view path);

// WithFileName is the same path of another file in the same folder.
[[nodiscard]] std::string WithFileName(std::string_view path, std::string_view file_name);

}  // namespace ggufgate
