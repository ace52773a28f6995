#include "rehearse/stand_in.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "bytes/byte_source.h"
#include "bytes/bytes.h"
#include "format/limits.h"
#include "gate/confine/confine.h"
#include "gate/processes/report_frames.h"
#include "gate/processes/worker_pipe.h"
#include "gate/reading/read_document.h"
#include "gate/reading/sealed_memory.h"

namespace ggufgate {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;
using Answer = std::array<std::uint64_t, 2>;

absl::StatusOr<Answer> AskParser(const ByteSource& source) {
  const absl::StatusOr<ReadDocument> read = ReadDocument::Read(source, Limits{});
  if (!read.ok()) return read.status();
  const Document& document = read->document();
  if (document.fault) return absl::InvalidArgumentError("the metadata end at a fault");
  const MetadataEntry* const count = document.Find("split.count");
  const std::uint64_t shards = count == nullptr ? 0 : document.UnsignedOf(*count).value_or(0);
  return Answer{document.data_begin.value_or(document.directory_end), shards};
}

std::vector<std::uint8_t> BytesOf(const Answer& answer) {
  std::vector<std::uint8_t> bytes(sizeof(answer));
  std::memcpy(bytes.data(), answer.data(), bytes.size());
  return bytes;
}

// AnswerWork runs in the child.
int AnswerWork(const ByteSource& source, int to) {
  const absl::StatusOr<Answer> answer = AskParser(source);
  if (!answer.ok()) return 1;
  return SendFrame(to, FrameKind::kReport, BytesOf(*answer)).ok() ? 0 : 1;
}

absl::StatusOr<Answer> AskConfinedParser(const Input& model) {
  if (!ConfinementIsBuiltIn()) return AskParser(model.source());
  absl::StatusOr<Pipe> pipe = MakePipe();
  if (!pipe.ok()) return pipe.status();
  const int to = pipe->to.get();
  const Confinement reader{.writes = false, .descriptors = std::vector{model.descriptor()}};
  const absl::StatusOr<pid_t> child =
      StartConfined(Keeping(reader, to), [&] { return AnswerWork(model.source(), to); });
  if (!child.ok()) return child.status();
  pipe->to = Descriptor();  // otherwise the end of the pipe would never come
  absl::StatusOr<std::optional<Frame>> frame = ReceiveFrame(pipe->from.get());
  pipe->from = Descriptor();
  const absl::StatusOr<int> code = EndOfConfined(*child);
  if (!code.ok()) return code.status();
  if (!frame.ok()) return frame.status();
  Answer answer{};
  if (*code != 0 || !*frame || (*frame)->bytes.size() != sizeof(answer)) {
    return absl::InvalidArgumentError("the metadata cannot be read");
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

}  // namespace

absl::StatusOr<ModelFront> FrontOf(const Input& model) {
  const absl::StatusOr<Answer> answer = AskConfinedParser(model);
  if (!answer.ok()) return answer.status();
  // A file without tensors may end before the beginning of its data section.
  const std::uint64_t bytes = std::min(answer->at(0), model.source().size());
  if (bytes > Limits{}.metadata_bytes) {
    return absl::InvalidArgumentError("the metadata are longer than any that are judged");
  }
  return ModelFront{.bytes = bytes, .shards = answer->at(1)};
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
  const std::uint64_t size = model.source().size();
  if (size > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) {
    return absl::InvalidArgumentError("no file can be that long");
  }
  absl::StatusOr<Descriptor> memory = NewMemory();
  if (!memory.ok()) return memory.status();
  std::vector<std::uint8_t> chunk(kChunkBytes);
  for (std::uint64_t at = 0; at < front.bytes;) {
    const auto piece =
        static_cast<std::size_t>(std::min<std::uint64_t>(chunk.size(), front.bytes - at));
    const MutableBytes bytes = MutableBytes(chunk).first(piece);
    if (const absl::Status read = StatusOf(model.source().ReadAt(at, bytes)); !read.ok()) {
      return read;
    }
    if (absl::Status written = WriteAll(*memory, bytes); !written.ok()) return written;
    at += piece;
  }
  if (::ftruncate(memory->get(), static_cast<off_t>(size)) != 0) {
    return absl::ErrnoToStatus(errno, "cannot make a stand-in of the model's length");
  }
  if (absl::Status sealed = Seal(*memory); !sealed.ok()) return sealed;
  return memory;
}

}  // namespace ggufgate
