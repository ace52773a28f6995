#include "rehearse/stand_in.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "bytes/byte_range.h"
#include "bytes/byte_source.h"
#include "bytes/bytes.h"
#include "format/limits.h"
#include "gate/confine/confine.h"
#include "gate/processes/report_frames.h"
#include "gate/processes/worker_pipe.h"
#include "gate/reading/read_document.h"
#include "gate/reading/sealed_memory.h"
#include "gate/remote/remote_file.h"
#include "gate/remote/remote_source.h"

namespace ggufgate {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;
using Answer = std::array<std::uint64_t, 2>;

Answer AnswerOf(const Document& document) {
  const MetadataEntry* const count = document.Find("split.count");
  const std::uint64_t shards = count == nullptr ? 0 : document.UnsignedOf(*count).value_or(0);
  return {document.data_begin.value_or(document.directory_end), shards};
}

absl::StatusOr<Answer> AskParser(const ByteSource& source) {
  const absl::StatusOr<ReadDocument> read = ReadDocument::Read(source, Limits{});
  if (!read.ok()) return read.status();
  if (read->document().fault) return absl::InvalidArgumentError("the metadata have a fault");
  return AnswerOf(read->document());
}

// FrontSource is a file of which only the front is here. A read beyond it fails.
class FrontSource final : public ByteSource {
 public:
  FrontSource(Bytes held, std::uint64_t size) : held_(held), size_(size) {}

  [[nodiscard]] std::uint64_t size() const override { return size_; }
  [[nodiscard]] bool far_away() const override { return true; }
  [[nodiscard]] ReadOutcome ReadAt(std::uint64_t offset, MutableBytes out) const override {
    const ByteRange range{.begin = offset, .size = out.size()};
    if (!range.FitsIn(size_)) return {.kind = ReadOutcome::Kind::kShrunk};
    if (!range.FitsIn(held_.size())) {
      wanted_ = std::max(wanted_, range.End());
      return {.kind = ReadOutcome::Kind::kFailed, .error_number = ENODATA};
    }
    std::ranges::copy(held_.subspan(offset, out.size()), out.begin());
    return {};
  }

  // The end of the reads that failed; 0 if none did.
  [[nodiscard]] std::uint64_t wanted() const { return wanted_; }

 private:
  Bytes held_;
  std::uint64_t size_;
  mutable std::uint64_t wanted_ = 0;
};

// The first number of an answer that asks for the bytes up to the second number.
constexpr std::uint64_t kWantsMore = ~std::uint64_t{0};
// Each round asks for several times the bytes of the last.
constexpr int kMostRounds = 64;
constexpr const char* kCannotBeRead = "the metadata cannot be read";

absl::StatusOr<Answer> AskParserOfFront(Bytes held, std::uint64_t size) {
  const FrontSource source(held, size);
  const absl::StatusOr<ReadDocument> read = ReadDocument::Read(source, Limits{});
  if (source.wanted() > 0) return Answer{kWantsMore, source.wanted()};
  if (!read.ok()) return read.status();
  // The rules name a fault in what is here.
  if (read->document().fault) return Answer{held.size(), 0};
  return AnswerOf(read->document());
}

std::vector<std::uint8_t> BytesOf(const Answer& answer) {
  std::vector<std::uint8_t> bytes(sizeof(answer));
  std::memcpy(bytes.data(), answer.data(), bytes.size());
  return bytes;
}

using AskFor = std::function<absl::StatusOr<Answer>()>;

// AnswerWork runs in the child.
int AnswerWork(const AskFor& ask, int to) {
  const absl::StatusOr<Answer> answer = ask();
  if (!answer.ok()) return 1;
  return SendFrame(to, FrameKind::kReport, BytesOf(*answer)).ok() ? 0 : 1;
}

// AskConfined runs `ask` in a child that has these descriptors and no others.
absl::StatusOr<Answer> AskConfined(std::vector<int> descriptors, const AskFor& ask) {
  if (!ConfinementIsBuiltIn()) return ask();
  absl::StatusOr<Pipe> pipe = MakePipe();
  if (!pipe.ok()) return pipe.status();
  const int to = pipe->to.get();
  const Confinement reader{.writes = false, .descriptors = std::move(descriptors)};
  const absl::StatusOr<pid_t> child =
      StartConfined(Keeping(reader, to), [&] { return AnswerWork(ask, to); });
  if (!child.ok()) return child.status();
  pipe->to = Descriptor();  // otherwise the end of the pipe would never come
  absl::StatusOr<std::optional<Frame>> frame = ReceiveFrame(pipe->from.get());
  pipe->from = Descriptor();
  const absl::StatusOr<int> code = EndOfConfined(*child);
  if (!code.ok()) return code.status();
  if (!frame.ok()) return frame.status();
  Answer answer{};
  if (*code != 0 || !*frame || (*frame)->bytes.size() != sizeof(answer)) {
    return absl::InvalidArgumentError(kCannotBeRead);
  }
  std::memcpy(answer.data(), (*frame)->bytes.data(), sizeof(answer));
  return answer;
}

absl::Status WriteAll(const Descriptor& to, Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(to.get(), bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return absl::ErrnoToStatus(errno, "cannot write the stand-in");
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
  return absl::OkStatus();
}

// CheckedFront compares an answer with the file's size and the limit of metadata.
absl::StatusOr<ModelFront> CheckedFront(const absl::StatusOr<Answer>& answer, std::uint64_t size) {
  if (!answer.ok()) return answer.status();
  // A file without tensors may end before its data section would begin.
  const std::uint64_t bytes = std::min(answer->at(0), size);
  if (bytes > Limits{}.metadata_bytes) {
    return absl::InvalidArgumentError("the metadata are too long");
  }
  return ModelFront{.bytes = bytes, .shards = answer->at(1)};
}

using ReadFrontAt = std::function<absl::Status(std::uint64_t offset, MutableBytes out)>;

// StandInOf makes a sealed file in memory of `size` bytes. `read` supplies the first `front` bytes.
absl::StatusOr<Descriptor> StandInOf(std::uint64_t size, std::uint64_t front,
                                     const ReadFrontAt& read) {
  if (size > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) {
    return absl::InvalidArgumentError("a file cannot be that long");
  }
  absl::StatusOr<Descriptor> memory = NewMemory();
  if (!memory.ok()) return memory.status();
  std::vector<std::uint8_t> chunk(kChunkBytes);
  for (std::uint64_t at = 0; at < front;) {
    const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(chunk.size(), front - at));
    const MutableBytes bytes = MutableBytes(chunk).first(piece);
    if (absl::Status got = read(at, bytes); !got.ok()) return got;
    if (absl::Status written = WriteAll(*memory, bytes); !written.ok()) return written;
    at += piece;
  }
  if (::ftruncate(memory->get(), static_cast<off_t>(size)) != 0) {
    return absl::ErrnoToStatus(errno, "cannot make a stand-in of the model's length");
  }
  if (absl::Status sealed = Seal(*memory); !sealed.ok()) return sealed;
  return memory;
}

}  // namespace

absl::StatusOr<ModelFront> FrontOf(const Input& model) {
  const auto ask = [&] { return AskParser(model.source()); };
  return CheckedFront(AskConfined({model.descriptor()}, ask), model.source().size());
}

absl::StatusOr<Descriptor> MakeZeros(std::uint64_t size) {
  absl::StatusOr<Descriptor> memory = NewMemory();
  if (!memory.ok()) return memory.status();
  if (::ftruncate(memory->get(), static_cast<off_t>(size)) != 0) {
    return absl::ErrnoToStatus(errno, "cannot make zeros");
  }
  if (absl::Status sealed = Seal(*memory); !sealed.ok()) return sealed;
  return memory;
}

absl::StatusOr<Descriptor> MakeStandIn(const Input& model, const ModelFront& front) {
  return StandInOf(model.source().size(), front.bytes, [&](std::uint64_t offset, MutableBytes out) {
    return StatusOf(model.source().ReadAt(offset, out));
  });
}

absl::StatusOr<Descriptor> FetchStandIn(int socket, std::uint32_t number) {
  RemoteFile file(socket, number);
  absl::StatusOr<std::vector<std::uint8_t>> held = file.Open(RemoteSource::kFirstBytes);
  if (!held.ok()) return held.status();
  const std::uint64_t size = file.facts().size;
  for (int round = 0; round < kMostRounds; ++round) {
    const absl::StatusOr<Answer> answer =
        AskConfined({}, [&] { return AskParserOfFront(*held, size); });
    if (!answer.ok()) return answer.status();
    if (answer->at(0) != kWantsMore) {
      const absl::StatusOr<ModelFront> front = CheckedFront(answer, size);
      if (!front.ok()) return front.status();
      if (front->bytes > held->size()) return absl::InvalidArgumentError(kCannotBeRead);
      return StandInOf(size, front->bytes, [&](std::uint64_t offset, MutableBytes out) {
        std::ranges::copy(Bytes(*held).subspan(offset, out.size()), out.begin());
        return absl::OkStatus();
      });
    }
    // The parser is not trusted: each answer must be more than the last, and within the limits.
    const std::uint64_t end = answer->at(1);
    const std::uint64_t before = held->size();
    if (end <= before || end > std::min(size, Limits{}.metadata_bytes)) {
      return absl::InvalidArgumentError(kCannotBeRead);
    }
    held->resize(end);
    if (absl::Status got = file.Read(before, MutableBytes(*held).subspan(before)); !got.ok()) {
      return got;
    }
  }
  return absl::InvalidArgumentError(kCannotBeRead);
}

}  // namespace ggufgate
