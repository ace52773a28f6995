"""A folder in which a command runs with a fault, and the result."""

import dataclasses
import os
import re
import shutil
import subprocess
import sys
import tempfile

import families

# Parts that are never the same twice. Also the report's facts about the confinement: that query is a call that may fail
# like any other, and then the report claims less than is true.
_TIME = re.compile(rb"\d+(\.\d+)? (ns|us|\xc2\xb5s|ms|s)\b"
                   rb"|\"(elapsed_ms|inode|modified_ns|changed_ns)\": ?[\d.e+-]+"
                   rb"|\"(time|startTimeUtc)\": ?\"[^\"]*\"|\"confinement\": ?\{[^}]*\}")


@dataclasses.dataclass
class Outcome:
    """The externally visible results of a run."""
    code: int = -1               # negative: the signal that killed the command
    out: bytes = b""
    error: bytes = b""
    made: dict = dataclasses.field(default_factory=dict)   # new or changed files, and their bytes
    calls: dict = dataclasses.field(default_factory=dict)  # by (process, call)
    faults: list = dataclasses.field(default_factory=list)  # (process, call, writes, path)
    hung: bool = False
    outlived: list = dataclasses.field(default_factory=list)

    def said(self, words=True):
        """All output without times; without words, also without standard error."""
        return (self.code, _TIME.sub(b"T", self.out), _TIME.sub(b"T", self.error) if words else b"",
                {name: _TIME.sub(b"T", content) for name, content in self.made.items()})


def scratch_root():
    """A file system in memory if there is one, because about ten thousand files are made and removed."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def _snapshot(folder):
    found = {}
    for at, folders, files in os.walk(folder):
        for name in folders + files:
            path = os.path.join(at, name)
            status = os.lstat(path)
            stamp = None if name in folders else (status.st_size, status.st_mtime_ns, status.st_ino)
            found[os.path.relpath(path, folder)] = stamp
    return found


class Workplace:
    """`programs` has the paths of the command, of the tracer and of the command with a failing heap."""

    def __init__(self, programs, corpus, root=None):
        self.program, self.tracer, self.failing_heap = programs
        self.corpus = corpus
        self.server = None
        self.seconds = 20  # after that, a command counts as hanging
        self.outer = tempfile.mkdtemp(prefix="ggufgate-faults-", dir=root or scratch_root())
        self.folder = os.path.join(self.outer, "work")
        self.report = os.path.join(self.outer, "report")
        self.reset()

    def close(self):
        if self.server:
            self.server.stdin.close()
            self.server.wait()
        shutil.rmtree(self.outer, ignore_errors=True)

    def reset(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        families.fill(self.folder, self.corpus)
        self.before = _snapshot(self.folder)
        with open(os.path.join(self.folder, families.MODEL), "rb") as file:
            self.model = file.read()

    def run(self, family, faults=(), program=None):
        """Runs the command of a family, with faults in the notation of fault-tracer."""
        command = [self.tracer, "--report", self.report, "--seconds", str(self.seconds)]
        for fault in (*family.base, *faults):
            command += ["--fault", fault]
        command += ["--", *(program or [self.program, *family.arguments])]
        outcome = Outcome()
        with open(os.path.join(self.folder, families.MODEL), "rb") as model:
            given = {"none": {"stdin": subprocess.DEVNULL}, "file": {"stdin": model},
                     "pipe": {"input": self.model},
                     "long pipe": {"input": families.long_model()}}[family.stdin]
            error = os.path.join(self.outer, "error")  # a file, whose name distinguishes it from the output
            with open(error, "wb") as words:
                ended = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE,
                                       stderr=words, check=False, **given)
        outcome.out = ended.stdout
        with open(error, "rb") as words:
            outcome.error = words.read()
        if ended.returncode != 0:
            sys.exit(f"the tracer failed: {outcome.error.decode(errors='replace')}")
        self._read_report(outcome)
        self.look(outcome)
        return outcome

    def run_short_of_memory(self, family, process, number, times):
        """Runs it with an allocation that fails. Outcome.faults then has the process, or is empty, and Outcome.calls
        has the allocations."""
        if self.server is None:
            self.server = subprocess.Popen([self.failing_heap], stdin=subprocess.PIPE,
                                           stdout=subprocess.PIPE, text=True)
        out, error = os.path.join(self.outer, "out"), os.path.join(self.outer, "error")
        stdin = {"none": "/dev/null", "file": os.path.join(self.folder, families.MODEL)}
        fields = [process, number, times, self.seconds, self.folder, stdin[family.stdin], out, error,
                  *family.arguments]
        self.server.stdin.write("\t".join(map(str, fields)) + "\n")
        self.server.stdin.flush()
        words = self.server.stdout.readline().split()
        outcome = Outcome(code=int(words[1]) if words[0] == "code" else -int(words[1]))
        outcome.faults = [process] * int(words[3])
        outcome.hung = "hung" in words
        outcome.outlived = ["some"] if "outlived" in words else []
        outcome.calls = {name: int(count) for name, count in
                         (word.split("=") for word in words if "=" in word)}
        with open(out, "rb") as file:
            outcome.out = file.read()
        with open(error, "rb") as file:
            outcome.error = file.read()
        self.look(outcome)
        return outcome

    def _read_report(self, outcome):
        with open(self.report, encoding="utf-8", errors="replace") as lines:
            for line in lines:
                word, *rest = line.rstrip("\n").split(" ", 4)
                if word == "count":
                    outcome.calls[rest[0], rest[1]] = int(rest[2])
                elif word == "fault":
                    path = os.path.relpath(rest[3], self.folder) \
                        if rest[3].startswith(self.folder) else rest[3]
                    outcome.faults.append((rest[0], rest[1], int(rest[2]), path))
                elif word == "end" and rest[0] == "0":
                    outcome.code = int(rest[2]) if rest[1] == "code" else -int(rest[2])
                elif word == "outlived":
                    outcome.outlived.append(rest[0])
                elif word == "hung":
                    outcome.hung = True

    def look(self, outcome):
        """Records the files that the run has left in the folder, and restores the folder."""
        after = _snapshot(self.folder)
        if after == self.before:
            return
        for name, stamp in after.items():
            if self.before.get(name, "absent") == stamp:
                continue
            path = os.path.join(self.folder, name)
            if stamp is None:
                outcome.made[name] = b"folder"
            else:
                with open(path, "rb") as file:
                    outcome.made[name] = file.read()
        for name in self.before:
            if name not in after:
                outcome.made[name] = b"removed"
        self.reset()
