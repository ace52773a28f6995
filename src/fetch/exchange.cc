#include "fetch/exchange.h"

#include <array>
#include <exception>
#include <vector>

#include "absl/strings/str_cat.h"
#include "fetch/transfer.h"
#include "remote/host_address.h"
#include "remote/proxy.h"

namespace ggufgate {
namespace {

struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

// Asked calls a function of a transfer and catches exceptions. An exception through libcurl would
// leave its handle in the middle of a transfer.
template <typename Question>
bool Asked(void* transfer, const Question& question) noexcept {
  auto& asked = *static_cast<Transfer*>(transfer);
  try {
    return question(asked);
  } catch (const std::exception&) {
    asked.RunOut();
    return false;
  }
}

std::size_t OnLine(char* line, std::size_t size, std::size_t count, void* transfer) {
  const std::string_view text(line, size * count);
  const bool taken = Asked(transfer, [text](Transfer& asked) { return asked.Line(text); });
  return taken ? text.size() : 0;
}

std::size_t OnBody(char* body, std::size_t size, std::size_t count, void* transfer) {
  const Bytes bytes = AsBytes(std::string_view(body, size * count));
  const bool taken = Asked(transfer, [bytes](Transfer& asked) { return asked.Body(bytes); });
  return taken ? bytes.size() : bytes.size() + 1;  // any other number is an error
}

int OnReceived(CURL* /*handle*/, curl_infotype what, char* /*bytes*/, std::size_t size,
               void* transfer) {
  if (what == CURLINFO_DATA_IN) static_cast<Transfer*>(transfer)->Received(size);
  return 0;
}

int OnProgress(void* transfer, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return Asked(transfer, [](Transfer& asked) { return asked.Waits(); }) ? 0 : 1;
}

curl_socket_t OnOpen(void* transfer, curlsocktype /*purpose*/, curl_sockaddr* address) {
  const int opened = static_cast<Transfer*>(transfer)->Open(*address);
  return opened < 0 ? CURL_SOCKET_BAD : opened;
}

using Lines = std::unique_ptr<curl_slist, FreeList>;

// LinesFor returns the additional header lines of the request, or null if memory runs out.
Lines LinesFor(const ExchangeWish& wish) {
  std::vector<std::string> texts = {"Accept: */*", "Accept-Encoding: identity"};
  if (!wish.validator.empty()) texts.push_back(absl::StrCat("If-Range: ", wish.validator));
  Lines lines;
  for (const std::string& text : texts) {
    curl_slist* const longer = curl_slist_append(lines.get(), text.c_str());
    if (longer == nullptr) return nullptr;
    if (lines == nullptr) lines.reset(longer);
  }
  return lines;
}

std::string RangeOf(const WantedBytes& wanted) {
  return absl::StrCat(wanted.begin, "-", wanted.end - 1);
}

}  // namespace

Exchanger::Exchanger(const FetchConfig& config) : config_(config), handle_(curl_easy_init()) {}

bool Exchanger::SetUp(const ExchangeWish& wish, Transfer& transfer) {
  CURL* const handle = handle_.get();
  curl_easy_reset(handle);
  bool taken = true;
  // Without one of these options, the connection could trust another certificate or reach another
  // host.
  const auto set = [handle, &taken](CURLoption option, auto value) {
    taken = curl_easy_setopt(handle, option, value) == CURLE_OK && taken;
  };
  const std::string url = wish.address.Text();
  set(CURLOPT_URL, url.c_str());
  set(CURLOPT_PROTOCOLS_STR, config_.allow_http ? "https,http" : "https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
  set(CURLOPT_PATH_AS_IS, 1L);
  set(CURLOPT_HTTP_CONTENT_DECODING, 0L);
  // If libcurl lacks HTTP/2, it uses HTTP/1.
  curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  // An error here does not affect security. libcurl 7.88 rejects a size (error 43) if the previous
  // transfer ended early, for example in a failed look-up: its buffer still exists.
  curl_easy_setopt(handle, CURLOPT_BUFFERSIZE, 256L << 10);
  set(CURLOPT_MAXCONNECTS, 4L);
  set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(config_.seconds));
  set(CURLOPT_USERAGENT, "ggufgate/" GGUFGATE_VERSION);
  if (!config_.authorities.empty()) {
    set(CURLOPT_CAINFO, config_.authorities.c_str());
    set(CURLOPT_CAPATH, static_cast<char*>(nullptr));
  }
  // Chosen here and not by libcurl, because the proxy decides which addresses are checked.
  const std::string proxy = ProxyFor(wish.address, config_.proxies);
  set(CURLOPT_PROXY, proxy.c_str());
  set(CURLOPT_NOPROXY, "");
  set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  if (!proxy.empty()) transfer.GoesThroughProxy();
  set(CURLOPT_OPENSOCKETFUNCTION, &OnOpen);
  set(CURLOPT_OPENSOCKETDATA, &transfer);
  set(CURLOPT_HEADERFUNCTION, &OnLine);
  set(CURLOPT_HEADERDATA, &transfer);
  set(CURLOPT_WRITEFUNCTION, &OnBody);
  set(CURLOPT_WRITEDATA, &transfer);
  set(CURLOPT_VERBOSE, 1L);  // calls only OnReceived
  set(CURLOPT_DEBUGFUNCTION, &OnReceived);
  set(CURLOPT_DEBUGDATA, &transfer);
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFOFUNCTION, &OnProgress);
  set(CURLOPT_XFERINFODATA, &transfer);
  if (!wish.wanted.whole) set(CURLOPT_RANGE, RangeOf(wish.wanted).c_str());
  const bool may_tell = wish.credentials && wish.address.IsSecure();
  if (may_tell && wish.address.Origin() == config_.token_origin && !config_.token.empty()) {
    set(CURLOPT_HTTPAUTH, CURLAUTH_BEARER);
    set(CURLOPT_XOAUTH2_BEARER, config_.token.c_str());
  } else if (may_tell && !config_.netrc.empty()) {
    set(CURLOPT_NETRC, static_cast<long>(CURL_NETRC_OPTIONAL));
    set(CURLOPT_NETRC_FILE, config_.netrc.c_str());
  }
  return taken;
}

ExchangeResult Exchanger::Run(const ExchangeWish& wish, const AnswerTaker& take_head,
                              const ByteTaker& take_bytes) {
  ExchangeResult refused;
  if (handle_ == nullptr) {
    refused.status = absl::ResourceExhaustedError("out of memory");
    return refused;
  }
  if (!config_.allow_private && !IsPublicHost(wish.address.host)) {
    refused.status = absl::PermissionDeniedError(absl::StrCat(
        wish.address.host, " is this machine or in a private network (--allow-private allows it)"));
    return refused;
  }
  Transfer transfer(handle_.get(), config_, wish, take_head, take_bytes);
  const Lines lines = LinesFor(wish);
  std::array<char, CURL_ERROR_SIZE> words{};
  if (lines == nullptr || !SetUp(wish, transfer) ||
      curl_easy_setopt(handle_.get(), CURLOPT_HTTPHEADER, lines.get()) != CURLE_OK ||
      curl_easy_setopt(handle_.get(), CURLOPT_ERRORBUFFER, words.data()) != CURLE_OK) {
    refused.status = absl::ResourceExhaustedError(
        "cannot set up libcurl: memory is missing, or libcurl lacks a feature");
    return refused;
  }
  const CURLcode code = curl_easy_perform(handle_.get());
  ExchangeResult result = transfer.Finish(code, words.data());
  const char* moved_to = nullptr;
  if (curl_easy_getinfo(handle_.get(), CURLINFO_REDIRECT_URL, &moved_to) == CURLE_OK &&
      moved_to != nullptr) {
    result.moved_to = moved_to;
  }
  return result;
}

}  // namespace ggufgate
