#!/usr/bin/env python3
"""Each promise of SECURITY.md and each boundary of docs/threat-model.md names a test, and the test exists.

usage: promises.py [--self-test]    exit code 1 if one names none; each is printed
"""

import glob
import os
import re

from support.checks import TOP, main, tree_of

SECURITY = "SECURITY.md"
MODEL = "docs/threat-model.md"
ROOMS = ("", "tests/remote", "tests/gate/processes", "tests/stores", "tests/cli/check")  # folders for short names
NAME = re.compile(r"`([\w./*-]+)`")


def section(top, path, heading):
    """The text between this heading and the next."""
    with open(os.path.join(top, path), encoding="utf-8") as file:
        found = re.search(rf"^## {re.escape(heading)}$(.*?)(?=^## |\Z)", file.read(), re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def promises(top):
    """The title, and the text after "Test:" or "Tests:"."""
    for item in re.split(r"^- ", section(top, SECURITY, "Promises"), flags=re.MULTILINE)[1:]:
        named = re.search(r"\bTests?: (.*)", item, re.DOTALL)
        yield f"{SECURITY}: {re.sub(r'[*.]', '', item.split('**')[1])}", named[1] if named else ""


def boundaries(top):
    """The boundary, and the last column."""
    for line in section(top, MODEL, "Boundaries").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 4 and cells[0] != "from → to" and set(cells[0]) != {"-"}:
            yield f"{MODEL}: {cells[0]}", cells[3]


def is_there(top, name):
    return any(glob.glob(os.path.join(top, room, name)) for room in ROOMS)


def problems_of(top):
    found = [*promises(top), *boundaries(top)]
    problems = []
    for title, tests in found:
        names = NAME.findall(tests)
        paths = [name for name in names if "/" in name or "." in name]
        if not names and not tests.startswith("the same"):
            problems.append(f"{title}: names no test: write `Tests:` and the paths of the tests that fail when it breaks")
        problems += [f"{title}: {name} does not exist" for name in paths if not is_there(top, name)]
    return problems, len(found)


def check():
    problems, count = problems_of(TOP)
    if count < 20:
        problems.append(f"only {count} promises and boundaries were found")
    return problems, f"promises: {count}, each with its tests"


def self_test():
    table = "## Boundaries\n\n| from → to | what | believed | test |\n|---|---|---|---|\n"
    good = {
        "tests/a_test.cc": "",
        SECURITY: "## Promises\n\n- **One.** It holds.\n  Tests: `tests/a_test.cc`.\n## Not promised\n\n- **Two.**\n",
        MODEL: table + "| a → b | c | d | `tests/a_test.cc` |\n",
    }
    bad = (
        {SECURITY: good[SECURITY].replace("Tests: `tests/a_test.cc`.", "")},
        {SECURITY: good[SECURITY].replace("a_test", "b_test")},
        {MODEL: table + "| a → b | c | d | somewhere |\n"},
        {MODEL: table + "| a → b | c | d | `tests/b_test.cc` |\n"},
    )
    with tree_of(good) as top:
        assert problems_of(top) == ([], 2), problems_of(top)
    for change in bad:
        with tree_of(good | change) as top:
            assert len(problems_of(top)[0]) == 1, (change, problems_of(top))


if __name__ == "__main__":
    main(check, self_test)
