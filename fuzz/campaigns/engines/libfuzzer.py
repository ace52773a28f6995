"""libFuzzer: restarted after each crash until its time is up."""

import os
import re
import time

from campaigns import engines
from campaigns.process import Child, environment
from campaigns.text import tail_of

NAME = "libfuzzer"
MOST_RESTARTS = 100
MOST_LOG_BYTES = 64 << 20  # per process; more is excessive

# #209  INITED cov: 3751 ft: 7793 corp: 109/67Kb exec/s: 0 rss: 52Mb
PULSE = re.compile(rb"^#(\d+)\s+[A-Za-z]+\s+cov: (\d+) ft: (\d+) corp: (\d+)", re.MULTILINE)
READING = re.compile(rb"^INFO: seed corpus: files:", re.MULTILINE)
READ = re.compile(rb"^#\d+\s+INITED", re.MULTILINE)
WROTE = "Test unit written to "
EXECUTED = re.compile(rb"^stat::number_of_executed_units: (\d+)", re.MULTILINE)


def sanitizer_environment(symbolizer):
    """Only the options for reports; fuzz/support/asan_defaults.cc has the rest."""
    where = f":external_symbolizer_path={symbolizer}"
    return environment({"ASAN_OPTIONS": "handle_abort=1" + where,
                        "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1" + where,
                        "MSAN_OPTIONS": where[1:]})


def limits():
    return [f"-timeout={engines.TIMEOUT_SECONDS}", f"-rss_limit_mb={engines.RSS_MB}",
            f"-malloc_limit_mb={engines.MALLOC_MB}"]


class Run:
    """`folder` is private, for logs and artifacts; `corpus` is shared by all runs of the target."""

    def __init__(self, target, worker, seconds, seed, folder, corpus, setup):
        self.target, self.setup = target, setup
        self.seconds, self.seed = seconds, seed
        self.folder, self.corpus = folder, corpus
        self.record = engines.Record(target.name, NAME, worker)
        self.artifacts = []
        self._seen = set()
        self._stopping = False

    def start(self):
        os.makedirs(os.path.join(self.folder, "artifacts"))
        self.began = time.monotonic()
        self._runs_before = 0
        self._spawn()

    def _left(self):
        return self.began + self.seconds - time.monotonic()

    def _spawn(self):
        seconds = max(1, round(self._left()))
        log = os.path.join(self.folder, f"{self.record.restarts}.log")
        command = [self.target.programs[NAME], *limits(), f"-max_total_time={seconds}",
                   f"-max_len={self.target.most_bytes}",
                   f"-seed={(self.seed + self.record.restarts) % (1 << 32) or 1}",
                   f"-artifact_prefix={os.path.join(self.folder, 'artifacts', '')}",
                   "-print_final_stats=1", "-print_funcs=0", "-reload=1"]
        if self.target.dictionary:
            command.append(f"-dict={self.target.dictionary}")
        self._read_to, self._rest, self._reading = 0, b"", False
        self.child = Child([*command, self.corpus], log,
                           sanitizer_environment(self.setup.symbolizer))
        self._deadline = time.monotonic() + seconds + self.setup.grace

    def poll(self):
        running = self.child.running()
        self._read_log()
        if running:
            if time.monotonic() > self._deadline or self._read_to > MOST_LOG_BYTES:
                self.child.end(0.0)
                if self.record.state == "stopped":
                    pass  # it had little time to stop
                elif self._reading:  # -max_total_time counts, but is checked only after reading
                    self.record.note = "was still reading the corpus"
                else:
                    self.record.state = "overrun"
                    self.record.note = "did not end by itself and was killed"
                self._collect()
                return self._finish()
            return True
        new = self._collect()
        if self.child.code == 0 or self._stopping:
            return self._finish()
        # If the same input is found again, no file with a new name appears.
        if not new and WROTE not in tail_of(self.child.log):
            self.record.state = "failed"
            self.record.note = f"ended with code {self.child.code} and left no input"
            return self._finish()
        if self._left() < 1 or self.record.restarts >= MOST_RESTARTS:
            return self._finish()
        self.record.restarts += 1
        self._runs_before = self.record.runs
        self._spawn()
        return True

    def stop(self):
        """Asks it to stop; poll must be called until it has stopped."""
        self._stopping = True
        if self.record.state == "done":
            self.record.state = "stopped"
        self._deadline = min(self._deadline, time.monotonic() + 3)
        self.child.ask_to_end()

    def _finish(self):
        self.record.seconds = time.monotonic() - self.began
        return False

    def _read_log(self):
        with open(self.child.log, "rb") as file:
            file.seek(self._read_to)
            fresh = file.read(1 << 20)
        self._read_to += len(fresh)
        text = self._rest + fresh
        lines, _, self._rest = text.rpartition(b"\n")
        self._rest = self._rest[-4096:]
        if READING.search(lines):
            self._reading = True
        if READ.search(lines):
            self._reading = False
        now = time.monotonic() - self.began
        for runs, edges, features, files in PULSE.findall(lines):
            self.record.grow(engines.Point(now, self._runs_before + int(runs), int(edges),
                                           int(features), int(files)))
        for runs in EXECUTED.findall(lines):
            # libFuzzer reports anything new immediately, so nothing was found since then.
            self.record.grow(engines.Point(now, self._runs_before + int(runs), self.record.edges,
                                           self.record.features))

    def _collect(self):
        """Records new artifacts. A crashing input is removed from the corpus, because it would crash every start."""
        folder, new = os.path.join(self.folder, "artifacts"), False
        for name in sorted(os.listdir(folder)):
            if name in self._seen or name.startswith("slow-unit-"):
                continue
            self._seen.add(name)
            new = True
            kind, _, digest = name.rpartition("-")
            self.artifacts.append(engines.Artifact(
                os.path.join(folder, name), self.target.name, NAME, tail_of(self.child.log),
                "timeout" if kind == "timeout" else "crash"))
            in_corpus = os.path.join(self.corpus, digest)
            if os.path.isfile(in_corpus):
                os.remove(in_corpus)
        return new


def reproduce_command(program, paths):
    return [program, *limits(), *paths]
