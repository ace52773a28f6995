#!/usr/bin/env python3
"""scripts/progress shows that a command is running, keeps its output, and returns its exit code.

usage: progress.py    exit code 1 if something does not hold
"""

import os
import pty
import subprocess
import tempfile

from support.checks import TOP, main

PROGRAM = os.path.join(TOP, "scripts/progress")


def start(log, *command):
    return subprocess.Popen([PROGRAM, "name", log, *command], env=dict(os.environ, GGUFGATE_PROGRESS_SECONDS="0.1"),
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def judge_waiting(folder):
    """A command that runs until a line about it was printed."""
    log, gate = os.path.join(folder, "log"), os.path.join(folder, "gate")
    os.mkfifo(gate)
    process = start(log, "sh", "-c", f"echo first; echo; read word < {gate}; echo error >&2; exit 3")
    # The first lines may come before the command has printed anything.
    lines = iter(process.stderr.readline, "")
    told = next((line for line in lines if "no output yet" not in line), "")
    with open(gate, "w", encoding="utf-8") as file:
        file.write("go\n")
    out, _ = process.communicate()
    with open(log, encoding="utf-8") as file:
        kept = file.read()
    problems = []
    if not told.startswith("name: ") or not told.endswith(" s: first\n"):
        problems.append(f"told: {told!r}")
    if process.returncode != 3:
        problems.append(f"exit code {process.returncode} and not that of the command, 3")
    if out or kept != "first\n\nerror\n":
        problems.append(f"the log has {kept!r}, standard output {out!r}")
    return problems


def read_all(terminal):
    said = b""
    while True:
        try:
            part = os.read(terminal, 4096)
        except OSError:  # the last writer closed its side
            return said
        if not part:
            return said
        said += part


def judge_terminal(folder):
    """A terminal shows each line in place of the one before, and at the end none."""
    log = os.path.join(folder, "of a terminal")
    ours, theirs = pty.openpty()
    process = subprocess.Popen([PROGRAM, "name", log, "sh", "-c", "echo one; printf 'tw\\033o'; exit 4"],
                               env=dict(os.environ, TERM="xterm"), stdin=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    said = read_all(ours)
    os.close(ours)
    wipe = b"\r\x1b[K"
    with open(log, encoding="utf-8") as file:
        kept = file.read()
    problems = []
    if process.wait() != 4:
        problems.append(f"terminal: exit code {process.returncode}, expected 4")
    if said != wipe + b"one" + wipe + b"two" + wipe or kept != "one\ntw\033o\n":
        problems.append(f"terminal: shown {said!r}, kept {kept!r}")
    return problems


def judge_usage(folder):
    process = start(os.path.join(folder, "other"))
    _, error = process.communicate()
    return [] if process.returncode == 2 and error.startswith("usage:") else ["no command is no wrong usage"]


def check():
    with tempfile.TemporaryDirectory() as folder:
        problems = judge_waiting(folder) + judge_terminal(folder) + judge_usage(folder)
    return problems, f"progress: {len(problems)} problems"


if __name__ == "__main__":
    main(check, None)
