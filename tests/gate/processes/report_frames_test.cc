#include "gate/processes/report_frames.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>
#include <vector>

#include "gate/processes/report_wire.h"
#include "gate/reading/descriptor.h"

namespace ggufgate {
namespace {

using ::testing::HasSubstr;

// A pipe whose writing end can be closed.
struct TestPipe {
  TestPipe() {
    std::array<int, 2> ends = {-1, -1};
    EXPECT_EQ(::pipe(ends.data()), 0);
    from = Descriptor(ends[0]);
    to = Descriptor(ends[1]);
  }
  Descriptor from;
  Descriptor to;
};

// Received returns the result of ReceiveFrame() for these bytes and the end of the pipe: a frame's
// text, or a message.
std::string Received(std::string_view bytes) {
  TestPipe pipe;
  EXPECT_EQ(::write(pipe.to.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  pipe.to = Descriptor();
  const auto frame = ReceiveFrame(pipe.from.get());
  if (!frame.ok()) return std::string(frame.status().message());
  return *frame ? std::string(AsText((*frame)->bytes)) : "end";
}

TEST(ReportFrames, ComeAsTheyWereSent) {
  TestPipe pipe;
  const std::string large(3'000'000, 'x');  // more than a pipe holds, and more than one step reads
  std::thread sender([&] {
    EXPECT_TRUE(SendFrame(pipe.to.get(), FrameKind::kProgress, AsBytes("12345678")).ok());
    EXPECT_TRUE(SendFrame(pipe.to.get(), FrameKind::kReport, AsBytes(large)).ok());
    EXPECT_TRUE(SendFrame(pipe.to.get(), FrameKind::kLoss, {}).ok());
    pipe.to = Descriptor();
  });
  auto frame = ReceiveFrame(pipe.from.get());
  ASSERT_TRUE(frame.ok() && *frame);
  EXPECT_EQ((*frame)->kind, FrameKind::kProgress);
  EXPECT_EQ(AsText((*frame)->bytes), "12345678");
  frame = ReceiveFrame(pipe.from.get());
  ASSERT_TRUE(frame.ok() && *frame);
  EXPECT_EQ((*frame)->kind, FrameKind::kReport);
  EXPECT_EQ(AsText((*frame)->bytes), large);
  frame = ReceiveFrame(pipe.from.get());
  ASSERT_TRUE(frame.ok() && *frame);
  EXPECT_EQ((*frame)->kind, FrameKind::kLoss);
  frame = ReceiveFrame(pipe.from.get());
  EXPECT_TRUE(frame.ok() && !*frame);
  sender.join();
}

TEST(ReportFrames, MustBeWhole) {
  const std::string whole("\0\3\0\0\0\0\0\0\0abc", 12);
  EXPECT_EQ(Received(whole), "abc");
  EXPECT_EQ(Received(""), "end");
  for (std::size_t size = 1; size < whole.size(); ++size) {
    EXPECT_THAT(Received(whole.substr(0, size)), HasSubstr("cut off")) << size;
  }
}

// ReceivedByByte gives FrameReader one byte at a time. The result must be that of ReceiveFrame.
std::string ReceivedByByte(std::string_view bytes) {
  TestPipe pipe;
  EXPECT_EQ(::fcntl(pipe.from.get(), F_SETFL, O_NONBLOCK), 0);
  FrameReader reader;
  for (std::size_t sent = 0;; ++sent) {
    const absl::StatusOr<FrameReader::Taken> taken = reader.TakeFrom(pipe.from.get());
    if (!taken.ok()) return std::string(taken.status().message());
    if (taken->frame) return std::string(AsText(taken->frame->bytes));
    if (taken->ended) return "end";
    if (sent == bytes.size()) pipe.to = Descriptor();
    if (sent < bytes.size()) {
      EXPECT_EQ(::write(pipe.to.get(), &bytes[sent], 1), 1);
    }
  }
}

TEST(ReportFrames, AreReadInPieces) {
  const std::string whole("\0\3\0\0\0\0\0\0\0abc", 12);
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const std::string part = whole.substr(0, size);
    EXPECT_EQ(ReceivedByByte(part), Received(part)) << size;
  }
  EXPECT_EQ(ReceivedByByte(std::string("\2\0\0\0\0\0\0\0\0", 9)), "");
  for (const std::string& wrong :
       {std::string("\4\0\0\0\0\0\0\0\0", 9), std::string("\0\0\0\0\0\0\0\0\1", 9)}) {
    EXPECT_EQ(ReceivedByByte(wrong), Received(wrong));
  }
}

TEST(ReportFrames, ComeOneByOneFromAReader) {
  TestPipe pipe;
  EXPECT_EQ(::fcntl(pipe.from.get(), F_SETFL, O_NONBLOCK), 0);
  std::vector<std::uint8_t> sent;
  AppendFrame(FrameKind::kReport, AsBytes("first"), sent);
  AppendFrame(FrameKind::kLoss, {}, sent);
  AppendFrame(FrameKind::kProgress, AsBytes("third"), sent);
  ASSERT_EQ(::write(pipe.to.get(), sent.data(), sent.size()), static_cast<ssize_t>(sent.size()));
  FrameReader reader;
  std::string text;
  for (int i = 0; i < 3; ++i) {
    const absl::StatusOr<FrameReader::Taken> taken = reader.TakeFrom(pipe.from.get());
    ASSERT_TRUE(taken.ok() && taken->frame) << i;
    text += std::to_string(static_cast<int>(taken->frame->kind)) + " ";
    text += AsText(taken->frame->bytes);
    text += '\n';
  }
  EXPECT_EQ(text, "0 first\n1 \n2 third\n");
  const absl::StatusOr<FrameReader::Taken> none = reader.TakeFrom(pipe.from.get());
  EXPECT_TRUE(none.ok() && !none->frame && !none->ended);
}

TEST(ReportFrames, MustBeOfAKnownKind) {
  EXPECT_EQ(Received(std::string("\2\0\0\0\0\0\0\0\0", 9)), "");
  EXPECT_THAT(Received(std::string("\4\0\0\0\0\0\0\0\0", 9)), HasSubstr("cut off"));
}

TEST(ReportFrames, MustNotBeLongerThanAReport) {
  std::string head(9, '\0');
  head.at(4) = 4;  // 64 MiB, the maximum: it waits for the bytes, and the pipe ends
  EXPECT_THAT(Received(head), HasSubstr("cut off"));
  head.at(1) = 1;
  EXPECT_THAT(Received(head), HasSubstr("too long"));
}

}  // namespace
}  // namespace ggufgate
