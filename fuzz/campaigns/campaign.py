"""The campaign itself: build, seed, fuzz, analyse findings, merge, report."""

import os
import shutil
import signal
import time
import traceback

from campaigns import build, command_line, corpus, maintainers, process, schedule, summary
from campaigns.crashes import Triage
from campaigns.engines import afl, libfuzzer
from campaigns.merge import Merge
from campaigns.setup import Setup, open_folder
from campaigns.text import CouldNot, plural, say

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
MOST_TRIAGE_SECONDS = 120.0  # in addition to the minutes, and only if something was found
RUNS = {libfuzzer.NAME: libfuzzer.Run, afl.NAME: afl.Run}
POLL = 0.1  # seconds


def run_all(lines, setup, deadline):
    """Runs the lines in parallel, and the (make, seconds) of each line one after the other. Returns the runs. If a run
    takes too long, the later runs of its line are shortened in proportion."""
    ran, lines, running = [], [list(line) for line in lines], {}
    while any(lines) or running:
        for number, line in enumerate(lines):
            while line and number not in running and not setup.interrupted():
                left = deadline - time.monotonic()
                planned = sum(seconds for _, seconds in line)
                make, seconds = line.pop(0)
                seconds *= min(1.0, left / planned)
                if seconds >= schedule.SHORTEST / 2:
                    running[number] = make(seconds)
                    running[number].start()
                    ran.append(running[number])
        if setup.interrupted():
            lines = [[] for _ in lines]
            for run in running.values():
                run.stop()
        for number, run in list(running.items()):
            if not run.poll():
                del running[number]
                run.done()
        time.sleep(POLL)
    return ran


def main(arguments):
    try:
        return Campaign(command_line.parse(arguments, ROOT)).run()
    except CouldNot as problem:
        say(problem)
    except KeyboardInterrupt:
        say("interrupted before there was anything to tell")
    except Exception:  # a bug in this code, or a full disk, must not look like a finding
        for line in traceback.format_exc().splitlines():
            say(line)
    return 2


class Campaign:
    def __init__(self, options):
        self.options = options
        self.setup = Setup(options, ROOT)
        self.records, self.corpora, self.artifacts = [], [], []

    def run(self):
        setup = self.setup
        self.lock = open_folder(setup.out)
        shutil.rmtree(setup.run_folder, ignore_errors=True)
        os.makedirs(setup.run_folder)
        triage = Triage(os.path.join(setup.out, "crashes"), self.options.known, setup)
        process.become_subreaper()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, setup.interrupt)
        builder = build.Builder(ROOT, self.options, os.path.join(setup.run_folder, "build.log"),
                                setup.interrupted)
        self.targets = builder.build()
        setup.afl_mutator = builder.release("ggufgate-afl-mutator.so")
        command = builder.release("ggufgate")
        setup.reduce_command = command if os.access(command, os.X_OK) else ""
        if "afl" in self.options.engines:
            build.need("afl-fuzz")
        setup.began = time.monotonic()  # building is not counted
        try:
            self._seed()
            self._fuzz()
            self._merge()
            self._look_into(triage)
        finally:
            process.end_all()
        return self._tell(triage)

    def corpus_of(self, target):
        return os.path.join(self.setup.out, "corpus", target.name)

    def _seed(self):
        for target in self.targets:
            folder = self.corpus_of(target)
            corpus.recover(folder)
            _, left_out = corpus.seed(target, folder)
            if left_out:
                say(f"{target.name}: {plural(left_out, 'seed')} of more than "
                    f"{target.most_bytes} bytes, or empty, left out")
            self.corpora.append({"target": target.name,
                                 "files_before": corpus.size_of(folder)[0]})

    def _fuzz(self):
        """Reserves a fifth of the time for merging corpora, or less if that is enough."""
        whole, jobs = self.options.minutes * 60, self.options.jobs
        seconds = whole - min(0.2 * whole, 10 + 6 * len(self.targets) / jobs)
        # All of libFuzzer first: AFL++ reads the corpus only when it starts, libFuzzer at any time.
        tasks = [(target, engine) for engine in self.options.engines for target in self.targets]
        lines = schedule.plan(tasks, jobs, seconds)
        say(f"{plural(len(self.targets), 'target')}, {seconds:.0f} s of fuzzing, "
            f"{plural(jobs, 'job')}")
        number = 0
        makers = []
        for line in lines:
            makers.append([])
            for piece in line:
                number += 1
                makers[-1].append((self._maker(piece, number), piece.seconds))
        for run in run_all(makers, self.setup, self.setup.began + seconds):
            self.records.append(run.record)
            self.artifacts += run.artifacts

    def _maker(self, piece, number):
        target, engine = piece.task
        folder = os.path.join(self.setup.run_folder, f"{target.name}.{engine}.{piece.worker}")
        seed = self.options.seed * 1000 + number

        def make(seconds):
            run = RUNS[engine](target, piece.worker, seconds, seed, folder,
                               self.corpus_of(target), self.setup)
            run.done = lambda: self._say_run(run)
            return run
        return make

    def _say_run(self, run):
        record = run.record
        say(f"{record.target} {record.engine}: {record.seconds:.0f} s, {record.runs:,} runs, "
            f"{record.rate():,.0f}/s, "
            f"{record.edges:,} edges, {plural(len(run.artifacts), 'artifact')}"
            + (f"; {record.state}: {record.note}" if record.state in ("failed", "overrun") else ""))

    def _look_into(self, triage):
        if not self.setup.interrupted():
            self.artifacts = triage.left_unread(self.targets) + self.artifacts
        if self.artifacts:
            say(f"looking into {plural(len(self.artifacts), 'input')} that engines put aside")
        triage.read(self.targets, self.artifacts, time.monotonic() + MOST_TRIAGE_SECONDS)
        for record in self.records:
            if record.state == "overrun":
                triage.add_failure(record)

    def _merge(self):
        """If no time is left, the corpus stays as it is, and the next campaign merges it."""
        for entry, target in zip(self.corpora, self.targets):
            entry["files_found"] = corpus.size_of(self.corpus_of(target))[0]
        # A merge may also take slightly longer, so that a late start does not waste it.
        end = self.setup.began + self.options.minutes * 60 + self.setup.grace
        jobs = self.options.jobs
        able = [target for target in self.targets if libfuzzer.NAME in target.programs]
        left = max(1.0, end - time.monotonic())
        lines = []
        for slot in range(jobs):
            mine = able[slot::jobs]
            lines.append([(self._merger(target), left / len(mine)) for target in mine])
        merged = run_all(lines, self.setup, end)
        for merge in merged:
            self.artifacts += merge.artifacts
        notes = {merge.target.name: "" if merge.merged else merge.note for merge in merged}
        for entry, target in zip(self.corpora, self.targets):
            entry["files"], entry["bytes"] = corpus.size_of(self.corpus_of(target))
            entry["note"] = notes.get(target.name, "no time" if target in able else
                                      "there is no program of libFuzzer")
            entry["minimised"] = not entry["note"]
            if entry["note"]:
                say(f"{target.name}: the corpus is not minimised: {entry['note']}")

    def _merger(self, target):
        def make(seconds):
            return Merge(target, seconds, self.corpus_of(target), self.setup)
        return make

    def _tell(self, triage):
        failed = any(record.state == "failed" for record in self.records)
        missing = {target.name for target in self.targets} - {r.target for r in self.records}
        if missing and not self.setup.interrupted():
            say(f"no time for {', '.join(sorted(missing))}: more minutes or fewer targets")
        code = 1 if triage.new_count() else 2 if failed or missing else 0
        told = summary.make(self.setup, self.records, self.corpora, triage, code)
        summary.write(told, os.path.join(self.setup.out, "summary.json"))
        maintainers.write(f"Findings of {told['began']}", told["findings"], self.setup.out,
                          self.setup.reduce_command, {t.name for t in self.targets if t.gguf})
        say(f"{triage.words()}; {self.setup.elapsed():.0f} s; "
            f"{os.path.join(self.setup.out, 'findings.md')}")
        return code
