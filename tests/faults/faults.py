#!/usr/bin/env python3
"""Every fault ends in the right exit code, with a word, and leaves nothing behind: docs/faults.md.

usage: faults.py --program FILE --tracer FILE --failing-heap FILE [--layer NAME]... [--family WORD]...
                 [--quick | --stride N] [--jobs N]
       faults.py --program FILE --tracer FILE --failing-heap FILE --self-test

Exit code 0 all is well, 1 a fault ended otherwise, 77 processes cannot be traced here.
"""

import argparse
import contextlib
import os
import queue
import signal
import subprocess
import sys
import tempfile
import time

import changes
import families
import memory
import self_test
import signals
import surroundings
import system_calls
import workplace


class Places:
    """Workplaces, each for one run at a time."""

    def __init__(self, count, *arguments):
        self.count = count
        self.free = queue.SimpleQueue()
        self.all = [workplace.Workplace(*arguments) for _ in range(count)]
        for place in self.all:
            self.free.put(place)

    @contextlib.contextmanager
    def one(self):
        place = self.free.get()
        try:
            yield place
        finally:
            self.free.put(place)

    def close(self):
        for place in self.all:
            place.close()


# The layers, and the stride of each in a quick run.
LAYERS = {
    "calls": (system_calls.run, 141),
    "memory": (memory.run, 801),
    "signals": (signals.run, 41),
    "changes": (changes.run, 7),
    "surroundings": (surroundings.run, 9),
}


def can_trace(programs):
    """Containers may forbid tracing."""
    with tempfile.NamedTemporaryFile() as report:
        traced = subprocess.run([programs[1], "--report", report.name, "--", "true"], check=False)
        return traced.returncode == 0 and b"end 0 code 0" in report.read()


def take_signals():
    """Signals that are ignored here (nohup, a background job) would be ignored by the commands, too."""
    for one in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(one) == signal.SIG_IGN:
            signal.signal(one, signal.SIG_DFL)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--tracer", required=True)
    parser.add_argument("--failing-heap", required=True)
    parser.add_argument("--corpus", default=os.path.join(os.path.dirname(__file__), "../../corpus"))
    parser.add_argument("--layer", action="append", choices=list(LAYERS))
    parser.add_argument("--family", action="append")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--stride", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    chosen = [family for family in families.FAMILIES
              if not options.family or any(word in family.name for word in options.family)]
    programs = [os.path.abspath(path)
                for path in (options.program, options.tracer, options.failing_heap)]
    if not can_trace(programs):
        print("skipped: processes cannot be traced here")
        return 77
    places = Places(options.jobs, programs, os.path.abspath(options.corpus))
    take_signals()
    tally = system_calls.Tally()
    begin = time.monotonic()
    try:
        if options.self_test:
            return self_test.run(places, programs[0])
        for layer in options.layer or LAYERS:
            work, quick = LAYERS[layer]
            work(places, chosen, tally, quick if options.quick else options.stride)
    finally:
        places.close()
    print(tally.table())
    print(f"{len(tally.problems)} problems, {time.monotonic() - begin:.0f} s")
    return 1 if tally.problems else 0


if __name__ == "__main__":
    sys.exit(main())
