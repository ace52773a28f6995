"""Minimises a corpus: libFuzzer keeps a file for each feature that no other file shows."""

import os
import shutil
import time

from campaigns import corpus, engines
from campaigns.engines import libfuzzer
from campaigns.process import Child
from campaigns.text import tail_of


class Merge:
    """Replaces the corpus if it finishes in time; `merged` tells whether it did."""

    def __init__(self, target, seconds, folder, setup):
        self.target, self.setup = target, setup
        self.corpus, self.seconds = folder, seconds
        self.merged, self.note, self.artifacts = False, "no time", []

    def start(self):
        self.new = self.corpus + ".new"
        self.work = os.path.join(self.setup.run_folder, f"{self.target.name}.merge")
        for folder in (self.new, self.work):
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
        self._deadline = time.monotonic() + self.seconds
        self.child = Child(
            [self.target.programs[libfuzzer.NAME], *libfuzzer.limits(), "-merge=1",
             f"-max_len={self.target.most_bytes}",
             f"-merge_control_file={os.path.join(self.work, 'control')}",
             f"-artifact_prefix={os.path.join(self.work, '')}", self.new, self.corpus],
            os.path.join(self.setup.run_folder, f"{self.target.name}.merge.log"),
            libfuzzer.sanitizer_environment(self.setup.symbolizer))

    def poll(self):
        timed_out = self.child.running()
        if timed_out:
            if time.monotonic() < self._deadline:
                return True
            self.child.end(0.0)
        for name in sorted(os.listdir(self.work)):
            if name.partition("-")[0] in ("crash", "timeout", "oom", "leak"):
                self.artifacts.append(engines.Artifact(
                    os.path.join(self.work, name), self.target.name, libfuzzer.NAME,
                    tail_of(self.child.log),
                    "timeout" if name.startswith("timeout") else "crash"))
        # Only a complete result replaces a corpus, and never an empty one.
        self.merged = self.child.code == 0 and bool(os.listdir(self.new))
        if self.merged:
            corpus.replace(self.corpus, self.new)
        elif not timed_out:
            self.note = f"the merge ended with code {self.child.code}; see {self.child.log}"
        shutil.rmtree(self.new, ignore_errors=True)
        return False

    def stop(self):
        self._deadline = 0.0

    def done(self):
        pass
