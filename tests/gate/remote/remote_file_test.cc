// The handling of messages from the fetching process, which may send anything.

#include "gate/remote/remote_file.h"

#include <gmock/gmock.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <functional>
#include <numeric>
#include <thread>
#include <tuple>
#include <vector>

#include "gate/reading/descriptor.h"
#include "gate/remote/channel_pool.h"
#include "gate/remote/judge_remote.h"
#include "gate/remote/remote_source.h"
#include "parse/model.h"

namespace ggufgate {
namespace {

using ::testing::HasSubstr;

using Answer = std::function<void(int socket, const FetchRequest& request)>;

// FakeFetcher answers each request with a given function.
class FakeFetcher {
 public:
  explicit FakeFetcher(Answer answer) {
    std::signal(SIGPIPE, SIG_IGN);  // as in the checking processes
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
    judge_ = Descriptor(ends[0]);
    thread_ = std::thread([its = Descriptor(ends[1]), answers = std::move(answer)] {
      while (true) {
        const auto request = ReceiveRequest(its.get());
        if (!request.ok() || !*request) return;
        if ((*request)->kind != FetchRequest::Kind::kDone) answers(its.get(), **request);
      }
    });
  }
  FakeFetcher(const FakeFetcher&) = delete;
  FakeFetcher& operator=(const FakeFetcher&) = delete;
  ~FakeFetcher() {
    if (judge_.valid()) ::shutdown(judge_.get(), SHUT_RDWR);
    thread_.join();
  }
  [[nodiscard]] int socket() const { return judge_.get(); }
  [[nodiscard]] int Release() {
    const int socket = ::dup(judge_.get());
    return socket;
  }

 private:
  Descriptor judge_;
  std::thread thread_;
};

// A reader that needs no more bytes may be gone.
void Send(int socket, FetchAnswer kind, Bytes bytes) {
  std::ignore = SendAnswer(socket, kind, bytes);
}
void SendFacts(int socket, std::uint64_t size) {
  RemoteFacts facts;
  facts.size = size;
  Send(socket, FetchAnswer::kFacts, WriteFacts(facts));
}

// Correct answers for a file.
Answer From(std::vector<std::uint8_t> bytes) {
  return [file = std::move(bytes)](int socket, const FetchRequest& request) {
    const bool all = request.kind == FetchRequest::Kind::kStream;
    const std::uint64_t begin = all ? 0 : std::min<std::uint64_t>(request.begin, file.size());
    const std::uint64_t size =
        all ? file.size() : std::min<std::uint64_t>(request.size, file.size() - begin);
    SendFacts(socket, file.size());
    Send(socket, FetchAnswer::kData, Bytes(file).subspan(begin, size));
    SendFacts(socket, file.size());
  };
}

std::vector<std::uint8_t> SomeBytes(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  return bytes;
}

TEST(RemoteFile, GivesTheBytesThatWereAskedFor) {
  const FakeFetcher fetcher(From(SomeBytes(100)));
  RemoteFile file(fetcher.socket(), 0);
  EXPECT_EQ(file.Open(10).value(), SomeBytes(10));
  EXPECT_EQ(file.facts().size, 100U);
  std::vector<std::uint8_t> out(5);
  ASSERT_TRUE(file.Read(95, out).ok());
  EXPECT_EQ(out.front(), 95);
  EXPECT_TRUE(file.at_rest());
}

TEST(RemoteFile, AShortFileIsOpenedWhole) {
  const FakeFetcher fetcher(From(SomeBytes(7)));
  RemoteFile file(fetcher.socket(), 0);
  EXPECT_EQ(file.Open(10).value(), SomeBytes(7));
}

TEST(RemoteFile, StreamsEndWhereTheFileDoes) {
  const FakeFetcher fetcher(From(SomeBytes(100)));
  RemoteFile file(fetcher.socket(), 0);
  ASSERT_TRUE(file.StartStream().ok());
  std::vector<std::uint8_t> all;
  std::array<std::uint8_t, 33> piece{};
  while (const std::size_t got = file.TakeStream(piece).value()) {
    all.insert(all.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(got));
  }
  EXPECT_EQ(all, SomeBytes(100));
  EXPECT_TRUE(file.at_rest());
}

struct Case {
  const char* name;
  Answer answer;
};

// Each is an answer to a request for 10 bytes, or for all, of a file of 100 bytes.
const std::vector<Case>& Mistakes() {
  static const std::vector<Case> cases = {
      {"data first", [](int to, const auto&) { Send(to, FetchAnswer::kData, SomeBytes(10)); }},
      {"one byte less",
       [](int to, const auto&) {
         SendFacts(to, 100);
         Send(to, FetchAnswer::kData, SomeBytes(9));
         SendFacts(to, 100);
       }},
      {"more than the file has",
       [](int to, const auto&) {
         SendFacts(to, 100);
         Send(to, FetchAnswer::kData, SomeBytes(101));
         SendFacts(to, 100);
       }},
      {"another size at the end",
       [](int to, const FetchRequest& request) {
         SendFacts(to, 100);
         const bool all = request.kind == FetchRequest::Kind::kStream;
         Send(to, FetchAnswer::kData, SomeBytes(all ? 100 : 10));
         SendFacts(to, 99);
       }},
      {"facts that are none",
       [](int to, const auto&) { Send(to, FetchAnswer::kFacts, SomeBytes(10)); }},
      {"an error", [](int to, const auto&) { Send(to, FetchAnswer::kError, SomeBytes(0)); }},
      {"an error in between",
       [](int to, const auto&) {
         SendFacts(to, 100);
         Send(to, FetchAnswer::kData, SomeBytes(5));
         Send(to, FetchAnswer::kError, AsBytes("no more"));
       }},
      {"the end", [](int to, const auto&) { ::shutdown(to, SHUT_RDWR); }},
      {"the end in between",
       [](int to, const auto&) {
         SendFacts(to, 100);
         Send(to, FetchAnswer::kData, SomeBytes(5));
         ::shutdown(to, SHUT_RDWR);
       }},
  };
  return cases;
}

TEST(RemoteFile, MistakesAreProblemsForGood) {
  for (const Case& mistake : Mistakes()) {
    const FakeFetcher fetcher(mistake.answer);
    RemoteFile file(fetcher.socket(), 0);
    EXPECT_FALSE(file.Open(10).ok()) << mistake.name;
    EXPECT_FALSE(file.problem().ok()) << mistake.name;
    std::vector<std::uint8_t> out(1);
    EXPECT_FALSE(file.Read(0, out).ok()) << mistake.name;
  }
}

TEST(RemoteFile, MistakesInStreamsAreProblems) {
  for (const Case& mistake : Mistakes()) {
    const FakeFetcher fetcher(mistake.answer);
    RemoteFile file(fetcher.socket(), 0);
    std::array<std::uint8_t, 64> piece{};
    if (!file.StartStream().ok()) continue;
    absl::StatusOr<std::size_t> got = 1;
    while (got.ok() && *got > 0) got = file.TakeStream(piece);
    EXPECT_FALSE(got.ok()) << mistake.name;
    EXPECT_FALSE(file.problem().ok()) << mistake.name;
  }
}

std::vector<std::uint8_t> SoundFile() {
  Model model;
  model.Set("general.architecture", "test");
  model.Add("weight", TensorType::kF32, {1 << 18});
  return Write(model);
}

FileReport JudgeBy(const Answer& answer, DataScan data) {
  FakeFetcher fetcher(answer);
  ChannelPool pool;
  pool.Fill({fetcher.Release()});
  JudgeOptions options;
  options.policy.data = data;
  return JudgeRemote(pool, 0, "https://h/x", options);
}

TEST(JudgeRemote, ASoundFileIsAcceptedBothWays) {
  for (const DataScan data : {DataScan::kNone, DataScan::kFull}) {
    const std::vector<std::uint8_t> file = SoundFile();
    Answer in_pieces = [file](int to, const FetchRequest& request) {
      if (request.kind == FetchRequest::Kind::kBytes) return From(file)(to, request);
      SendFacts(to, file.size());
      for (Bytes rest = file; !rest.empty();) {
        const Bytes piece = rest.first(std::min<std::size_t>(rest.size(), 100'000));
        Send(to, FetchAnswer::kData, piece);
        rest = rest.subspan(piece.size());
      }
      SendFacts(to, file.size());
    };
    const FileReport report = JudgeBy(in_pieces, data);
    EXPECT_EQ(report.verdict, Verdict::kAccept) << report.problem;
    EXPECT_EQ(report.remote.value().size, file.size());
  }
}

// The findings before the error are not a verdict.
TEST(JudgeRemote, AnErrorBehindABrokenHeaderIsUndecided) {
  Model model;
  model.Set("general.architecture", "llama").Set("llama.block_count", std::uint32_t{0});
  model.Add("weight", TensorType::kF32, {1 << 18});
  const std::vector<std::uint8_t> file = Write(model);
  ASSERT_EQ(JudgeBy(From(file), DataScan::kNone).verdict, Verdict::kReject);
  const auto fails_later = [&file](int to, const FetchRequest& request) {
    if (request.kind == FetchRequest::Kind::kBytes && request.begin == 0) {
      return From(file)(to, request);
    }
    Send(to, FetchAnswer::kError, AsBytes("the server has burnt down"));
  };
  const FileReport report = JudgeBy(fails_later, DataScan::kNone);
  EXPECT_EQ(report.verdict, Verdict::kUndecided);
  EXPECT_THAT(std::string(report.problem.message()), HasSubstr("burnt down"));
}

TEST(JudgeRemote, MistakesAreUndecided) {
  for (const Case& mistake : Mistakes()) {
    for (const DataScan data : {DataScan::kNone, DataScan::kFull}) {
      EXPECT_EQ(JudgeBy(mistake.answer, data).verdict, Verdict::kUndecided) << mistake.name;
    }
  }
}

TEST(RemoteSource, ManyPiecesAreTooMany) {
  const FakeFetcher fetcher([](int to, const FetchRequest& request) {
    constexpr std::uint64_t kSize = std::uint64_t{1} << 40;
    SendFacts(to, kSize);
    const std::vector<std::uint8_t> bytes(std::min(request.size, kSize - request.begin));
    Send(to, FetchAnswer::kData, bytes);
    SendFacts(to, kSize);
  });
  RemoteFile file(fetcher.socket(), 0);
  const auto source = RemoteSource::Open(file).value();
  std::array<std::uint8_t, 8> out{};
  for (std::uint64_t i = 1; i <= RemoteSource::kMostPieces; ++i) {
    EXPECT_TRUE(source->ReadAt(i << 30, out).complete()) << i;
    EXPECT_TRUE(source->ReadAt((i << 30) + 1000, out).complete()) << "of the same piece";
  }
  EXPECT_FALSE(source->too_many_pieces());
  EXPECT_FALSE(source->ReadAt(std::uint64_t{100} << 30, out).complete());
  EXPECT_TRUE(source->too_many_pieces());
}

TEST(ChannelPool, WhatIsNotAtRestIsClosed) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()), 0);
  const Descriptor far(ends[1]);
  ChannelPool pool;
  pool.Fill({ends[0]});
  {
    ChannelPool::Loan loan(pool);
    EXPECT_EQ(loan.socket(), ends[0]);
    loan.NoteAtRest();
  }
  {
    const ChannelPool::Loan loan(pool);
  }
  char byte = 0;
  EXPECT_EQ(::read(far.get(), &byte, 1), 0);
  EXPECT_THROW(ChannelPool::Loan loan(pool), std::runtime_error);
}

}  // namespace
}  // namespace ggufgate
