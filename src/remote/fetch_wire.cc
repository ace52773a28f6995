#include "remote/fetch_wire.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>

#include "bytes/byte_order.h"

namespace ggufgate {
namespace {

constexpr std::size_t kNumber = sizeof(std::uint64_t);

// WriteAll writes all bytes, even if the socket takes only a few at a time.
absl::Status WriteAll(int socket, Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(socket, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return absl::ErrnoToStatus(errno, "nobody listens");
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return absl::OkStatus();
}

// ReadAll fills `out` and returns the number of bytes that came before the end.
absl::StatusOr<std::size_t> ReadAll(int socket, MutableBytes out) {
  std::size_t had = 0;
  while (had < out.size()) {
    const ssize_t got = ::read(socket, out.subspan(had).data(), out.size() - had);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return absl::ErrnoToStatus(errno, "cannot receive");
    if (got == 0) break;
    had += static_cast<std::size_t>(got);
  }
  return had;
}

template <std::size_t count>
using Numbers = std::array<std::uint64_t, count>;

template <std::size_t count>
std::array<std::uint8_t, count * kNumber> BytesOf(const Numbers<count>& numbers) {
  std::array<std::uint8_t, count * kNumber> bytes{};
  for (std::size_t i = 0; i < count; ++i) {
    Store(numbers.at(i), ByteOrder::kLittle, MutableBytes(bytes).subspan(i * kNumber, kNumber));
  }
  return bytes;
}

std::uint64_t NumberAt(Bytes bytes, std::size_t index) {
  return Load<std::uint64_t>(bytes.subspan(index * kNumber), ByteOrder::kLittle);
}

constexpr std::size_t kRequestNumbers = 4;
constexpr std::size_t kHeadNumbers = 2;

void Append(std::vector<std::uint8_t>& bytes, Bytes more) {
  bytes.insert(bytes.end(), more.begin(), more.end());
}

bool TakeText(Bytes& rest, std::string& text) {
  if (rest.size() < kNumber) return false;
  const std::uint64_t size = NumberAt(rest, 0);
  rest = rest.subspan(kNumber);
  if (size > kLongestFact || size > rest.size()) return false;
  text = AsText(rest.first(size));
  rest = rest.subspan(size);
  return true;
}

}  // namespace

absl::Status SendRequest(int socket, const FetchRequest& request) {
  const auto bytes = BytesOf<kRequestNumbers>(
      {static_cast<std::uint64_t>(request.kind), request.file, request.begin, request.size});
  return WriteAll(socket, bytes);
}

absl::StatusOr<std::optional<FetchRequest>> ReceiveRequest(int socket) {
  std::array<std::uint8_t, kRequestNumbers * kNumber> bytes{};
  const absl::StatusOr<std::size_t> got = ReadAll(socket, bytes);
  if (!got.ok()) return got.status();
  if (*got == 0) return std::nullopt;
  const std::uint64_t kind = NumberAt(bytes, 0);
  const std::uint64_t file = NumberAt(bytes, 1);
  if (*got != bytes.size() || kind < static_cast<std::uint64_t>(FetchRequest::Kind::kBytes) ||
      kind > static_cast<std::uint64_t>(FetchRequest::Kind::kDone) || file > UINT32_MAX) {
    return absl::InvalidArgumentError("a worker requested bytes that do not exist");
  }
  return FetchRequest{.kind = static_cast<FetchRequest::Kind>(kind),
                      .file = static_cast<std::uint32_t>(file),
                      .begin = NumberAt(bytes, 2),
                      .size = NumberAt(bytes, 3)};
}

absl::Status SendAnswer(int socket, FetchAnswer kind, Bytes bytes) {
  const auto head = BytesOf<kHeadNumbers>({static_cast<std::uint64_t>(kind), bytes.size()});
  if (absl::Status sent = WriteAll(socket, head); !sent.ok()) return sent;
  return WriteAll(socket, bytes);
}

absl::StatusOr<FetchAnswer> ReceiveAnswer(int socket, std::vector<std::uint8_t>& bytes) {
  const absl::Status gone = absl::UnavailableError("ggufgate-fetch has stopped");
  std::array<std::uint8_t, kHeadNumbers * kNumber> head{};
  const absl::StatusOr<std::size_t> got = ReadAll(socket, head);
  if (!got.ok()) return got.status();
  if (*got != head.size()) return gone;
  const std::uint64_t kind = NumberAt(head, 0);
  const std::uint64_t size = NumberAt(head, 1);
  if (kind < static_cast<std::uint64_t>(FetchAnswer::kFacts) ||
      kind > static_cast<std::uint64_t>(FetchAnswer::kError) || size > kMostAnswerBytes) {
    return absl::DataLossError("ggufgate-fetch sent an invalid answer");
  }
  bytes.resize(size);
  const absl::StatusOr<std::size_t> body = ReadAll(socket, bytes);
  if (!body.ok()) return body.status();
  if (*body != size) return gone;
  return static_cast<FetchAnswer>(kind);
}

std::vector<std::uint8_t> WriteFacts(const RemoteFacts& facts) {
  std::vector<std::uint8_t> bytes;
  Append(bytes, BytesOf<3>({facts.size, facts.fetched, facts.requests}));
  for (const std::string* text : {&facts.entity, &facts.linked_entity, &facts.modified}) {
    const std::string_view kept = std::string_view(*text).substr(0, kLongestFact);
    Append(bytes, BytesOf<1>({kept.size()}));
    Append(bytes, AsBytes(kept));
  }
  return bytes;
}

std::optional<RemoteFacts> ReadFacts(Bytes bytes) {
  constexpr std::size_t kNumbers = 3;
  if (bytes.size() < kNumbers * kNumber) return std::nullopt;
  RemoteFacts facts{.size = NumberAt(bytes, 0),
                    .fetched = NumberAt(bytes, 1),
                    .requests = NumberAt(bytes, 2),
                    .entity = {},
                    .linked_entity = {},
                    .modified = {}};
  Bytes rest = bytes.subspan(kNumbers * kNumber);
  for (std::string* text : {&facts.entity, &facts.linked_entity, &facts.modified}) {
    if (!TakeText(rest, *text)) return std::nullopt;
  }
  if (!rest.empty()) return std::nullopt;
  return facts;
}

absl::Status SendError(int socket, const absl::Status& error) {
  const std::string text(error.message());
  return SendAnswer(socket, FetchAnswer::kError,
                    AsBytes(std::string_view(text).substr(0, kLongestError)));
}

absl::Status ErrorIn(Bytes bytes) {
  return absl::UnavailableError(
      std::string(AsText(bytes.first(std::min(bytes.size(), kLongestError)))));
}

}  // namespace ggufgate
