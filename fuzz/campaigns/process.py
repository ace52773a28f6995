"""Programs that are started, watched, and always stopped.

Each is the leader of a separate session, so that it and its children can be killed together. A process that leaves
that session (AFL++'s fork server does) becomes a child of the campaign when its parent ends, because the campaign is
a subreaper; kill_orphans kills it. No other process is ever killed.
"""

import ctypes
import os
import resource
import signal
import subprocess
import time

from campaigns.text import CouldNot

PR_SET_PDEATHSIG = 1  # linux/prctl.h
PR_SET_CHILD_SUBREAPER = 36

_libc = ctypes.CDLL(None, use_errno=True)
_mine = {}  # id -> the Child that looks after it


def become_subreaper():
    if _libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise CouldNot("this system cannot hand over orphaned processes (prctl failed)")


def environment(more=None):
    """The environment of a fuzzer, without the caller's settings for sanitizers and engines."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return {**kept, "LC_ALL": "C", **(more or {})}


def _prepare(last_signal):
    _libc.prctl(PR_SET_PDEATHSIG, last_signal, 0, 0, 0)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)


class Child:
    """A running program, with its output in a file. `code` is None while it runs. It gets `last_signal` if the campaign
    itself is killed."""

    def __init__(self, command, log, env, last_signal=signal.SIGKILL, cwd=None):
        self.code = None
        self.log = log
        self.began = time.monotonic()
        with open(log, "ab") as out:
            try:
                self.process = subprocess.Popen(
                    command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
                    env=env, cwd=cwd, start_new_session=True, preexec_fn=lambda: _prepare(last_signal))
            except OSError as problem:
                raise CouldNot(f"{command[0]} does not start: {problem.strerror}") from problem
        _mine[self.process.pid] = self

    def running(self):
        if self.code is not None:
            return False
        # While it is not reaped, its id cannot be reused: only now is it safe to kill the whole group.
        if os.waitid(os.P_PID, self.process.pid,
                     os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            return True
        self._signal_group(signal.SIGKILL)
        self.code = self.process.wait()
        del _mine[self.process.pid]
        kill_orphans()
        return False

    def _signal_group(self, number):
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def ask_to_end(self):
        if self.running():
            self.process.send_signal(signal.SIGTERM)

    def end(self, patience=3.0):
        """Asks it to stop, and kills it after `patience` seconds."""
        self.ask_to_end()
        if not self.wait(patience):
            self._signal_group(signal.SIGKILL)
            while self.running():
                time.sleep(0.01)

    def wait(self, seconds, stop=lambda: False):
        """Whether it stopped within this many seconds."""
        deadline = time.monotonic() + seconds
        while self.running():
            if time.monotonic() > deadline or stop():
                return False
            time.sleep(0.01)
        return True


def _children():
    """Ids of all children of this process, including those that have ended."""
    me = os.getpid()
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                # The name of the program, in brackets, may contain any characters.
                fields = file.read().rpartition(b")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == me:
            yield int(name)


def kill_orphans():
    """Kills the processes that fuzzers left behind, until there are none: a dying process may leave more."""
    for _ in range(100):
        orphans = [pid for pid in _children() if pid not in _mine]
        for pid in orphans:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        if not orphans:
            return


def end_all():
    """No process of the campaign survives it, even if it is killed."""
    for child in list(_mine.values()):
        child.end(0.0)
    kill_orphans()
