"""Which system calls fail, how, and where the command can continue without them."""

import dataclasses
import errno
import re

# Ways to fail, in the notation of fault-tracer.
SHORT, ZERO = "short", "zero"


def error(name):
    return f"errno={getattr(errno, name)}"


def _errors(*names):
    return [error(name) for name in names]


_READ = _errors("EIO", "EINTR", "EAGAIN") + [SHORT, ZERO]
_WRITE = _errors("EIO", "ENOSPC", "EPIPE", "EINTR", "EAGAIN") + [SHORT, ZERO]
_STATUS = _errors("EIO", "ENOMEM", "EACCES")
_CHANGE = _errors("EIO", "ENOSPC", "EACCES")
_PROCESS = _errors("EAGAIN", "ENOMEM", "EINTR")
_MEMORY = _errors("ENOMEM", "EAGAIN")

WAYS = {
    **dict.fromkeys(["read", "pread64", "readv", "sendfile", "copy_file_range"], _READ),
    "getdents64": _errors("EIO", "ENOMEM", "EINTR"),  # 0 means the end of a folder
    **dict.fromkeys(["write", "writev", "pwrite64"], _WRITE),
    **dict.fromkeys(["open", "openat"], _errors("EIO", "EINTR", "EMFILE", "ENOMEM", "EACCES")),
    **dict.fromkeys(["fstat", "stat", "lstat", "newfstatat", "statx", "access", "faccessat",
                     "faccessat2", "readlink", "readlinkat", "getcwd"], _STATUS),
    **dict.fromkeys(["mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename", "renameat",
                     "renameat2", "link", "linkat", "symlink", "ftruncate", "fallocate", "chmod",
                     "fchmod"], _CHANGE),
    **dict.fromkeys(["fsync", "fdatasync"], _errors("EIO", "ENOSPC", "EINTR")),
    **dict.fromkeys(["close", "close_range"], _errors("EIO", "EINTR", "ENOSPC")),
    **dict.fromkeys(["dup", "dup2", "dup3", "fcntl"], _errors("EMFILE", "EINTR", "EAGAIN")),
    **dict.fromkeys(["pipe", "pipe2", "socket", "socketpair", "memfd_create"],
                    _errors("EMFILE", "ENOMEM", "EINTR")),
    **dict.fromkeys(["clone", "clone3", "fork", "vfork"], _PROCESS),
    **dict.fromkeys(["wait4", "waitid"], _errors("ECHILD", "EINTR")),
    **dict.fromkeys(["poll", "ppoll"], _errors("ENOMEM", "EINTR", "EAGAIN") + [ZERO]),
    **dict.fromkeys(["mmap", "mremap", "mprotect"], _MEMORY),
    "brk": [ZERO],  # the system call has no errors: it returns the end of the heap
    **dict.fromkeys(["munmap", "madvise"], _errors("EINVAL", "ENOMEM")),
    **dict.fromkeys(["prctl", "prlimit64", "getrlimit", "setrlimit", "seccomp",
                     "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self"],
                    _errors("EPERM", "ENOMEM", "EINTR")),
    **dict.fromkeys(["clock_gettime", "clock_getres", "sched_getaffinity", "sysinfo", "uname"],
                    _errors("EINVAL", "EPERM")),
    "lseek": _errors("EIO", "ESPIPE"),
    "ioctl": _errors("EIO", "EINTR"),
    "flock": _errors("EINTR", "EAGAIN"),
    "getrandom": _errors("EINTR", "EAGAIN"),
    "clock_nanosleep": _errors("EINTR"),
    "kill": _errors("EPERM"),
    "execve": _errors("EIO", "ENOMEM", "EAGAIN"),
}

# Calls that cannot fail with these arguments, or that end the process.
CANNOT_FAIL = {
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack", "futex", "set_robust_list",
    "set_tid_address", "rseq", "arch_prctl", "getpid", "gettid", "getppid", "getuid", "tgkill",
    "sched_yield", "restart_syscall", "exit", "exit_group",
}

# In addition: from the n-th call on, permanently.
FOR_EVER = {
    **dict.fromkeys(["read", "pread64", "sendfile", "getdents64", "fsync"], [error("EIO")]),
    **dict.fromkeys(["write", "writev"], [error("ENOSPC")]),
    **dict.fromkeys(["mmap", "clone", "fstat"], [error("ENOMEM")]),
    **dict.fromkeys(["openat", "pipe2", "memfd_create"], [error("EMFILE")]),
}

# After these, the same call, or the rest of it, is simply repeated.
RETRIED = {SHORT, error("EINTR"), error("EAGAIN")}

_MEMORY_OR_DESCRIPTORS = {error("ENOMEM"), error("EMFILE")}
_CPUS = r"/sys/devices/system/cpu/.*|/proc/stat"


@dataclasses.dataclass(frozen=True)
class Harmless:
    """A fault after which the command's output is still complete."""
    calls: str
    why: str
    file: str = ".*"
    family: str = ".*"
    process: str = ".*"
    ways: frozenset = frozenset()  # empty: all
    for_ever: bool = True
    # At most this many of the process's usual writes are still missing.
    unwritten: int | None = None


_SEVERAL = r"check (folder|jobs-2|shards|json)"
_OTHERS = r"0\.[2-9].*"  # all except the parent and the printer

# Every fault that is not in this table must lead to exit code 2.
HARMLESS = [
    Harmless("openat|read|close|newfstatat|fstat", "the number of processors is asked for, or 1", _CPUS),
    Harmless("sched_getaffinity", "the number of processors is asked for, or 1"),
    Harmless("write", "write() that has taken nothing is called again", ways=frozenset({ZERO}),
             for_ever=False),
    Harmless("read", "it was the end anyway: had it come early, a report would be missing", "pipe:.*",
             ways=frozenset({ZERO})),
    Harmless("poll", "poll() may come back without cause", ways=frozenset({ZERO})),
    # One write may be missing: that of the other worker, which may be slower.
    Harmless("read|poll|wait4|waitid", "the worker has sent all its reports, and they are passed on",
             family="(check|run).*", process="0", unwritten=1),
    Harmless(".*", "the files are judged again, each by a worker of its own", family=_SEVERAL,
             process=_OTHERS),
    Harmless("read|poll|pipe2|clone|wait4", "the files are judged again, each by a worker of its own",
             family=_SEVERAL, process="0", for_ever=False),
    Harmless("clone|clone3|mmap|mprotect", "the threads that there are do the work of those there are not",
             process=r"0\.[1-9]", family="check (sha256|jobs-2)|run.*|dequantize"),
    Harmless("clock_getres|clock_gettime", "the limit of processor time is the worker's own as well"),
    Harmless("openat|fstat|mmap|munmap|brk", "for want of memory or descriptors once, the file is judged "
             "once more, alone", ways=frozenset(_MEMORY_OR_DESCRIPTORS | {ZERO}), for_ever=False,
             process=r"0\.[23]", family="(check|run).*"),
    # The parser of manifests is an additional process, before the others.
    Harmless("openat|fstat|mmap|munmap|brk", "for want of memory or descriptors once, the file is judged "
             "once more, alone", ways=frozenset(_MEMORY_OR_DESCRIPTORS | {ZERO}), for_ever=False,
             process=r"0\.[34]", family="check ollama"),
    Harmless("mmap|brk", "the C library asks for memory by the other of the two",
             ways=frozenset(_MEMORY_OR_DESCRIPTORS | {ZERO})),
    Harmless("munmap|madvise", "memory is given back late"),
    Harmless("close", "nothing was written by it, or it was flushed by fsync()",
             file=r"(?!mutants/\d).*"),
    Harmless("fcntl", "a descriptor that is there is taken for one that is not",
             "/dev/null|pipe:.*|.*/(error|input)"),
    Harmless("fcntl", "the same of standard input, which stays where it is", r"model\.gguf",
             family="check stdin", process="0"),
    Harmless("ioctl", "a terminal is taken for none"),
    Harmless("readlink", "digests in the names of links are wanted only where digests are compared",
             family=r"(?!check (data-full|jobs-2|ollama)).*", process="0"),
    Harmless("newfstatat", "the C library chooses a buffer for standard output",
             "|pipe:.*|/dev/null|.*/error"),
    Harmless("newfstatat", "what may be a folder is opened as a file",
             r"(model|second|bad|same|faulty)\.gguf|model\.sha256"),
    Harmless("newfstatat", "what has the name of a model is judged as one", r"(model-.*|one)\.gguf",
             family=_SEVERAL, process="0"),
    Harmless("openat", "Landlock knows no rule for a file in memory, and needs none", "/proc/self/fd/.*",
             family="run sealed", process=_OTHERS),
    Harmless("newfstatat", "what may be a folder is opened as a file", "/proc/self/fd/.*",
             family="run.*"),
    Harmless("newfstatat|openat|getrandom", "the output is made under another name where it cannot be "
             "without one", r"\.|mutants|/proc/self/fd/.*|.*\(deleted\)|.*/#\d+|",
             family="check output.*|dequantize|mutate|generate|manifest|repair.*", process="0"),
    Harmless("openat", "no file of that name is needed: it is standard input", "-"),
    Harmless("kill", "a worker ends by itself, for nobody takes what it sends"),
    Harmless("landlock_create_ruleset", "a filter around us forbids Landlock, as old containers do",
             ways=frozenset({error("EPERM")})),
]

# If a write to standard error fails, its text may be lost; the verdict is the exit code and the report.
WORDS = ".*/error"


def is_harmless(case, path, unwritten, for_ever):
    if case.way in RETRIED and not for_ever:
        return True
    return any(re.fullmatch(one.calls, case.call) and re.fullmatch(one.file, path)
               and re.fullmatch(one.family, case.family.name)
               and re.fullmatch(one.process, case.process)
               and (not one.ways or case.way in one.ways)
               and (one.for_ever or not for_ever) and (one.unwritten is None or unwritten <= one.unwritten)
               for one in HARMLESS)
