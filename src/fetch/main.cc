// ggufgate-fetch: fetches files for the checking processes of `ggufgate check`, which starts it. It
// reads its configuration from descriptor 4, and receives the sockets of its clients through
// descriptor 3. It is not meant to be run by people.

#include <curl/curl.h>
#include <netdb.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fetch/confine_fetching.h"
#include "fetch/serve.h"
#include "remote/fetch_config.h"

namespace {

constexpr int kControl = 3;
constexpr int kConfig = 4;
constexpr int kFailed = 2;

int Say(std::string_view what) {
  std::string text = "ggufgate-fetch: ";
  text += what;
  text += '\n';
  [[maybe_unused]] const ssize_t put = ::write(STDERR_FILENO, text.data(), text.size());
  return kFailed;
}

std::optional<std::string> ReadAll(int descriptor) {
  std::string text;
  std::array<char, 32'768> piece{};
  while (true) {
    const ssize_t got = ::read(descriptor, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
}

// Prepare makes libraries load their files before the process is confined.
bool Prepare() {
  if (::curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return false;
  addrinfo* found = nullptr;
  if (::getaddrinfo("localhost", nullptr, nullptr, &found) == 0) ::freeaddrinfo(found);
  return true;
}

}  // namespace

int main() try {
  const std::optional<std::string> text = ReadAll(kConfig);
  const std::optional<ggufgate::FetchConfig> config =
      text ? ggufgate::ReadFetchConfig(*text) : std::nullopt;
  if (!config || ::close(kConfig) != 0) {
    return Say("use 'ggufgate check https://…', which starts this program");
  }
  std::signal(SIGPIPE, SIG_IGN);
  if (!Prepare()) return Say("libcurl cannot start");
  if (const absl::Status confined = ggufgate::ConfineFetching(*config); !confined.ok()) {
    return Say(std::string(confined.message()));
  }
  ggufgate::Serve(*config, kControl);
  ::_exit(0);  // threads may be waiting for servers
} catch (const std::exception&) {
  return Say("out of memory");
}
