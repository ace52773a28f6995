#!/usr/bin/env python3
"""Imitates a fuzz target linked with libFuzzer for fuzz/campaign.

Its name selects its behaviour: fuzz_sound, fuzz_crashing, fuzz_hanging … Inputs that contain "bug" crash it, "other
bug" in another way; with "slow bug" it never returns. It records the ids of its processes in the file `processes` in
its folder.
"""

import hashlib
import os
import signal
import subprocess
import sys
import time

ME = os.path.basename(sys.argv[0])
HERE = os.path.dirname(os.path.abspath(sys.argv[0]))
FLAGS = dict(word[1:].split("=", 1) for word in sys.argv[1:] if word.startswith("-"))
PATHS = [word for word in sys.argv[1:] if not word.startswith("-")]

REPORT = """ edit-one <i>; expected nothing
 metadata-add text-key-nul; expected key-nul; found magic
INVARIANT VIOLATED: a <b>bold</b> claim \x1b[31m&amp; more
==12== ERROR: libFuzzer: deadly signal
    #0 0x55fa162f3901 in __sanitizer_print_stack_trace (fuzz+0x112901) (BuildId: e7f5)
    #1 0x7f1b0da5a04f  (/lib/x86_64-linux-gnu/libc.so.6+0x3c04f) (BuildId: 93ac)
    #2 0x55fa1632b105 in ggufgate::fuzz::Require(bool, char const*) /x/tests/oracles/require.h:9:3
    #3 0x55fa1632b105 in ggufgate::{name}(std::span<int>) /x/build/fuzz/../../src/parse/a.cc:9:3
    #4 0x55fa162e2a11 in LLVMFuzzerTestOneInput /x/fuzz/targets/check.cc:30:1
"""


def note(pid):
    with open(os.path.join(HERE, "processes"), "a", encoding="ascii") as file:
        file.write(f"{pid}\n")


def say(text):
    sys.stderr.write(text)
    sys.stderr.flush()


def run_input(data):
    """Crashes, or returns."""
    if ME == "fuzz_shifty":  # an input crashes it only once
        return
    if b"slow bug" in data:
        time.sleep(600)
    if b"bug" in data:
        say(REPORT.replace("{name}", "Other" if b"other bug" in data else "One"))
        sys.exit(77)


def put_aside(kind, data):
    name = FLAGS.get("artifact_prefix", "./") + kind + "-" + hashlib.sha1(data).hexdigest()
    with open(name, "wb") as file:
        file.write(data)
    say(f"artifact_prefix='x'; Test unit written to {name}\n")


def fuzz(corpus):
    until = time.monotonic() + int(FLAGS["max_total_time"])
    runs = 1
    for name in sorted(os.listdir(corpus)):
        with open(os.path.join(corpus, name), "rb") as file:
            data = file.read()
        if b"bug" in data:
            put_aside("crash", data)
            run_input(data)
    if ME == "fuzz_reading":
        say("INFO: seed corpus: files: 99999 min: 24b max: 4096b total: 304759b rss: 35Mb\n")
        say("#256\tpulse  cov: 7 ft: 9 corp: 193/46Kb exec/s: 128 rss: 88Mb\n")
        time.sleep(600)
    say("#2\tINITED cov: 10 ft: 20 corp: 1/1b exec/s: 0 rss: 30Mb\n")
    if ME == "fuzz_hanging":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        note(subprocess.Popen(["sleep", "600"]).pid)
        while True:
            time.sleep(1)
    if ME == "fuzz_leaving":  # a child in a separate session, like AFL++'s fork server
        note(subprocess.Popen(["sleep", "600"], start_new_session=True).pid)
    if ME == "fuzz_broken":
        say("no such flag\n")
        sys.exit(1)
    while time.monotonic() < until:
        runs *= 4
        time.sleep(0.1)
        say(f"#{runs}\tNEW    cov: {10 + runs.bit_length()} ft: {20 + runs.bit_length()} "
            "corp: 2/2b lim: 4 exec/s: 9 rss: 30Mb L: 1/1 MS: 1 Custom-\n")
        data = b"found %d" % runs
        with open(os.path.join(corpus, hashlib.sha1(data).hexdigest()), "wb") as file:
            file.write(data)
        if ME in ("fuzz_crashing", "fuzz_shifty", "fuzz_repeating") and runs > 16:
            more = 0 if ME == "fuzz_repeating" else time.monotonic_ns()
            data = b"some bytes, a bug, %d more" % more
            put_aside("crash", data)
            say(REPORT.replace("{name}", "One"))
            sys.exit(77)
    say(f"Done {runs} runs in 1 second(s)\nstat::number_of_executed_units: {runs}\n")


def merge(new, *old):
    """Keeps one file per size."""
    sizes = set()
    for folder in old:
        for name in sorted(os.listdir(folder)):
            path = os.path.join(folder, name)
            if os.path.getsize(path) not in sizes:
                sizes.add(os.path.getsize(path))
                os.link(path, os.path.join(new, name))


def main():
    note(os.getpid())
    if FLAGS.get("merge") == "1":
        merge(*PATHS)
    elif PATHS and os.path.isdir(PATHS[0]):
        fuzz(PATHS[0])
    else:
        for path in PATHS:
            say(f"Running: {path}\n")
            with open(path, "rb") as file:
                run_input(file.read())


if __name__ == "__main__":
    main()
