#pragma once

#include <curl/curl.h>

namespace ggufgate {

// What stands behind an answer that has said how long it is. Nobody asked for such bytes, and
// libcurl passes over them in silence. Both know of what has come so far, and both know of HTTP/1
// alone: HTTP/2 has other things to say behind an answer, and libcurl holds its lengths against
// each other.

// IsOpenedBehind is asked with the last byte of an answer: TLS has opened more than that.
[[nodiscard]] bool IsOpenedBehind(CURL* handle);

// WaitsBehind is asked when a transfer has ended: more waits in the socket of its connection, where
// that is still open.
[[nodiscard]] bool WaitsBehind(CURL* handle, bool encrypted);

}  // namespace ggufgate
