#include "fetch/transfer.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/str_cat.h"
#include "bytes/grouped.h"
#include "fetch/behind_answer.h"
#include "remote/host_address.h"

namespace ggufgate {
namespace {

constexpr std::uint64_t kLeastRate = 1000;            // minimum bytes per second of a server
constexpr std::uint64_t kMostOtherBody = 256U << 10;  // of answers whose bytes are not used

bool IsBody(int status) { return status == 200 || status == 206; }

}  // namespace

bool Transfer::Line(std::string_view line) {
  Came(0);
  // Trailers after the bytes do not describe them.
  if ((head_taken_ ? trailer_ : result_.head).Take(line)) return true;
  return Stop(absl::FailedPreconditionError("the server sends too many headers"));
}

bool Transfer::Body(Bytes bytes) {
  result_.bytes += bytes.size();
  const bool taken = IsBody(result_.head.status()) ? TakeBody(bytes) : PassOver();
  Came(bytes.size());  // the time that the check took does not count
  return taken;
}

bool Transfer::Waits() {
  const Clock::time_point now = Clock::now();
  const auto limit = std::chrono::seconds(config_.seconds);
  if (wish_.most_time.count() != 0 && now - begin_ > wish_.most_time) return Late();
  if (now - window_ <= limit) return true;
  if (window_bytes_ < kLeastRate * config_.seconds) return Late();
  window_ = now;
  window_bytes_ = 0;
  return true;
}

int Transfer::Open(const curl_sockaddr& address) {
  if (!config_.allow_private && !via_proxy_ && !IsPublicAddress(address.addr, address.addrlen)) {
    refused_ = true;
    return -1;
  }
  socket_ = ::socket(address.family, address.socktype | SOCK_CLOEXEC, address.protocol);
  return socket_;
}

ExchangeResult Transfer::Finish(CURLcode code, const char* words) {
  if (out_of_memory_ || code == CURLE_OUT_OF_MEMORY) {
    result_.status = absl::ResourceExhaustedError("out of memory");
    return std::move(result_);
  }
  if (stopped_.ok() && code == CURLE_OK && IsBody(result_.head.status())) {
    TakeHead();
    if (stopped_.ok() && left_ != 0) MissingBytes();
    if (stopped_.ok() && SaysItsLength() &&
        (received_ > result_.bytes || WaitsBehind(handle_, wish_.address.IsSecure()))) {
      TooManyBytes();
    }
  }
  if (!stopped_.ok()) {
    result_.status = stopped_;
  } else if (code != CURLE_OK) {
    Fail(code, words);
  }
  return std::move(result_);
}

bool Transfer::Stop(absl::Status why) {
  stopped_ = std::move(why);
  return false;
}

bool Transfer::Late() {
  result_.passing = true;
  return Stop(absl::DeadlineExceededError("the server is too slow or has stopped"));
}

void Transfer::Came(std::uint64_t bytes) {
  window_bytes_ += bytes;
  // The time for handling the bytes does not count.
  if (Clock::now() - window_ > std::chrono::seconds(config_.seconds) &&
      window_bytes_ >= kLeastRate * config_.seconds) {
    window_ = Clock::now();
    window_bytes_ = 0;
  }
}

bool Transfer::TakeHead() {
  if (head_taken_) return stopped_.ok();
  head_taken_ = true;
  const absl::StatusOr<std::uint64_t> size = take_head_(result_.head);
  if (!size.ok()) return Stop(size.status());
  left_ = *size;
  return true;
}

bool Transfer::TakeBody(Bytes bytes) {
  if (!TakeHead()) return false;
  if (bytes.size() > left_) return TooManyBytes();
  left_ -= bytes.size();
  if (left_ == 0 && SaysItsLength() && IsMoreHere()) return TooManyBytes();
  const Clock::time_point before = Clock::now();
  if (absl::Status taken = take_bytes_(bytes); !taken.ok()) return Stop(std::move(taken));
  window_ += Clock::now() - before;
  begin_ += Clock::now() - before;
  return true;
}

bool Transfer::PassOver() {
  if (result_.bytes <= kMostOtherBody) return true;
  return Stop(absl::FailedPreconditionError(
      absl::StrCat("the server answers ", result_.head.status(), " without end")));
}

void Transfer::MissingBytes() {
  result_.passing = true;
  stopped_ = absl::DataLossError(
      absl::StrCat("the answer ended early: ", Grouped(left_), " bytes of it are missing"));
}

// SaysItsLength tells whether libcurl ends the answer at an announced length. A chunked answer, or
// one that ends with its connection, cannot have bytes after it.
bool Transfer::SaysItsLength() const {
  return !result_.head.Field("content-length").empty() &&
         result_.head.Field("transfer-encoding").empty();
}

bool Transfer::IsMoreHere() const {
  return wish_.address.IsSecure() ? IsOpenedBehind(handle_) : WaitsInSocket(handle_, socket_);
}

bool Transfer::TooManyBytes() {
  return Stop(absl::FailedPreconditionError("the server sent more bytes than it announced"));
}

// MetOldBytes tells whether a reused connection had bytes after its previous answer, which came too
// late to be detected then. libcurl reads them as the next answer, finds no HTTP and closes the
// connection.
bool Transfer::MetOldBytes(CURLcode code) const {
  long opened = 0;
  return (code == CURLE_UNSUPPORTED_PROTOCOL || code == CURLE_WEIRD_SERVER_REPLY) &&
         curl_easy_getinfo(handle_, CURLINFO_NUM_CONNECTS, &opened) == CURLE_OK && opened == 0;
}

void Transfer::Fail(CURLcode code, const char* words) {
  constexpr std::array kPassing = {
      CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
      CURLE_PARTIAL_FILE,         CURLE_OPERATION_TIMEDOUT,    CURLE_SEND_ERROR,
      CURLE_RECV_ERROR,           CURLE_GOT_NOTHING,           CURLE_HTTP2,
      CURLE_HTTP2_STREAM,         CURLE_SSL_CONNECT_ERROR};
  if (refused_) {
    result_.status = absl::PermissionDeniedError(
        absl::StrCat("the address of ", wish_.address.host,
                     " is on this machine or in a private network (--allow-private allows it)"));
    return;
  }
  result_.passing = std::ranges::find(kPassing, code) != kPassing.end() || MetOldBytes(code);
  if (code == CURLE_COULDNT_RESOLVE_HOST) {
    result_.status =
        absl::UnavailableError(absl::StrCat("host ", wish_.address.host, " was not found"));
    return;
  }
  result_.status = absl::UnavailableError(
      absl::StrCat("cannot fetch it: ", *words == '\0' ? curl_easy_strerror(code) : words));
}

}  // namespace ggufgate
