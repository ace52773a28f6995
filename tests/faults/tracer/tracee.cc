#include "faults/tracer/tracee.h"

#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <unistd.h>

#include <cstddef>
#include <fstream>

namespace ggufgate::faults {
namespace {

bool Poke(pid_t thread, std::size_t offset, long value) {
  return ::ptrace(PTRACE_POKEUSER, thread, offset, value) == 0;
}

// PathArgument returns the number of the argument that names a file, or -1.
int PathArgument(long call) {
  switch (call) {
    case SYS_open:
    case SYS_stat:
    case SYS_lstat:
    case SYS_access:
    case SYS_readlink:
    case SYS_mkdir:
    case SYS_rmdir:
    case SYS_unlink:
    case SYS_rename:
    case SYS_execve:
      return 0;
    case SYS_openat:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_faccessat:
    case SYS_readlinkat:
    case SYS_mkdirat:
    case SYS_unlinkat:
    case SYS_renameat:
    case SYS_linkat:
      return 1;
    default:
      return -1;
  }
}

// HasDescriptor tells whether the first argument is a descriptor.
bool HasDescriptor(long call) {
  switch (call) {
    case SYS_read:
    case SYS_pread64:
    case SYS_readv:
    case SYS_write:
    case SYS_writev:
    case SYS_pwrite64:
    case SYS_close:
    case SYS_fcntl:
    case SYS_ioctl:
    case SYS_lseek:
    case SYS_fstat:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_getdents64:
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_ftruncate:
    case SYS_fchmod:
      return true;
    default:
      return false;
  }
}

// OpenFile returns the target of a descriptor, as in /proc: "pipe:[4711]", "/tmp/model.gguf".
std::string OpenFile(pid_t thread, std::uint64_t descriptor) {
  char target[4096];
  const std::string link =
      "/proc/" + std::to_string(thread) + "/fd/" + std::to_string(static_cast<int>(descriptor));
  const ssize_t size = ::readlink(link.c_str(), &target[0], sizeof(target));
  return size < 0 ? "" : std::string(&target[0], static_cast<std::size_t>(size));
}

// TextAt reads up to a NUL.
std::string TextAt(pid_t thread, std::uint64_t from) {
  std::string text;
  // In small pieces, because reading from a missing page would return nothing.
  while (text.size() < 4096) {
    char piece[16] = {};
    const std::size_t step = sizeof(piece) - from % sizeof(piece);
    iovec here{.iov_base = &piece[0], .iov_len = step};
    iovec there{.iov_base = reinterpret_cast<void*>(from), .iov_len = step};
    if (::process_vm_readv(thread, &here, 1, &there, 1, 0) != static_cast<ssize_t>(step)) break;
    for (std::size_t i = 0; i < step; ++i) {
      if (piece[i] == '\0') return text;
      text += piece[i];
    }
    from += step;
  }
  return text;
}

}  // namespace

void Trace() { ::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr); }

bool FollowAll(pid_t thread) {
  constexpr long kOptions = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK |
                            PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
  return ::ptrace(PTRACE_SETOPTIONS, thread, nullptr, kOptions) == 0;
}

std::optional<SystemCall> CallOf(pid_t thread) {
  __ptrace_syscall_info info = {};
  if (::ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof(info), &info) <= 0) {
    return std::nullopt;
  }
  if (info.op == PTRACE_SYSCALL_INFO_EXIT) return SystemCall{};
  if (info.op != PTRACE_SYSCALL_INFO_ENTRY) return std::nullopt;
  SystemCall call{.entering = true, .number = static_cast<long>(info.entry.nr), .arguments = {}};
  for (std::size_t i = 0; i < call.arguments.size(); ++i) call.arguments[i] = info.entry.args[i];
  return call;
}

std::string FileOf(pid_t thread, const SystemCall& call) {
  const int which = PathArgument(call.number);
  std::string path =
      which < 0 ? "" : TextAt(thread, call.arguments[static_cast<std::size_t>(which)]);
  if (!path.empty() || !HasDescriptor(call.number)) return path;
  return OpenFile(thread, call.arguments[0]);
}

bool Replace(pid_t thread) {
  return Poke(thread, offsetof(user_regs_struct, orig_rax), SYS_gettid);
}

bool SetResult(pid_t thread, long result) {
  return Poke(thread, offsetof(user_regs_struct, rax), result);
}

bool SetLength(pid_t thread, std::uint64_t length) {
  return Poke(thread, offsetof(user_regs_struct, rdx), static_cast<long>(length));
}

pid_t ProcessOf(pid_t thread) {
  std::ifstream status("/proc/" + std::to_string(thread) + "/status");
  for (std::string word; status >> word;) {
    if (word != "Tgid:") continue;
    pid_t process = 0;
    status >> process;
    return process;
  }
  return thread;
}

}  // namespace ggufgate::faults
