#!/usr/bin/env python3
"""Judges a file on a terminal of its own, interrupts that once the line of progress is there, and looks
at what is left: no line, no process, and an end by the signal.

usage: interrupt.py key|signal GGUFGATE FILE    exit code 1 if something is left

  key      Ctrl-C, which tells every process of the command
  signal   SIGINT to the command alone
"""

import os
import pty
import signal
import sys
import time

WIPE = b"\r\x1b[K"


def read(terminal):
    try:
        return os.read(terminal, 65536)
    except OSError:  # the other end is closed
        return b""


def processes_with(path):
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/cmdline", "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if os.fsencode(path) in words and int(number) != os.getpid():
            found.append(number)
    return found


def main():
    way, program, path = sys.argv[1:]
    child, terminal = pty.fork()
    if child == 0:
        # A shell without job control starts background commands with SIGINT ignored, and programs inherit that.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.environ.update(TERM="xterm", COLUMNS="100")
        os.execv(program, [program, "check", "--data", "full", path])
    shown = b""
    while b"endless.gguf" not in shown:
        more = read(terminal)
        if not more:
            print("it ended before a line was shown:", shown)
            return 1
        shown += more
    if way == "key":
        os.write(terminal, b"\x03")
    else:
        os.kill(child, signal.SIGINT)
    while more := read(terminal):
        shown += more
    _, status = os.waitpid(child, 0)
    problems = []
    if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGINT:
        problems.append(f"it ended with status {status}")
    if not shown.endswith(WIPE):
        problems.append(f"the last that was shown is {shown[-80:]}")
    for _ in range(100):  # the workers are killed after their parent exits, which takes a moment
        left = processes_with(path)
        if not left:
            break
        time.sleep(0.1)
    problems += [f"process {number} goes on" for number in left]
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
