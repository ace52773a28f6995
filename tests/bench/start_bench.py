#!/usr/bin/env python3
"""How long a whole `ggufgate check` of a small file takes, beside /bin/true in the same measurement.

usage: start_bench.py [--runs N] [--at-most MS] PROGRAM [FILE]

Runs each command N times (50) in turns, and prints medians and the fastest, in milliseconds of wall
time from starting the process to its end. Behind them stands the median as a multiple of that of
/bin/true. With --at-most, the exit code is 1 when the median of the check is above. Not a test: times
depend on what else the machine does.
"""

import argparse
import os
import statistics
import sys
import time

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../corpus/valid/sample-llama.gguf")


def milliseconds(words):
    quiet = [(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)]
    begin = time.perf_counter_ns()
    process = os.posix_spawn(words[0], words, os.environ, file_actions=quiet)
    _, status = os.waitpid(process, 0)
    end = time.perf_counter_ns()
    if status != 0:
        sys.exit(f"{' '.join(words)}: ended with status {status}")
    return (end - begin) / 1e6


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("program")
    parser.add_argument("file", nargs="?", default=SAMPLE)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--at-most", type=float)
    options = parser.parse_args()
    program = os.path.abspath(options.program)
    commands = {
        "true": ["/bin/true"],
        "ggufgate --version": [program, "--version"],
        "ggufgate check --second-opinion never": [program, "check", "--second-opinion", "never", options.file],
        "ggufgate check": [program, "check", options.file],
    }
    times = {name: [] for name in commands}
    for turn in range(options.runs + 3):
        for name, words in commands.items():
            taken = milliseconds(words)
            if turn >= 3:  # until everything is in the caches
                times[name].append(taken)
    true = statistics.median(times["true"])
    for name, taken in times.items():
        median = statistics.median(taken)
        print(f"{name:40} median {median:6.2f} ms   fastest {min(taken):6.2f} ms   {median / true:5.2f} times true")
    median = statistics.median(times["ggufgate check"])
    return 1 if options.at_most is not None and median > options.at_most else 0


if __name__ == "__main__":
    sys.exit(main())
