#!/usr/bin/env python3
"""Findings are compared with the policy's threshold in src/check/verdict.cc, and nowhere else.

usage: verdicts.py [--self-test]    exit code 1 if another file of src compares; each is printed
"""

import os
import re

from support.checks import TOP, main, tree_of

PLACE = "src/check/verdict.cc"
COMMENT = re.compile(r"//[^\n]*")
NAME = r"(?:\w+(?:\.|->))*fail_on\b"
COMPARISON = re.compile(rf"(?<![-<>])[<>]=?(?![<>])\s*{NAME}_?|\b{NAME}_?\s*(?:<=?|>=?)(?![<>])|\b(?:min|max|clamp|less|cmp_\w+)\([^;]*{NAME}")


def comparisons(top):
    """The path and line of each comparison."""
    for place, _, names in os.walk(os.path.join(top, "src")):
        for name in sorted(names):
            if not name.endswith((".cc", ".h")):
                continue
            path = os.path.join(place, name)
            with open(path, encoding="utf-8") as file:
                text = COMMENT.sub("", file.read())
            for found in COMPARISON.finditer(text):
                yield os.path.relpath(path, top).replace(os.sep, "/"), text.count("\n", 0, found.start()) + 1


def problems_of(top):
    found = sorted(comparisons(top))
    problems = [f"{path}:{line}: compares with fail_on: call VerdictOf() or Rejects() of check/verdict.h"
                for path, line in found if path != PLACE]
    if sum(path == PLACE for path, _ in found) != 1:
        problems.append(f"{PLACE}: must compare with fail_on exactly once")
    return problems


def check():
    return problems_of(TOP), f"verdicts: {PLACE} alone compares with the threshold"


def self_test():
    good = {PLACE: "return severity >= policy.fail_on;",
            "src/a.cc": "policy.fail_on = x; // a < fail_on\nif (o->fail_on != kNone) Put(p->fail_on);"}
    with tree_of(good) as top:
        assert problems_of(top) == [], problems_of(top)
    for bad in ("a.Worst() >= policy_.fail_on", "policy.fail_on <= worst", "a<options->policy.fail_on",
                "worst < fail_on", "std::max(worst, policy.fail_on)"):
        with tree_of(good | {"src/b.h": f"\nx = {bad};"}) as top:
            assert [line.split(": ")[0] for line in problems_of(top)] == ["src/b.h:2"], (bad, problems_of(top))
    with tree_of({PLACE: ""}) as top:
        assert len(problems_of(top)) == 1


if __name__ == "__main__":
    main(check, self_test)
