#pragma once

#include <curl/curl.h>

namespace ggufgate {

// Bytes after an answer that announced its length. Nobody asked for them, and libcurl ignores them
// silently. Both functions see bytes that have arrived, and work for HTTP/1. HTTP/2 sends frames
// between answers, and libcurl checks lengths there.

// IsOpenedBehind is asked with the last byte of an answer: TLS has opened more than that.
[[nodiscard]] bool IsOpenedBehind(CURL* handle);

// WaitsInSocket is asked with the last byte of an answer without TLS: more waits in this socket.
// libcurl may close it before the transfer ends.
[[nodiscard]] bool WaitsInSocket(CURL* handle, curl_socket_t socket);

// WaitsBehind is asked when a transfer has ended: more waits in the socket of its connection, where
// that is still open.
[[nodiscard]] bool WaitsBehind(CURL* handle, bool encrypted);

}  // namespace ggufgate
