#include "rehearse/driver_process.h"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "gate/confine/parent_death.h"
#include "gate/processes/companion.h"
#include "gate/processes/worker_pipe.h"
#include "rehearse/driver_record.h"

namespace ggufgate {
namespace {

constexpr std::string_view kProgram = "ggufgate-rehearse";

// The driver does not inherit the environment. A failed assertion does not start a debugger.
// Graphics processors are disabled, because their drivers need more than the sandbox allows.
std::vector<std::string> Variables() {
  return {"GGML_NO_BACKTRACE=1",   "LC_ALL=C.UTF-8",       "PATH=/nonexistent",
          "CUDA_VISIBLE_DEVICES=", "HIP_VISIBLE_DEVICES=", "GGML_VK_VISIBLE_DEVICES="};
}

std::vector<std::string> Words(const std::string& program, const DriverCall& call) {
  std::vector<std::string> words = {program,
                                    call.loader,
                                    std::string(WordFor(call.last_stage)),
                                    absl::StrJoin(call.front_bytes, ","),
                                    std::to_string(call.tokens),
                                    call.repacks ? "1" : "0",
                                    std::to_string(call.cpu_seconds),
                                    std::to_string(call.adapters)};
  words.insert(words.end(), call.command.begin(), call.command.end());
  return words;
}

std::vector<char*> Pointers(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

struct Given {
  int nonce;
  int words;
  int report;
  int zeros;
  std::span<int> stand_ins;
  pid_t parent;
};

// MoveAbove moves descriptors above all final numbers, so that none overwrites another.
bool MoveAbove(std::span<int* const> descriptors, std::span<int> stand_ins) {
  const int above = kDriverOthers + static_cast<int>(stand_ins.size());
  const auto move = [above](int& each) { return (each = ::fcntl(each, F_DUPFD, above)) >= 0; };
  return std::ranges::all_of(descriptors, [&](int* each) { return move(*each); }) &&
         std::ranges::all_of(stand_ins, move);
}

// Become runs in the child. It returns only if exec fails.
void Become(const char* program, char* const* arguments, char* const* variables, Given given) {
  if (!EndWithParent(given.parent)) return;
  if (::chdir("/") != 0) return;
  // A separate session: Control-C goes only to the process that started this one.
  ::setsid();
  const std::array<int*, 4> each = {&given.nonce, &given.words, &given.report, &given.zeros};
  if (!MoveAbove(each, given.stand_ins)) return;
  const std::array<std::pair<int, int>, 6> placed = {{{given.nonce, kDriverNonce},
                                                      {given.words, STDOUT_FILENO},
                                                      {given.words, STDERR_FILENO},
                                                      {given.stand_ins.front(), kDriverStandIn},
                                                      {given.report, kDriverReport},
                                                      {given.zeros, kDriverZeros}}};
  for (const auto& [from, to] : placed) {
    if (::dup2(from, to) < 0) return;
  }
  int last = kDriverZeros;
  for (const int other : given.stand_ins.subspan(1)) {
    if (::dup2(other, ++last) < 0) return;
  }
  if (::close_range(static_cast<unsigned>(last) + 1, ~0U, 0) != 0) return;
  ::execve(program, arguments, variables);
}

// PipeWith returns the reading end of a pipe with these bytes; nobody can write more.
absl::StatusOr<Descriptor> PipeWith(const std::array<std::uint8_t, 16>& bytes) {
  absl::StatusOr<Pipe> pipe = MakePipe();
  if (!pipe.ok()) return pipe.status();
  if (::write(pipe->to.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    return absl::ErrnoToStatus(errno, "cannot start ggufgate-rehearse");
  }
  return std::move(pipe->from);
}

}  // namespace

absl::StatusOr<DriverProcess> DriverProcess::Start(const DriverCall& call,
                                                   std::span<const Descriptor> stand_ins,
                                                   const Descriptor& zeros) {
  const std::optional<std::string> program = FindCompanion(kProgram);
  if (!program) {
    return absl::NotFoundError(
        "the program ggufgate-rehearse, which runs loaders, is missing (searched next to this "
        "program and in ../libexec/ggufgate): install the Debian packages ggufgate and "
        "ggufgate-rehearse (the archive and the container lack it)");
  }
  DriverProcess driver;
  if (::getrandom(driver.nonce_.data(), driver.nonce_.size(), 0) !=
      static_cast<ssize_t>(driver.nonce_.size())) {
    return absl::ErrnoToStatus(errno, "no random numbers");
  }
  const absl::StatusOr<Descriptor> nonce = PipeWith(driver.nonce_);
  if (!nonce.ok()) return nonce.status();
  absl::StatusOr<Pipe> words = MakePipe();
  if (!words.ok()) return words.status();
  absl::StatusOr<Pipe> report = MakePipe();
  if (!report.ok()) return report.status();
  for (const Pipe* pipe : {&*words, &*report}) {
    if (absl::Status status = DoNotWait(pipe->from); !status.ok()) return status;
  }
  // All memory is allocated before fork().
  std::vector<std::string> texts = Words(*program, call);
  std::vector<std::string> variables = Variables();
  const std::vector<char*> arguments = Pointers(texts);
  const std::vector<char*> environment = Pointers(variables);
  std::vector<int> models;
  for (const Descriptor& stand_in : stand_ins) models.push_back(stand_in.get());
  const Given given{.nonce = nonce->get(),
                    .words = words->to.get(),
                    .report = report->to.get(),
                    .zeros = zeros.get(),
                    .stand_ins = models,
                    .parent = ::getpid()};
  driver.process_ = ::fork();
  if (driver.process_ < 0) return absl::ErrnoToStatus(errno, "cannot start ggufgate-rehearse");
  if (driver.process_ == 0) {
    Become(program->c_str(), arguments.data(), environment.data(), given);
    ::_exit(127);
  }
  driver.report_ = std::move(report->from);
  driver.words_ = std::move(words->from);
  driver.end_ = Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, driver.process_, 0)));
  if (!driver.end_.valid()) return absl::ErrnoToStatus(errno, "cannot watch ggufgate-rehearse");
  return driver;
}

DriverProcess::DriverProcess(DriverProcess&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      nonce_(other.nonce_),
      report_(std::move(other.report_)),
      words_(std::move(other.words_)),
      end_(std::move(other.end_)) {}

void DriverProcess::Kill() const {
  if (process_ > 0) ::kill(process_, SIGKILL);
}

int DriverProcess::Wait() {
  int status = 0;
  const pid_t process = std::exchange(process_, -1);
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

DriverProcess::~DriverProcess() {
  if (process_ <= 0) return;
  Kill();
  static_cast<void>(Wait());
}

}  // namespace ggufgate
