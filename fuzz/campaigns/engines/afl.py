"""AFL++: persistent mode, with our mutator where inputs are GGUF files."""

import os
import re
import shutil
import time

from campaigns import corpus, engines
from campaigns.process import Child, environment
from campaigns.text import plain, tail_of

NAME = "afl"
READ_EVERY = 2.0  # seconds
EXCHANGE_EVERY = 10.0  # seconds

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
ATTEMPT = re.compile(r"Attempting dry run with 'id:\d+,.*?orig:(.+)'\.\.\.")
# Of a test case that was attempted last; AFL++ leaves it out and goes on.
SKIPPED = re.compile(r"WARNING:.*[Tt]est case.* results in a (crash|timeout)")
ABORT = re.compile(r"PROGRAM ABORT *: *(.*)")


def afl_environment(target, setup):
    env = {
        "AFL_NO_UI": "1", "AFL_NO_AFFINITY": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_NO_COLOR": "1",
        "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1", "AFL_NO_CRASH_README": "1",
        "AFL_SKIP_CRASHES": "1",  # a seed that crashes is read from the log instead
        "AFL_HANG_TMOUT": str(engines.TIMEOUT_SECONDS * 1000),
        "AFL_FORKSRV_INIT_TMOUT": "30000",
        "AFL_FAST_CAL": "1",
    }
    if target.gguf:
        env["AFL_CUSTOM_MUTATOR_LIBRARY"] = setup.afl_mutator
    return environment(env)


class Run:
    """`folder` is its own; the queue is copied into `corpus` now and then, and at the end."""

    def __init__(self, target, worker, seconds, seed, folder, corpus_folder, setup):
        self.target, self.setup = target, setup
        self.seconds, self.seed = seconds, seed
        self.folder, self.corpus = folder, corpus_folder
        self.record = engines.Record(target.name, NAME, worker)
        self.artifacts = []
        self._stopping = False

    def start(self):
        os.makedirs(self.folder)
        # libFuzzer may remove files of the corpus at any time: AFL++ gets names of its own.
        self.seeds = os.path.join(self.folder, "in")
        corpus.snapshot(self.corpus, self.seeds)
        # Shared by all of the target, who take from one another what they found.
        self.out = os.path.join(os.path.dirname(self.folder), f"{self.target.name}.afl.out")
        self.name = f"worker{self.record.worker}"
        self.log = os.path.join(self.folder, "0.log")
        seconds = max(1, round(self.seconds))
        command = ["afl-fuzz", "-i", self.seeds, "-o", self.out, "-S", self.name, "-s", str(self.seed % (1 << 31)),
                   "-V", str(seconds), "-t", "2000+", "-G", str(self.target.most_bytes)]
        if self.target.dictionary:
            command += ["-x", self.target.dictionary]
        if self.target.programs.get("cmplog"):
            command += ["-c", self.target.programs["cmplog"]]
        self.began = time.monotonic()
        self._deadline = self.began + seconds + self.setup.grace
        self._next_read = self._next_exchange = self.began + READ_EVERY
        self._exchanged = set()
        self.child = Child([*command, "--", self.target.programs[NAME]], self.log,
                           afl_environment(self.target, self.setup))

    def poll(self):
        running, now = self.child.running(), time.monotonic()
        if running and now > self._deadline:
            self.child.end(0.0)
            self.record.state = "overrun"
            self.record.note = "did not end by itself and was killed"
            running = False
        if not running:
            return self._finish()
        if now > self._next_read:
            self._next_read = now + READ_EVERY
            self._read_statistics()
        if now > self._next_exchange:
            self._next_exchange = now + EXCHANGE_EVERY
            self._exchange()
        return True

    def stop(self):
        self._stopping = True
        if self.record.state == "done":
            self.record.state = "stopped"
        self._deadline = min(self._deadline, time.monotonic() + 3)
        self.child.ask_to_end()

    def _finish(self):
        self.record.seconds = time.monotonic() - self.began
        self._read_statistics()
        self._exchange()
        log = COLOUR.sub("", tail_of(self.log, 4 << 20))
        if self.child.code != 0 and self.record.state == "done":
            reason = ABORT.search(log)
            self.record.state = "failed"
            self.record.note = plain(reason[1] if reason
                                     else f"afl-fuzz ended with code {self.child.code}")[:200]
        self._collect(log)
        shutil.rmtree(self.seeds, ignore_errors=True)
        return False

    def _instance(self):
        return os.path.join(self.out, self.name)

    def _read_statistics(self):
        """fuzzer_stats is written by a run in full now and then; plot_data has a line each time."""
        values = {}
        for line in tail_of(os.path.join(self._instance(), "fuzzer_stats")).splitlines():
            name, _, value = line.partition(":")
            values[name.strip()] = value.strip()
        if values.get("execs_done", "").isdigit():
            self._point(time.monotonic() - self.began, values.get("edges_found"),
                        values["execs_done"])
        # plot_data is finer, where there is any
        for line in tail_of(os.path.join(self._instance(), "plot_data"), 1 << 20).splitlines():
            columns = [column.strip() for column in line.split(",")]
            if not line.startswith("#") and len(columns) >= 13 and columns[0].isdigit():
                self._point(float(columns[0]), columns[12], columns[11])

    def _point(self, seconds, edges, runs):
        if edges and edges.isdigit() and runs.isdigit():
            last = self.record.growth[-1] if self.record.growth else (-1.0, 0, 0, -1)
            if seconds > last[0] and int(runs) > last[3]:
                self.record.grow(seconds, int(edges), 0, int(runs))

    def _exchange(self):
        """What AFL++ found becomes part of the corpus, where a running libFuzzer sees it."""
        queue = os.path.join(self._instance(), "queue")
        if not os.path.isdir(queue):
            return
        for name in sorted(os.listdir(queue)):
            path = os.path.join(queue, name)
            if name in self._exchanged or ",orig:" in name or not os.path.isfile(path):
                continue
            self._exchanged.add(name)
            corpus.add_file(path, self.corpus)

    def _collect(self, log):
        attempted = None
        for line in log.splitlines():
            if found := ATTEMPT.search(line):
                attempted = found[1]
            elif (found := SKIPPED.search(line)) and attempted:
                self._keep(os.path.join(self.seeds, os.path.basename(attempted)), found[1])
                attempted = None
        for folder, kind in (("crashes", "crash"), ("hangs", "timeout")):
            top = os.path.join(self._instance(), folder)
            for name in sorted(os.listdir(top)) if os.path.isdir(top) else []:
                if name.startswith("id:"):
                    self._keep(os.path.join(top, name), kind)

    def _keep(self, path, kind):
        """In a file of a plain name, as AFL++'s names hold what a mutator said."""
        if not os.path.isfile(path):
            return
        kept = os.path.join(self.folder, f"{kind}-{len(self.artifacts):04}")
        shutil.copyfile(path, kept)
        self.artifacts.append(engines.Artifact(kept, self.target.name, NAME, "", kind))
        in_corpus = os.path.join(self.corpus, corpus.digest_of(path))
        if os.path.isfile(in_corpus):
            os.remove(in_corpus)
