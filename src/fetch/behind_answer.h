#pragma once

#include <curl/curl.h>

namespace ggufgate {

// Detects bytes after an answer that announced its length. They were not requested, and libcurl
// ignores them silently. The functions see only bytes that have arrived, and work for HTTP/1.
// HTTP/2 sends frames between answers, and libcurl checks lengths there.

// IsOpenedBehind must be called at the last byte of an answer. It tells whether TLS has decrypted
// more bytes.
[[nodiscard]] bool IsOpenedBehind(CURL* handle);

// WaitsInSocket must be called at the last byte of an answer without TLS, because libcurl may close
// the socket before the transfer ends. It tells whether more bytes wait in this socket.
[[nodiscard]] bool WaitsInSocket(CURL* handle, curl_socket_t socket);

// WaitsBehind must be called after a transfer has ended. It tells whether more bytes wait in the
// socket of its connection, if that is still open.
[[nodiscard]] bool WaitsBehind(CURL* handle, bool encrypted);

}  // namespace ggufgate
