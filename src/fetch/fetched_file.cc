#include "fetch/fetched_file.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "bytes/grouped.h"

namespace ggufgate {
namespace {

constexpr int kMostRedirects = 5;
constexpr int kMostTries = 4;
constexpr std::uint64_t kMuch = std::uint64_t{4}
                                << 20;   // minimum number of bytes of a successful try
constexpr std::uint64_t kMostWait = 60;  // maximum delay that a server may request, in seconds
// Adjacent pieces of the front overlap by this many bytes, which are compared.
constexpr std::uint64_t kOverlap = 256;
constexpr std::uint64_t kStreamFront = std::uint64_t{768} << 10;  // bytes kept of a stream
constexpr std::uint64_t kLeastSpeed = 32U << 10;  // bytes per second, on average over a piece

bool IsRedirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

bool IsPassing(int status) {
  return status == 408 || status == 429 || status == 500 || status == 502 || status == 503 ||
         status == 504;
}

// StatusFor returns the error for an answer without usable bytes.
absl::Status StatusFor(int status) {
  switch (status) {
    case 401:
    case 403:
      return absl::PermissionDeniedError(absl::StrCat("the server denies access (", status,
                                                      "); it may need HF_TOKEN or a netrc file"));
    case 404:
    case 410:
      return absl::NotFoundError(absl::StrCat("the server has no such file (", status, ")"));
    default:
      return absl::UnavailableError(absl::StrCat("the server answers ", status));
  }
}

// Backoff waits before try number `tries`: about half a second, doubled each time. The random part
// spreads the retries of many clients.
void Backoff(int tries, std::uint64_t asked_seconds) {
  thread_local std::minstd_rand random{std::random_device{}()};
  constexpr std::uint64_t kFirst = 400;  // ms
  const std::uint64_t most = kFirst << static_cast<unsigned>(tries);
  std::uniform_int_distribution<std::uint64_t> jitter(most / 2, most);
  const auto own = std::chrono::milliseconds(jitter(random));
  std::this_thread::sleep_for(
      std::max<std::chrono::milliseconds>(own, std::chrono::seconds(asked_seconds)));
}

}  // namespace

FetchedFile::FetchedFile(std::string url, const FetchConfig& config,
                         std::atomic<std::uint64_t>& kept)
    : config_(config), url_(std::move(url)), kept_(kept) {}

RemoteFacts FetchedFile::Facts() const {
  const std::scoped_lock lock(mutex_);
  return FactsNow();
}

RemoteFacts FetchedFile::FactsNow() const {
  return {.size = pin_.size.value_or(0),
          .fetched = fetched_,
          .requests = requests_,
          .entity = pin_.entity,
          .linked_entity = pin_.linked_entity,
          .modified = pin_.modified};
}

void FetchedFile::Done() {
  const std::scoped_lock lock(mutex_);
  if (++done_ >= config_.judges) Forget();
}

void FetchedFile::Forget() {
  kept_ -= front_.size();
  std::vector<std::uint8_t>().swap(front_);
}

absl::Status FetchedFile::Read(Exchanger& exchanger, std::uint64_t begin, std::uint64_t size,
                               std::vector<std::uint8_t>& out) {
  const std::scoped_lock lock(mutex_);
  out.clear();
  if (size == 0 || size > kMostKept || begin > UINT64_MAX - size) {
    return absl::InvalidArgumentError("a worker requested bytes that cannot exist");
  }
  std::uint64_t end = begin + size;
  if (pin_.size) end = std::min(end, *pin_.size);
  if (begin <= front_.size() && end <= kMostKept) {
    if (end > front_.size()) {
      if (absl::Status more = ExtendFront(exchanger, end); !more.ok()) return more;
    }
    if (!failed_.ok()) return failed_;
    const std::uint64_t from = std::min<std::uint64_t>(begin, front_.size());
    const std::uint64_t to = std::min<std::uint64_t>(end, front_.size());
    const Bytes piece = Bytes(front_).subspan(from, std::max(to, from) - from);
    out.assign(piece.begin(), piece.end());
    // Limits memory for processes that never say that they are done.
    if (kept_ > kMostKept) Forget();
    return absl::OkStatus();
  }
  if (begin >= end) return absl::OkStatus();
  return Fetch(
      exchanger, {.begin = begin, .end = end}, [] { return absl::OkStatus(); },
      [&out](Bytes bytes) {
        out.insert(out.end(), bytes.begin(), bytes.end());
        return absl::OkStatus();
      });
}

absl::Status FetchedFile::ExtendFront(Exchanger& exchanger, std::uint64_t end) {
  const std::uint64_t begin = front_.size() - std::min<std::uint64_t>(front_.size(), kOverlap);
  std::uint64_t at = begin;
  return Fetch(
      exchanger, {.begin = begin, .end = end}, [] { return absl::OkStatus(); },
      [&](Bytes bytes) {
        absl::Status appended = Append(bytes, at, kMostKept);
        at += bytes.size();
        return appended;
      });
}

absl::Status FetchedFile::Append(Bytes bytes, std::uint64_t at, std::uint64_t most) {
  if (at > front_.size()) return absl::OkStatus();
  const std::uint64_t known = std::min<std::uint64_t>(front_.size() - at, bytes.size());
  if (!std::ranges::equal(bytes.first(known), Bytes(front_).subspan(at, known))) {
    return absl::AbortedError("the file changed while it was fetched: its bytes differ");
  }
  const std::uint64_t room = most - std::min<std::uint64_t>(front_.size(), most);
  const Bytes more = bytes.subspan(known).first(std::min(room, bytes.size() - known));
  front_.insert(front_.end(), more.begin(), more.end());
  kept_ += more.size();
  return absl::OkStatus();
}

absl::Status FetchedFile::Stream(Exchanger& exchanger, const FactsTaker& begin,
                                 const ByteTaker& take) {
  const std::scoped_lock lock(mutex_);
  bool begun = false;
  std::uint64_t at = 0;
  return Fetch(
      exchanger, {.whole = true},
      [&] { return std::exchange(begun, true) ? absl::OkStatus() : begin(FactsNow()); },
      [&](Bytes bytes) {
        // Later readers of the front get it from here.
        if (absl::Status same = Append(bytes, at, kStreamFront); !same.ok()) return same;
        at += bytes.size();
        return take(bytes);
      });
}

absl::Status FetchedFile::Fetch(Exchanger& exchanger, WantedBytes wanted, const Beginner& begin,
                                const ByteTaker& take) {
  if (!failed_.ok()) return failed_;
  for (int tries = 1;; ++tries) {
    const std::uint64_t had = wanted.begin;
    Try tried = Follow(exchanger, wanted, begin, take);
    if (tried.status.ok() || absl::IsCancelled(tried.status)) return tried.status;
    if (tried.passing && !wanted.whole &&
        wanted.begin == std::min(wanted.end, pin_.size.value_or(wanted.end))) {
      return absl::OkStatus();  // it broke off after the last byte
    }
    if (wanted.begin - had >= kMuch) tries = 1;  // bytes do come, but in pieces
    if (!tried.passing || tries == kMostTries) {
      failed_ = tried.status;
      return failed_;
    }
    if (tried.wait_seconds > kMostWait) {
      failed_ = absl::UnavailableError(absl::StrCat("the server is busy; try again in ",
                                                    Grouped(tried.wait_seconds),
                                                    " seconds (Retry-After)"));
      return failed_;
    }
    Backoff(tries, tried.wait_seconds);
  }
}

FetchedFile::Try FetchedFile::Follow(Exchanger& exchanger, WantedBytes& wanted,
                                     const Beginner& begin, const ByteTaker& take) {
  Try tried = Once(exchanger, wanted, begin, take);
  // The target of a redirect may be valid for a limited time only.
  const bool stale = absl::IsPermissionDenied(tried.status) || absl::IsNotFound(tried.status);
  if (!stale || moved_to_.empty()) return tried;
  moved_to_.clear();
  return Once(exchanger, wanted, begin, take);
}

absl::Status FetchedFile::MoveTo(const ExchangeResult& result, Address& address) {
  if (absl::Status linked = PinLinked(result.head, pin_); !linked.ok()) return linked;
  absl::StatusOr<Address> next = ParseAddress(result.moved_to);
  if (!next.ok()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the server redirects to an invalid address: ", std::string(next.status().message())));
  }
  if (!next->IsSecure() && !config_.allow_http) {
    return absl::FailedPreconditionError(
        "the server redirects to an address without encryption (--allow-http allows it)");
  }
  address = *std::move(next);
  return absl::OkStatus();
}

FetchedFile::Try FetchedFile::Once(Exchanger& exchanger, WantedBytes& wanted, const Beginner& begin,
                                   const ByteTaker& take) {
  absl::StatusOr<Address> address = ParseAddress(moved_to_.empty() ? url_ : moved_to_);
  const absl::StatusOr<Address> named = ParseAddress(url_);
  if (!address.ok()) return {.status = address.status()};
  if (!named.ok()) return {.status = named.status()};
  if (!address->IsSecure() && !config_.allow_http) {
    return {.status = absl::FailedPreconditionError(
                "the address is http, without encryption (--allow-http allows it)")};
  }
  const AnswerTaker take_head = [&](const AnswerHead& head) -> absl::StatusOr<std::uint64_t> {
    const absl::StatusOr<std::uint64_t> size = TakeAnswer(wanted, head, pin_);
    if (!size.ok()) return size.status();
    if (absl::Status begun = begin(); !begun.ok()) return begun;
    return *size;
  };
  const ByteTaker count = [&](Bytes bytes) {
    // After an interruption, the transfer continues after these bytes, with a range.
    if (absl::Status taken = take(bytes); !taken.ok()) return taken;
    if (wanted.whole) wanted = {.begin = 0, .end = *pin_.size};
    wanted.begin += bytes.size();
    return absl::OkStatus();
  };
  for (int hops = 0; hops <= kMostRedirects; ++hops) {
    if (++requests_ > kMostRequests) {
      return {.status = absl::ResourceExhaustedError(
                  absl::StrCat("it takes more than ", kMostRequests, " requests"))};
    }
    const auto most_time =
        wanted.whole
            ? std::chrono::seconds()
            : std::chrono::seconds(4 * config_.seconds + (wanted.end - wanted.begin) / kLeastSpeed);
    ExchangeResult result = exchanger.Run({.address = *address,
                                           .wanted = wanted,
                                           .validator = wanted.whole ? "" : pin_.Validator(),
                                           .credentials = address->Origin() == named->Origin(),
                                           .most_time = most_time},
                                          take_head, count);
    fetched_ += result.bytes;
    if (!result.status.ok()) return {.status = result.status, .passing = result.passing};
    const int status = result.head.status();
    if (status == 200 || status == 206) {
      if (hops > 0) moved_to_ = address->Text();
      return {};
    }
    if (status == 416) {
      const absl::StatusOr<std::uint64_t> empty = take_head(result.head);
      return {.status = empty.status()};
    }
    if (!IsRedirect(status)) {
      return {.status = StatusFor(status),
              .passing = IsPassing(status),
              .wait_seconds = ParseSize(result.head.Field("retry-after")).value_or(0)};
    }
    if (absl::Status moved = MoveTo(result, *address); !moved.ok()) return {.status = moved};
  }
  return {.status = absl::FailedPreconditionError("the server redirects too often")};
}

}  // namespace ggufgate
