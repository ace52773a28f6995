#!/usr/bin/env python3
"""A file of src/ has at most 400 lines. Generated tables (GENERATED) do not count.

usage: sizes.py [--self-test]    exit code 1 if it does not hold
"""

import os

from support.checks import TOP, main, tree_of

MAX_LINES = 400
CODE = (".cc", ".h", ".def", ".inc", ".c")
GENERATED = (os.path.join("src", "format", "unicode", ""),)


def line_counts(top):
    counts = {}
    for folder, _, names in os.walk(os.path.join(top, "src")):
        if (os.path.relpath(folder, top) + os.sep).startswith(GENERATED):
            continue
        for name in names:
            if name.endswith(CODE):
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    counts[os.path.relpath(path, top)] = file.read().count(b"\n")
    return counts


def check(top):
    """The problems, and a line with the result."""
    counts = line_counts(top)
    problems = [f"{path}: {lines} lines, at most {MAX_LINES}"
                for path, lines in sorted(counts.items()) if lines > MAX_LINES]
    if not counts:
        problems.append("no file of src/ was found")
    return problems, f"sizes: {len(counts)} files, the longest has {max(counts.values(), default=0)} lines"


def self_test():
    def run(files):
        with tree_of({path: "x\n" * lines for path, lines in files.items()}) as top:
            return check(top)[0]

    assert run({"src/bytes/a.cc": 400, "tests/a_test.cc": 500}) == []
    assert run({"src/bytes/a.cc": 401}) == ["src/bytes/a.cc: 401 lines, at most 400"]
    assert run({"src/bytes/a.def": 401}) != []
    assert run({"src/a.cc": 1, "src/format/unicode/a.def": 900, "src/format/unicode/b/c.def": 900}) == []
    assert run({"tests/a_test.cc": 10}) != []
    print("sizes: 3 planted faults found")


if __name__ == "__main__":
    main(lambda: check(TOP), self_test)
