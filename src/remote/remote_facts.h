#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace ggufgate {

// RemoteFacts are the known facts about a file on a server.
struct RemoteFacts {
  std::uint64_t size = 0;      // of the file
  std::uint64_t fetched = 0;   // bytes received so far, for all processes that read the file
  std::uint64_t requests = 0;  // sent so far, including redirects and repetitions
  std::string entity;          // the strong ETag, as sent; untrusted text
  std::string linked_entity;   // X-Linked-Etag of a hub: that of the file itself
  std::string modified;        // Last-Modified

  friend bool operator==(const RemoteFacts&, const RemoteFacts&) = default;
};
// Maximum length of each text.
inline constexpr std::size_t kLongestFact = 500;

}  // namespace ggufgate
