#!/usr/bin/env python3
"""Every bug of fuzz/planted/bugs.toml can be planted: its check occurs once in its file, its rules are in the
catalogue, its targets are fuzz targets, its tests exist, and its table names all bugs. According to the last
measurement all were found, with the mutator if there is one, or by the test.

usage: planted_bugs.py [--self-test]    exit code 1 if one of them does not hold
"""

import fnmatch
import glob
import os
import re
import shutil
import sys
import tempfile

from support.checks import TOP, main

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(TOP, "fuzz", "planted"))
import bugs as planted  # noqa: E402
import results  # noqa: E402
import table  # noqa: E402

RESULTS = "fuzz/planted/results.tsv"
LEAST = 20  # for fuzz targets: one for each published class, and some more
REPORT = re.compile(r"(CVE-\d{4}-\d{4,}|GHSA(-[0-9a-z]{4}){3}|[A-Za-z0-9_.-]+#\d+)")
TEST = re.compile(r"^TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)\s*\)", flags=re.MULTILINE)


def read(top, path):
    with open(os.path.join(top, path), encoding="utf-8") as file:
        return file.read()


def rules_of(top):
    """The reports that each rule's block names."""
    paths = sorted(glob.glob(os.path.join(top, "src", "check", "rules", "*", "rules.def")))
    text = "".join(read(top, path) for path in paths)
    blocks = re.split(r"^GGUFGATE_RULE\(", text, flags=re.MULTILINE)[1:]
    return {re.search(r'"([a-z0-9-]+)"', block)[1]: block for block in blocks}


def tests_of(top):
    """The names of all C++ tests, as GoogleTest prints them."""
    names = set()
    for folder, _, files in os.walk(os.path.join(top, "tests")):
        for file in files:
            if file.endswith("_test.cc"):
                names |= {f"{suite}.{test}" for suite, test in TEST.findall(read(folder, file))}
    return names


def problems_of(bug, top, rules, targets, tests, documentation):
    try:
        planted.planted(bug, top)
    except (planted.Misplanted, OSError) as error:
        yield str(error)
    for rule in bug["rules"]:
        if rule not in rules:
            yield f"{bug['name']}: there is no rule {rule}"
    for report in bug["stands_for"]:
        if not REPORT.fullmatch(report):
            yield f"{bug['name']}: {report} is no published report"
    which = "without" if planted.of_bytes(bug) else "with"
    for target in bug["targets"]:
        if target not in targets[which]:
            yield f"{bug['name']}: there is no target {target} {which} the mutator"
    for wanted in filter(None, bug["filter"].split(":")):
        if not fnmatch.filter(tests, wanted):
            yield f"{bug['name']}: there is no test {wanted}"
    if f"| {bug['name']} |" not in documentation:
        yield f"{bug['name']}: not in the table of docs/planted-bugs.md"


def check(top):
    try:
        bugs = planted.load(top)
    except (planted.Misplanted, ValueError) as error:
        return [str(error)], "planted_bugs: not read"
    rules = rules_of(top)
    found = re.findall(r"^\s*ggufgate_fuzz_target\((\w+)\s+(\w+)", read(top, "fuzz/targets.cmake"), flags=re.MULTILINE)
    targets = {"with": {name for name, next_word in found if next_word == "MUTATOR"},
               "without": {name for name, next_word in found if next_word != "MUTATOR"}}
    tests = tests_of(top)
    documentation = read(top, "docs/planted-bugs.md")
    problems = [problem for bug in bugs
                for problem in problems_of(bug, top, rules, targets, tests, documentation)]
    measured = results.read(os.path.join(top, RESULTS))
    problems += [f"{name}: not killed, says {RESULTS}" for name in table.survivors(bugs, measured)]
    fuzzed = [bug for bug in bugs if bug["targets"]]
    if len(fuzzed) < LEAST:
        problems.append(f"{len(fuzzed)} bugs for fuzz targets, at least {LEAST}")
    return problems, f"planted_bugs: {len(bugs)} bugs"


def self_test():
    """Copies a tree and breaks one thing at a time."""
    spoils = (
        ("src/parse/extent.cc", "CheckedMul(*a, b)", "CheckedMul(b, *a)", "occurs 0 times"),
        ("fuzz/planted/bugs.toml", 'rules = ["tensor-overlap"]', 'rules = ["tensor-overlaps"]',
         "no rule tensor-overlaps"),
        ("fuzz/planted/bugs.toml", 'targets = ["one_lie", "check"]', 'targets = ["one_lie", "policy"]',
         "no target policy with the mutator"),
        ("fuzz/planted/bugs.toml", 'targets = ["answer"]', 'targets = ["check"]',
         "no target check without the mutator"),
        ("fuzz/planted/bugs.toml", '"CVE-2025-53630"', '"CVE-53630"', "no published report"),
        ("fuzz/planted/bugs.toml", 'name = "overlap"', 'name = "nesting"', "planted twice"),
        ("fuzz/planted/bugs.toml", 'name = "overlap"', 'nome = "overlap"', "missing or unknown"),
        ("fuzz/planted/bugs.toml", 'file = "src/', 'file = "../src/', "file is spelt wrong"),
        ("fuzz/planted/bugs.toml", 'filter = "Golden.SystemCalls"', 'filter = "Golden.SystemCall"',
         "no test Golden.SystemCall"),
        ("fuzz/planted/bugs.toml", 'filter = "Golden.SystemCalls"', 'filter = ""', "no targets, options or rules"),
        ("docs/planted-bugs.md", "| overlap |", "|", "overlap: not in the table"),
        (RESULTS, "the regions of an accepted file cover it, each byte once", results.SURVIVED, "not killed"),
    )
    with tempfile.TemporaryDirectory() as folder:
        for path in ("src", "tests", "fuzz/planted", "docs"):
            shutil.copytree(os.path.join(TOP, path), os.path.join(folder, path))
        shutil.copy(os.path.join(TOP, "fuzz/targets.cmake"), os.path.join(folder, "fuzz"))
        assert check(folder)[0] == [], check(folder)[0]
        for path, before, after, word in spoils:
            text = read(folder, path)
            assert before in text, before
            with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
                file.write(text.replace(before, after, 1))
            found = " | ".join(check(folder)[0])
            assert word in found, (word, found)
            with open(os.path.join(folder, path), "w", encoding="utf-8") as file:
                file.write(text)
        assert check(folder)[0] == []
    print(f"planted_bugs: {len(spoils)} planted faults found")


if __name__ == "__main__":
    main(lambda: check(TOP), self_test)
