#include "gate/processes/confined_answer.h"

#include <unistd.h>

#include <optional>
#include <utility>

#include "gate/processes/report_frames.h"
#include "gate/processes/supervisor.h"

namespace ggufgate {

absl::StatusOr<std::vector<std::uint8_t>> AnswerOfConfined(
    const std::function<std::vector<std::uint8_t>()>& work) {
  if (!ConfinementIsBuiltIn()) return work();
  absl::StatusOr<Pipe> pipe = MakePipe();
  if (!pipe.ok()) return pipe.status();
  const int to = pipe->to.get();
  const Confinement nothing{.reads = false, .writes = false, .descriptors = std::vector<int>{}};
  const absl::StatusOr<pid_t> child = StartConfined(
      Keeping(nothing, to), [&] { return SendFrame(to, FrameKind::kReport, work()).ok() ? 0 : 1; });
  if (!child.ok()) return child.status();
  pipe->to = Descriptor();  // otherwise the end of the pipe would never come
  absl::StatusOr<std::optional<Frame>> answer = ReceiveFrame(pipe->from.get());
  pipe->from = Descriptor();  // a child that writes more gets an error
  const absl::StatusOr<int> code = EndOfConfined(*child);
  if (!code.ok()) return code.status();
  if (!answer.ok()) return answer.status();
  if (*code != 0 || !*answer) return absl::InternalError("the confined process failed");
  return std::move((*answer)->bytes);
}

}  // namespace ggufgate
