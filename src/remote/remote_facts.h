#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace ggufgate {

// RemoteFacts are what is known of a file on a server.
struct RemoteFacts {
  std::uint64_t size = 0;      // of the file
  std::uint64_t fetched = 0;   // bytes that came so far, for all judges of the file
  std::uint64_t requests = 0;  // sent so far, redirects and repetitions among them
  std::string entity;          // the strong ETag, as it was sent; hostile text
  std::string linked_entity;   // X-Linked-Etag of a hub: of the file itself
  std::string modified;        // Last-Modified

  friend bool operator==(const RemoteFacts&, const RemoteFacts&) = default;
};
// Of each text.
inline constexpr std::size_t kLongestFact = 500;

}  // namespace ggufgate
