#include "fetch/exchange.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <exception>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "bytes/grouped.h"
#include "remote/host_address.h"
#include "remote/proxy.h"

namespace ggufgate {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kLeastRate = 1000;            // bytes a second, that a server must give
constexpr std::uint64_t kMostOtherBody = 256U << 10;  // of answers whose bytes nobody wants

struct FreeList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

bool IsBody(int status) { return status == 200 || status == 206; }

}  // namespace

// Transfer is one exchange, as libcurl's callbacks see it.
class Transfer {
 public:
  Transfer(const FetchConfig& config, const ExchangeWish& wish, const AnswerTaker& take_head,
           const ByteTaker& take_bytes)
      : config_(config), wish_(wish), take_head_(take_head), take_bytes_(take_bytes) {}

  bool Line(std::string_view line) {
    Came(0);
    // What comes behind the bytes says nothing of them any more.
    if ((head_taken_ ? trailer_ : result_.head).Take(line)) return true;
    return Stop(absl::FailedPreconditionError("the server sends headers without end"));
  }

  bool Body(Bytes bytes) {
    result_.bytes += bytes.size();
    const bool taken = IsBody(result_.head.status()) ? TakeBody(bytes) : PassOver();
    Came(bytes.size());  // what it took us is not the server's
    return taken;
  }

  // Waits is asked once a second or more often; false when the server has kept us too long.
  bool Waits() {
    const Clock::time_point now = Clock::now();
    const auto limit = std::chrono::seconds(config_.seconds);
    if (wish_.most_time.count() != 0 && now - begin_ > wish_.most_time) return Late();
    if (now - window_ <= limit) return true;
    if (window_bytes_ < kLeastRate * config_.seconds) return Late();
    window_ = now;
    window_bytes_ = 0;
    return true;
  }

  // Open is a new socket to an address that the name of the host has led to; -1: not to that.
  int Open(const curl_sockaddr& address) {
    if (!config_.allow_private && !via_proxy_ && !IsPublicAddress(address.addr, address.addrlen)) {
      refused_ = true;
      return -1;
    }
    return ::socket(address.family, address.socktype | SOCK_CLOEXEC, address.protocol);
  }

  // RunOut is said where memory has ended, and asks for none.
  void RunOut() { out_of_memory_ = true; }

  // Finish makes of what libcurl says how it ended.
  ExchangeResult Finish(CURLcode code, const char* words) {
    if (out_of_memory_ || code == CURLE_OUT_OF_MEMORY) {
      result_.status = absl::ResourceExhaustedError("out of memory");
      return std::move(result_);
    }
    if (stopped_.ok() && code == CURLE_OK && IsBody(result_.head.status())) {
      TakeHead();
      if (stopped_.ok() && left_ != 0) MissingBytes();
    }
    if (!stopped_.ok()) {
      result_.status = stopped_;
    } else if (code != CURLE_OK) {
      Fail(code, words);
    }
    return std::move(result_);
  }

  void GoesThroughProxy() { via_proxy_ = true; }

 private:
  bool Stop(absl::Status why) {
    stopped_ = std::move(why);
    return false;
  }

  bool Late() {
    result_.passing = true;
    return Stop(absl::DeadlineExceededError("the server is too slow, or has stopped sending"));
  }

  void Came(std::uint64_t bytes) {
    window_bytes_ += bytes;
    // Time that we took to digest them begins anew.
    if (Clock::now() - window_ > std::chrono::seconds(config_.seconds) &&
        window_bytes_ >= kLeastRate * config_.seconds) {
      window_ = Clock::now();
      window_bytes_ = 0;
    }
  }

  bool TakeHead() {
    if (head_taken_) return stopped_.ok();
    head_taken_ = true;
    const absl::StatusOr<std::uint64_t> size = take_head_(result_.head);
    if (!size.ok()) return Stop(size.status());
    left_ = *size;
    return true;
  }

  bool TakeBody(Bytes bytes) {
    if (!TakeHead()) return false;
    if (bytes.size() > left_) {
      return Stop(absl::FailedPreconditionError("more bytes came than the server announced"));
    }
    left_ -= bytes.size();
    const Clock::time_point before = Clock::now();
    if (absl::Status taken = take_bytes_(bytes); !taken.ok()) return Stop(std::move(taken));
    window_ += Clock::now() - before;
    begin_ += Clock::now() - before;
    return true;
  }

  bool PassOver() {
    if (result_.bytes <= kMostOtherBody) return true;
    return Stop(absl::FailedPreconditionError(
        absl::StrCat("the server answers ", result_.head.status(), " without end")));
  }

  void MissingBytes() {
    result_.passing = true;
    stopped_ = absl::DataLossError(
        absl::StrCat("the answer ended early: ", Grouped(left_), " bytes of it are missing"));
  }

  void Fail(CURLcode code, const char* words) {
    constexpr std::array kPassing = {CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT,
                                     CURLE_PARTIAL_FILE,         CURLE_OPERATION_TIMEDOUT,
                                     CURLE_SEND_ERROR,           CURLE_RECV_ERROR,
                                     CURLE_GOT_NOTHING,          CURLE_HTTP2,
                                     CURLE_HTTP2_STREAM,         CURLE_SSL_CONNECT_ERROR};
    if (refused_) {
      result_.status = absl::PermissionDeniedError(absl::StrCat(
          "the address of ", wish_.address.host,
          " is one of this machine or of a private network (--allow-private allows it)"));
      return;
    }
    result_.passing = std::ranges::find(kPassing, code) != kPassing.end();
    result_.status = absl::UnavailableError(
        absl::StrCat("cannot fetch it: ", *words == '\0' ? curl_easy_strerror(code) : words));
  }

  const FetchConfig& config_;
  const ExchangeWish& wish_;
  const AnswerTaker& take_head_;
  const ByteTaker& take_bytes_;
  ExchangeResult result_;
  AnswerHead trailer_;
  absl::Status stopped_;
  bool out_of_memory_ = false;
  bool head_taken_ = false;
  bool refused_ = false;
  bool via_proxy_ = false;
  std::uint64_t left_ = 0;  // bytes that must still come
  Clock::time_point begin_ = Clock::now();
  Clock::time_point window_ = begin_;
  std::uint64_t window_bytes_ = 0;
};

namespace {

// Asked asks a transfer. Nothing may be thrown through libcurl: its handle would stay in the middle
// of a transfer, and be taken down there.
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

int OnProgress(void* transfer, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  return Asked(transfer, [](Transfer& asked) { return asked.Waits(); }) ? 0 : 1;
}

curl_socket_t OnOpen(void* transfer, curlsocktype /*purpose*/, curl_sockaddr* address) {
  const int opened = static_cast<Transfer*>(transfer)->Open(*address);
  return opened < 0 ? CURL_SOCKET_BAD : opened;
}

using Lines = std::unique_ptr<curl_slist, FreeList>;

// LinesFor are lines of our own for the request; null without memory.
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
  // Without one of them, whom we trust or whom we talk to would be another.
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
  // A libcurl that has no HTTP/2 goes without.
  curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  set(CURLOPT_BUFFERSIZE, 256L << 10);
  set(CURLOPT_MAXCONNECTS, 4L);
  set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(config_.seconds));
  set(CURLOPT_USERAGENT, "ggufgate/" GGUFGATE_VERSION);
  if (!config_.authorities.empty()) {
    set(CURLOPT_CAINFO, config_.authorities.c_str());
    set(CURLOPT_CAPATH, static_cast<char*>(nullptr));
  }
  // Chosen by us and not by libcurl: whose addresses are looked at hangs on it.
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
  Transfer transfer(config_, wish, take_head, take_bytes);
  const Lines lines = LinesFor(wish);
  std::array<char, CURL_ERROR_SIZE> words{};
  if (lines == nullptr || !SetUp(wish, transfer) ||
      curl_easy_setopt(handle_.get(), CURLOPT_HTTPHEADER, lines.get()) != CURLE_OK ||
      curl_easy_setopt(handle_.get(), CURLOPT_ERRORBUFFER, words.data()) != CURLE_OK) {
    refused.status = absl::ResourceExhaustedError(
        "libcurl cannot be set up for it: out of memory, or it lacks a feature");
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
