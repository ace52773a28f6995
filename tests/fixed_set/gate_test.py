"""Compares the gate with the outcomes of the fixed set (README.md).

usage: gate_test.py BUILD    the folder of ggufgate

Exit code: 0 no contradiction, 1 contradictions, which are printed.
"""

import collections
import json
import os
import subprocess
import sys
import tempfile

import run

RELEASES = ("v0.5.0", "v0.4.0", "b10361")
# Files that run, and that the gate rejects on purpose.
STRICTER = {"step35-typed0": "weights of type I32, which no model has, in a tensor that the graph does not use beside experts"}
# A crash at these stages needs a setting that is not the default.
ON_REQUEST = {"crashes embeddings"}


def said(build, folder):
    """{file: {release: (outcome, rule)}} of the gate."""
    loaders = [word for release in RELEASES for word in ("--loader", f"llama.cpp@{release}")]
    done = subprocess.run([os.path.join(build, "ggufgate"), "check", "--format", "json", *loaders, folder], check=False,
                          stdout=subprocess.PIPE)
    files = json.loads(done.stdout)["files"]
    return {os.path.basename(file["path"]).removesuffix(".gguf"):
            {one["release"].removeprefix("llama.cpp "): (one["outcome"], one.get("rule", "")) for one in file["loaders"]}
            for file in files}


def contradiction(name, seen, gate, rule):
    """What is wrong with the gate's word for an outcome that was seen; empty: nothing. A crash counts as worse than a
    refusal, and the gate may say it of a file that the loader refuses for another reason first."""
    if seen.startswith("crashes") and seen not in ON_REQUEST and gate not in ("crashes", "rejected"):
        return f"{seen}, and the gate says {gate}"
    if seen == "runs" and gate in ("crashes", "refuses") and name not in STRICTER:
        return f"runs, and the gate says {gate} ({rule})"
    return ""


def main():
    table, wrong, tally = run.read_table(), 0, collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        paths = run.unpack(folder)
        words = said(sys.argv[1], folder)
    assert set(paths) == set(words) == set(table[RELEASES[0]]), "the table has other files than the archive"
    for name, by_release in words.items():
        for release, (gate, rule) in by_release.items():
            seen = table[release][name]
            tally[f"{seen.split()[0]} {gate}"] += 1
            problem = contradiction(name, seen, gate, rule)
            wrong += problem != ""
            if problem:
                print(f"{release}  {name}: {problem}")
    print(", ".join(f"{words} {count}" for words, count in sorted(tally.items())))
    assert min(tally["runs runs"], tally["crashes crashes"]) > 100, "the set says too little"
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
