"""One file for each fuzzing engine: how to start it, read its output and get its findings.

The Run classes of all engines have the same interface: start, poll (whether it still runs), stop, and `record`, the
data for the summary.
"""

from dataclasses import dataclass, field

# Limits of every execution, in all engines and when a finding is reproduced.
TIMEOUT_SECONDS = 10
RSS_MB = 2048
MALLOC_MB = 512
MOST_BYTES = 4096  # per input, unless the target's .options file has max_len
BURST_SECONDS = 0.2


@dataclass
class Artifact:
    """An input that an engine put aside, or None with only the output."""
    path: str
    target: str
    engine: str
    report: str = ""  # the fuzzer's output about it, if any
    kind: str = "crash"  # as classified by the engine: crash, timeout


@dataclass(frozen=True)
class Point:
    """The progress of a run after this many seconds; None for values that the engine did not report."""
    seconds: float
    executions: int
    edges: int | None = None
    features: int | None = None
    corpus: int | None = None  # files


@dataclass
class Record:
    """One run of one fuzzer."""
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
    growth: list = field(default_factory=list)  # of Points

    def grow(self, point):
        self.runs = max(self.runs, point.executions)
        self.edges = max(self.edges, point.edges or 0)
        self.features = max(self.features, point.features or 0)
        # Engines report in bursts: the last report of a burst contains the others.
        if (len(self.growth) > 1 and point.seconds - self.growth[-2].seconds < BURST_SECONDS
                and (point.edges is None) == (self.growth[-1].edges is None)):
            self.growth.pop()
        self.growth.append(point)

    def rate(self):
        """Executions per second since the start of the program."""
        return self.runs / self.growth[-1].seconds if (
            self.growth and self.growth[-1].seconds > 0) else 0.0
