#include "fetch/behind_answer.h"

#include <dlfcn.h>
#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace ggufgate {
namespace {

bool IsOfHttp1(CURL* handle) {
  long version = 0;
  return curl_easy_getinfo(handle, CURLINFO_HTTP_VERSION, &version) == CURLE_OK &&
         (version == CURL_HTTP_VERSION_1_0 || version == CURL_HTTP_VERSION_1_1);
}

// TLS libraries can tell how many decrypted bytes have not been read. libcurl has loaded the
// library that it uses, but does not forward this query.
template <typename Number>
bool HasOpened(const char* function, void* session) {
  using Pending = Number (*)(void*);
  const auto pending = reinterpret_cast<Pending>(::dlsym(RTLD_DEFAULT, function));
  return pending != nullptr && pending(session) > 0;
}

// IsData tells whether a TLS record with this beginning has application data. In TLS 1.3 all
// records have that type; an alert, which closes the connection, has 19 bytes (RFC 8446, sections
// 5.2 and 6).
bool IsData(std::array<std::uint8_t, 5> record) {
  constexpr std::uint8_t kApplicationData = 23;
  constexpr unsigned kAlertBytes = 19;
  const unsigned bytes = (static_cast<unsigned>(record[3]) << 8) | record[4];
  return record[0] == kApplicationData && bytes != kAlertBytes;
}

}  // namespace

bool IsOpenedBehind(CURL* handle) {
  const curl_tlssessioninfo* tls = nullptr;
  if (!IsOfHttp1(handle) || curl_easy_getinfo(handle, CURLINFO_TLS_SSL_PTR, &tls) != CURLE_OK ||
      tls == nullptr || tls->internals == nullptr) {
    return false;
  }
  switch (tls->backend) {
    case CURLSSLBACKEND_OPENSSL:
      return HasOpened<int>("SSL_pending", tls->internals);
    case CURLSSLBACKEND_GNUTLS:
      return HasOpened<std::size_t>("gnutls_record_check_pending", tls->internals);
    default:
      return false;
  }
}

bool WaitsInSocket(CURL* handle, curl_socket_t socket) {
  std::uint8_t next = 0;
  return socket != CURL_SOCKET_BAD && IsOfHttp1(handle) &&
         ::recv(socket, &next, 1, MSG_PEEK | MSG_DONTWAIT) > 0;
}

bool WaitsBehind(CURL* handle, bool encrypted) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  if (!IsOfHttp1(handle) || curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &socket) != CURLE_OK ||
      socket == CURL_SOCKET_BAD) {
    return false;
  }
  std::array<std::uint8_t, 5> begin{};
  const ssize_t got = ::recv(socket, begin.data(), begin.size(), MSG_PEEK | MSG_DONTWAIT);
  if (!encrypted) return got > 0;
  return got == static_cast<ssize_t>(begin.size()) && IsData(begin);
}

}  // namespace ggufgate
