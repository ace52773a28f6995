#!/usr/bin/env python3
"""Imitates afl-fuzz for fuzz/campaign. Its findings depend on the name of the target program. Its file names are as
unusual as AFL++ and a mutator could make them."""

import os
import signal
import subprocess
import sys
import time

WORDS = sys.argv[1:]
PROGRAM = WORDS[WORDS.index("--") + 1]
HERE = os.path.dirname(os.path.abspath(PROGRAM))


def option(name):
    return WORDS[WORDS.index(name) + 1]


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    me = os.path.basename(PROGRAM)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # like afl-fuzz
    top = os.path.join(option("-o"), option("-S"))
    with open(os.path.join(HERE, "processes"), "a", encoding="ascii") as file:
        file.write(f"{os.getpid()}\n")
        # The fork server leaves the session, and here also outlives its parent.
        server = subprocess.Popen(["sleep", "600"], start_new_session=True)
        file.write(f"{server.pid}\n")
    seeds = sorted(os.listdir(option("-i")))
    if not seeds:
        print("PROGRAM ABORT : no usable test cases in 'in'")
        sys.exit(1)
    for number, name in enumerate(seeds):
        print(f"\x1b[1;94m[*] \x1b[0mAttempting dry run with 'id:{number:06},time:0,execs:0,"
              f"orig:{name}'...\x1b[0m")
        with open(os.path.join(option("-i"), name), "rb") as file:
            if b"bug" in file.read():
                print("\x1b[1;93m[!] \x1b[1;97mWARNING: \x1b[0mTest case results in a crash")
    if me == "fuzz_hanging":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if me in ("fuzz_hanging", "fuzz_reading"):
        time.sleep(600)
    if me == "fuzz_broken":
        print("\x1b[1;91m[-] PROGRAM ABORT : \x1b[1;97mthe fork server <b>\x07 handshake failed")
        sys.exit(1)
    write(os.path.join(top, "queue", "id:000000,orig:seed"), "a seed")
    write(os.path.join(top, "queue", "id:000001,src:000000,time:100,execs:500,one-lie:<b>,+cov"),
          "from afl")
    if me == "fuzz_crashing":
        write(os.path.join(top, "crashes", "id:000000,sig:06,<b>\x1b[31m"), "a bug from afl")
        write(os.path.join(top, "crashes", "id:000001,sig:06,op:havoc"), "an other bug from afl")
        write(os.path.join(top, "hangs", "id:000000,src:000000"), "ends in time after all")
    until, runs = time.monotonic() + int(option("-V")), 0
    lines = ["# relative_time, cycles_done, ..., execs_per_sec, total_execs, edges_found"]
    while time.monotonic() < until:
        time.sleep(0.2)
        runs += 1000
        edges = 100 + runs // 500
        lines.append(f"{runs // 1000}, 1, 0, 9, 0, 0, 1.00%, 0, 0, 2, 7.5, {runs}, {edges}")
        write(os.path.join(top, "plot_data"), "\n".join(lines) + "\n")
        write(os.path.join(top, "fuzzer_stats"),
              f"execs_done        : {runs}\nedges_found       : {edges}\n")


if __name__ == "__main__":
    main()
