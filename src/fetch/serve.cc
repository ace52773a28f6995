#include "fetch/serve.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <deque>
#include <exception>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "fetch/exchange.h"
#include "fetch/fetched_file.h"
#include "gate/reading/descriptor.h"
#include "gate/remote/passed_socket.h"
#include "remote/fetch_wire.h"

namespace ggufgate {
namespace {

using Files = std::deque<FetchedFile>;

absl::Status Gone(const absl::Status& sent) {
  return sent.ok() ? sent : absl::CancelledError("the worker has stopped");
}

absl::Status SendFacts(int judge, const RemoteFacts& facts) {
  return Gone(SendAnswer(judge, FetchAnswer::kFacts, WriteFacts(facts)));
}

absl::Status SendData(int judge, Bytes bytes) {
  while (!bytes.empty()) {
    const Bytes piece = bytes.first(std::min(bytes.size(), kMostAnswerBytes));
    if (absl::Status sent = Gone(SendAnswer(judge, FetchAnswer::kData, piece)); !sent.ok()) {
      return sent;
    }
    bytes = bytes.subspan(piece.size());
  }
  return absl::OkStatus();
}

absl::Status AnswerBytes(int judge, const FetchRequest& request, FetchedFile& file,
                         Exchanger& exchanger) {
  std::vector<std::uint8_t> bytes;
  if (absl::Status read = file.Read(exchanger, request.begin, request.size, bytes); !read.ok()) {
    return read;
  }
  if (absl::Status sent = SendFacts(judge, file.Facts()); !sent.ok()) return sent;
  if (absl::Status sent = SendData(judge, bytes); !sent.ok()) return sent;
  return SendFacts(judge, file.Facts());
}

absl::Status AnswerStream(int judge, FetchedFile& file, Exchanger& exchanger) {
  const absl::Status streamed = file.Stream(
      exchanger, [judge](const RemoteFacts& facts) { return SendFacts(judge, facts); },
      [judge](Bytes bytes) { return SendData(judge, bytes); });
  return streamed.ok() ? SendFacts(judge, file.Facts()) : streamed;
}

absl::Status Answer(int judge, const FetchRequest& request, Files& files, Exchanger& exchanger) {
  if (request.file >= files.size()) {
    return absl::InvalidArgumentError("a worker requested a file that does not exist");
  }
  FetchedFile& file = files.at(request.file);
  switch (request.kind) {
    case FetchRequest::Kind::kBytes:
      return AnswerBytes(judge, request, file, exchanger);
    case FetchRequest::Kind::kStream:
      return AnswerStream(judge, file, exchanger);
    case FetchRequest::Kind::kDone:
      file.Done();
      return absl::OkStatus();
  }
  return absl::OkStatus();
}

void ServeJudge(const Descriptor& judge, Files& files, const FetchConfig& config) try {
  Exchanger exchanger(config);
  while (true) {
    const absl::StatusOr<std::optional<FetchRequest>> request = ReceiveRequest(judge.get());
    if (!request.ok() || !*request) return;
    const absl::Status answered = Answer(judge.get(), **request, files, exchanger);
    if (answered.ok()) continue;
    if (absl::IsCancelled(answered) || !SendError(judge.get(), answered).ok()) return;
  }
} catch (const std::exception&) {
  // Out of memory: the client sees the end of the socket, and its file is undecided.
}

}  // namespace

void Serve(const FetchConfig& config, int control) {
  // The threads outlive this function until the process ends, so their data must, too.
  auto& kept = *new std::atomic<std::uint64_t>(0);
  auto& files = *new Files;
  for (const std::string& url : config.urls) files.emplace_back(url, config, kept);
  while (std::optional<Descriptor> judge = ReceiveSocket(control)) {
    try {
      std::thread([socket = *std::move(judge), &files, &config] {
        ServeJudge(socket, files, config);
      }).detach();
    } catch (const std::exception&) {
      // No more threads: this client sees the end of its socket; the others continue.
    }
  }
}

}  // namespace ggufgate
