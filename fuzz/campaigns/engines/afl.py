"""AFL++ in persistent mode, with the project's mutator if the inputs are GGUF files."""

import os
import re
import shutil
import signal
import time

from campaigns import corpus, engines
from campaigns.process import Child, environment
from campaigns.text import plain, tail_of

NAME = "afl"
EXCHANGE_EVERY = 10.0  # seconds

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
ATTEMPT = re.compile(r"Attempting dry run with 'id:\d+,.*?orig:(.+)'\.\.\.")
# About the last test case tried; AFL++ skips it and continues.
SKIPPED = re.compile(r"WARNING:.*[Tt]est case.* results in a (crash|timeout)")
# id:000812,src:000253,time:12345,execs:8888,op:havoc,+cov
QUEUED = re.compile(r"id:(\d{1,9}),(?:[^,]*,)*?time:(\d{1,15}),execs:(\d{1,15})")
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
    """`folder` is private; the queue is copied into `corpus` now and then, and at the end."""

    def __init__(self, target, worker, seconds, seed, folder, corpus_folder, setup):
        self.target, self.setup = target, setup
        self.seconds, self.seed = seconds, seed
        self.folder, self.corpus = folder, corpus_folder
        self.record = engines.Record(target.name, NAME, worker)
        self.artifacts = []
        self._asked = False  # to stop

    def start(self):
        os.makedirs(self.folder)
        # libFuzzer may remove files of the corpus at any time, so AFL++ gets separate names.
        self.seeds = os.path.join(self.folder, "in")
        corpus.snapshot(self.corpus, self.seeds)
        # Shared by all AFL++ processes of the target, which exchange their inputs.
        self.out = os.path.join(os.path.dirname(self.folder), f"{self.target.name}.afl.out")
        self.name = f"worker{self.record.worker}"
        self.log = os.path.join(self.folder, "0.log")
        seconds = max(1, round(self.seconds))
        command = ["afl-fuzz", "-i", self.seeds, "-o", self.out, "-S", self.name,
                   "-s", str(self.seed % (1 << 31)), "-V", str(seconds), "-t", "1000",
                   "-G", str(self.target.most_bytes)]
        if self.target.dictionary:
            command += ["-x", self.target.dictionary]
        if self.target.programs.get("cmplog"):
            command += ["-c", self.target.programs["cmplog"]]
        self.began = time.monotonic()
        self._deadline = self.began + seconds + 1 + self.setup.grace
        self._next_exchange = self.began + EXCHANGE_EVERY
        self._exchanged = set()
        self.child = Child([*command, "--", self.target.programs[NAME]], self.log,
                           afl_environment(self.target, self.setup),
                           signal.SIGTERM)  # so that it stops its fork server

    def poll(self):
        running, now = self.child.running(), time.monotonic()
        if running and now > self.began + self.seconds + 1 and not self._asked:
            # -V starts only after all seeds have been tried, which may take long.
            self._asked = True
            self.child.ask_to_end()
        if running and now > self._deadline:
            self.child.end(0.0)
            if self.record.state == "done":
                self.record.state = "overrun"
                self.record.note = "did not end by itself and was killed"
            running = False
        if not running:
            return self._finish()
        if now > self._next_exchange:
            self._next_exchange = now + EXCHANGE_EVERY
            self._exchange()
        return True

    def stop(self):
        if self.record.state == "done":
            self.record.state = "stopped"
        self._deadline = min(self._deadline, time.monotonic() + 3)
        self.child.ask_to_end()

    def _finish(self):
        self.record.seconds = time.monotonic() - self.began
        self._read_growth()
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

    def _read_growth(self):
        """Reads times and executions from the names in the queue, and edges from the statistics, which are written only
        at the end of a short run."""
        values = {}
        for line in tail_of(os.path.join(self._instance(), "fuzzer_stats")).splitlines():
            name, _, value = line.partition(":")
            values[name.strip()] = value.strip()

        def number(name):
            return int(values[name]) if re.fullmatch(r"\d{1,18}", values.get(name, "")) else None

        # AFL++ counts the time from the end of the seeds.
        run_time = number("run_time") or 0
        late = max(0.0, self.record.seconds - run_time) if run_time else 0.0
        points = []
        queue = os.path.join(self._instance(), "queue")
        for name in os.listdir(queue) if os.path.isdir(queue) else []:
            if (found := QUEUED.match(name)) and ",orig:" not in name:
                points.append(engines.Point(late + int(found[2]) / 1000, int(found[3]),
                                            corpus=int(found[1]) + 1))
        for line in tail_of(os.path.join(self._instance(), "plot_data"), 1 << 20).splitlines():
            columns = [column.strip() for column in line.split(",")]
            if len(columns) >= 13 and all(re.fullmatch(r"\d{1,18}", columns[i])
                                          for i in (0, 3, 11, 12)):
                points.append(engines.Point(late + int(columns[0]), int(columns[11]),
                                            int(columns[12]), corpus=int(columns[3])))
        if number("execs_done") is not None:
            points.append(engines.Point(max(late + run_time, 0.1), number("execs_done"),
                                        number("edges_found"), corpus=number("corpus_count")))
        for point in sorted(points, key=lambda point: (point.executions, point.seconds)):
            self.record.grow(point)

    def _exchange(self):
        """Adds the inputs of AFL++ to the corpus, where a running libFuzzer reads them."""
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
        """Uses a file with a simple name, because AFL++'s names contain text from a mutator."""
        if not os.path.isfile(path):
            return
        kept = os.path.join(self.folder, f"{kind}-{len(self.artifacts):04}")
        shutil.copyfile(path, kept)
        self.artifacts.append(engines.Artifact(kept, self.target.name, NAME, "", kind))
        in_corpus = os.path.join(self.corpus, corpus.digest_of(path))
        if os.path.isfile(in_corpus):
            os.remove(in_corpus)
