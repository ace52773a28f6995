#!/usr/bin/env python3
"""Compares the reports of two builds, byte by byte, except for times.

usage: same_reports.py OLD NEW    the tops of two trees. Both need build/release; the module in
                                  bindings/javascript and nginx are compared where they exist

Each file of NEW's corpus goes through every format, profile and set of options: as a file, through a pipe and from a
server. For a change that must not change a report. Exit code: 0 the same, 1 a difference, 2 wrong usage.
"""

import concurrent.futures
import functools
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "remote"))
sys.dont_write_bytecode = True
import servers  # noqa: E402

FORMATS = ("text", "json", "jsonl", "sarif", "junit", "github", "codequality", "html", "markdown")
PROFILES = ("gate", "llama.cpp", "spec", "diffusion")
OPTIONS = (
    ("--verbose",), ("--quiet",), ("--summary",), ("--fail-on", "warning"), ("--fail-on", "note"), ("--data", "scales"),
    ("--data", "full"), ("--data", "full", "--jobs", "1"), ("--sha256",), ("--verify-digest",), ("--second-opinion", "never"),
    ("--second-opinion", "always"), ("--policy", "docs/policies/hub.toml"),
    ("--policy", "docs/policies/laptop.toml"), ("--policy", "docs/policies/strict.toml"),
)
OF_PIPES = ((), ("--data", "full", "--sha256"), ("--pass-through",), ("--pass-through", "--data", "full", "--profile", "spec"),
            ("--total-size", "1000000"), ("--policy", "docs/policies/hub.toml"))
TIMES = (
    (rb'"elapsed_ms":[0-9.e+-]+', b'"elapsed_ms":0'), (rb'"time":"[^"]*"', b'"time":""'),
    (rb'\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?Z?( UTC)?', b"HOUR"), (rb'time="[0-9.]+"', b'time=""'),
    (rb'[0-9.,]+ (ms|s|us|\xc2\xb5s)\b', b"SECONDS"), (rb'"ms":[0-9.]+', b'"ms":0'),
    (rb'127\.0\.0\.1:\d+', b"SERVER"),
    # A second reader may ask a server again, or find the bytes of the first.
    (rb'"fetched":\d+,"requests":\d+', b'"fetched":0,"requests":0'),
    # A pipe that is kept in memory has a new identity each time.
    (rb'("path":"-".*"inode":)\d+,"modified_ns":\d+,"changed_ns":\d+', rb'\1'),
)


def without_times(text):
    for pattern, instead in TIMES:
        text = re.sub(pattern, instead, text)
    return text


class Comparison:
    def __init__(self, old, new):
        self.trees, self.compared, self.different = (old, new), 0, 0

    def said(self, command, tree, arguments, source):
        with open(source or os.devnull, "rb") as file:
            # A pipe, as `cat FILE |` makes it, and not the file itself.
            done = subprocess.run([*command(tree), *arguments], input=file.read() if source else b"", capture_output=True,
                                  check=False, cwd=self.trees[1], env={**servers.ENVIRONMENT, "HOME": "/nonexistent"})
        return done.returncode, without_times(done.stdout), without_times(done.stderr)

    def compare(self, label, command, arguments, source=None):
        old, new = (self.said(command, tree, arguments, source) for tree in self.trees)
        self.compared += 1
        if old == new:
            return
        self.different += 1
        print(f"{label}: {source or ''} {' '.join(arguments[:6])}")
        for before, after in zip(old, new, strict=True):
            if before == after:
                continue
            if isinstance(before, int):
                print(f"  exit code {before}, then {after}")
                continue
            at = next((i for i, pair in enumerate(zip(before, after)) if pair[0] != pair[1]), min(len(before), len(after)))
            print(f"  old …{before[max(at - 60, 0):at + 120]!r}")
            print(f"  new …{after[max(at - 60, 0):at + 120]!r}")


def program(tree):
    return [os.path.join(tree, "build/release/ggufgate"), "check", "--color", "never"]


def module(tree):
    return ["node", os.path.join(tree, "bindings/javascript/bin/ggufgate.js"), "check"]


def every_case(comparison, files, server):
    """One function for each comparison."""

    def compare(*arguments):
        return functools.partial(comparison.compare, *arguments)

    for name in FORMATS:
        for profile in PROFILES:
            yield compare("files", program, ["--format", name, "--profile", profile, *files])
    for options in OPTIONS:
        for name in ("text", "json"):
            yield compare("files", program, [*options, "--format", name, *files] if "--summary" not in options
                          else [*options, *files])
    yield compare("folder", program, ["--format", "json", "corpus"])
    for options in OF_PIPES:
        for file in files:
            yield compare("pipe", program, [*options, "--format", "json", "-"], file)
    if server:
        addresses = [f"{server.url}/{os.path.relpath(file, 'corpus')}" for file in files]
        for options in ((), ("--data", "full"), ("--profile", "spec"), ("--profile", "llama.cpp", "--sha256")):
            yield compare("server", program, ["--allow-private", "--ca-file", server.authority, *options, "--format", "json",
                                              *addresses])
    if all(os.path.exists(os.path.join(tree, "bindings/javascript/ggufgate.wasm")) for tree in comparison.trees):
        for profile in PROFILES:
            for data in ("none", "full"):
                yield compare("module", module, ["--format", "json", "--profile", profile, "--data", data, *files])


def main():
    if len(sys.argv) != 3 or not all(os.path.exists(program(tree)[0]) for tree in sys.argv[1:]):
        print(__doc__, file=sys.stderr)
        return 2
    old, new = map(os.path.abspath, sys.argv[1:])
    corpus = pathlib.Path(new) / "corpus"
    files = sorted(str(path.relative_to(new)) for path in corpus.rglob("*.gguf"))
    server = servers.Nginx(str(corpus)) if servers.NGINX else None
    try:
        comparison = Comparison(old, new)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for each in [pool.submit(case) for case in every_case(comparison, files, server)]:
                each.result()
    finally:
        if server:
            server.close()
    print(f"same_reports: {len(files)} files, {comparison.compared} comparisons, {comparison.different} differences")
    return 1 if comparison.different else 0


if __name__ == "__main__":
    sys.exit(main())
