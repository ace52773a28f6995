"""One file for each fuzzing engine: how it is started, read and asked for what it found.

An engine's Run has the same face as the others: start, poll (whether it still runs), stop, and
`record`, which is what the summary says of it.
"""

from dataclasses import dataclass, field

# What every execution is held to, in all engines and when a finding is reproduced.
TIMEOUT_SECONDS = 10
RSS_MB = 2048
MALLOC_MB = 512
MOST_BYTES = 4096  # of an input, unless the target's .options file has max_len
BURST_SECONDS = 0.2


@dataclass
class Artifact:
    """An input that an engine put aside, or None and only what was printed."""
    path: str
    target: str
    engine: str
    report: str = ""  # what the fuzzer printed about it, if anything
    kind: str = "crash"  # as the engine sees it: crash, timeout


@dataclass
class Record:
    """One run of one fuzzer; `growth` has (seconds, edges, features, runs so far)."""
    target: str
    engine: str
    worker: int
    seconds: float = 0.0
    runs: int = 0
    edges: int = 0
    features: int = 0
    restarts: int = 0
    state: str = "done"  # done, stopped, overrun, failed
    note: str = ""
    growth: list = field(default_factory=list)

    def grow(self, seconds, edges, features, runs):
        self.edges, self.features = max(self.edges, edges), max(self.features, features)
        self.runs = max(self.runs, runs)
        point = (round(seconds, 2), edges, features, runs)
        # Engines report in bursts: the last of a burst says it all.
        if len(self.growth) > 1 and seconds - self.growth[-2][0] < BURST_SECONDS:
            self.growth[-1] = point
        else:
            self.growth.append(point)
