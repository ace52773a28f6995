#!/usr/bin/env python3
"""If a list names all members of an enumeration except one, that member was probably forgotten: it is newer than
the list. Such a list must be completed, or be an exception with a reason. A loop up to a member, and a size that
is one more than a member, must name the last one.

usage: complete_lists.py [--self-test]    exit code 1 if a list violates this; each is printed
"""

import os
import re

from support.checks import TOP, main, tree_of

FOLDERS = ("src", "tests", "fuzz", "corpus")
LEAST = 4  # members of an enumeration: with three, a list of two is often intended

# (file, enumeration, member that is omitted, or at which a size ends) -> reason. An exception that is not needed is a
# fault.
EXCEPTIONS = {
    ("src/api/c/options.cc", "DataScan", "kNone"): "each number of the C interface is one more",
    ("src/api/c/options.cc", "DataScan", "kScales"): "each number of the C interface is one more",
    ("tests/check/policy_test.cc", "Profile", "kGate"): "the others are compared with it",
    ("tests/check/policy_test.cc", "Severity", "kOff"): "nothing rejects at it",
    ("tests/check/rules/tensor_data/expert_index_test.cc", "Profile", "kDiffusion"): "the rule is off there, tested beside",
    ("tests/check/verdict_test.cc", "Severity", "kOff"): "no finding has it",
    ("tests/conformance/corpus_test.cc", "Profile", "kDiffusion"): "the manifest states no verdict of it",
    ("tests/conformance/cut_models_test.cc", "Profile", "kDiffusion"): "the rules about shards and contracts are off there",
    ("tests/conformance/shard_sets_test.cc", "Profile", "kDiffusion"): "the manifest states no verdict of it",
    ("tests/policy/policy_text_test.cc", "Severity", "kOff"): "nothing rejects at it",
    ("tests/report/json_value_test.cc", "Severity", "kOff"): "no finding has it",
    ("tests/support/rule_cases.cc", "Profile", "kDiffusion"): "tests spell three words; rule_test.cc has that column",
}

COMMENT = re.compile(r"//[^\n]*")
ENUM = re.compile(r"\benum class (\w+)(?:\s*:\s*[\w:]+)?\s*\{([^{}]*)\}")
MACRO = re.compile(r'#define (\w+)\(.*?\) k##\w+,?\s*#include "([^"]+)"')
CAST = r"static_cast<[\w:]+>\((?:\w+::)*?(\w+)::(k\w+)\)"
END = re.compile(rf"<= {CAST}; \+\+|{CAST} \+ 1\b")
LIST = re.compile(r"\b(\w+)::k\w+(?:\s*,\s*\1::k\w+)+")


def files(top):
    for folder in FOLDERS:
        for place, _, names in os.walk(os.path.join(top, folder)):
            for name in sorted(names):
                if name.endswith((".cc", ".h")):
                    path = os.path.join(place, name)
                    with open(path, encoding="utf-8") as file:
                        yield os.path.relpath(path, top).replace(os.sep, "/"), COMMENT.sub("", file.read())


def members_of(top, body):
    """In their order; for a table, the first words of its lines."""
    table = MACRO.search(body)
    members = []
    if table is not None:
        for path in (os.path.join(top, folder, table[2]) for folder in ("src", "")):
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    names = re.findall(rf"^{table[1]}\((\w+)", file.read(), re.MULTILINE)
                members = ["k" + name for name in names]
        body = body[table.end():].partition("#undef " + table[1])[2]
    return members + re.findall(r"\b(k\w+)\b(?=\s*(?:=[^,]*)?(?:,|$))", body.strip())


def enumerations(top, texts):
    """Name -> members, one entry for each enumeration of that name."""
    known = {}
    for path, text in texts:
        for name, body in ENUM.findall(text) if path.startswith("src/") else ():
            known.setdefault(name, []).append(members_of(top, body))
    return known


def ends(texts, known):
    """Loops and sizes that end before the last member: file, enumeration, member, line, last member."""
    for path, text in texts:
        for match in END.finditer(text):
            name, member = match[1] or match[3], match[2] or match[4]
            of = [members for members in known.get(name, []) if member in members]
            if of and all(members[-1] != member for members in of):
                line = text.count("\n", 0, match.start()) + 1
                yield path, name, member, line, of[0][-1]


def check(top, exceptions):
    """The problems, and the number of enumerations."""
    texts = list(files(top))
    known = enumerations(top, texts)
    problems, needed = [], set()
    for path, name, member, line, last in ends(texts, known):
        if (path, name, member) in exceptions:
            needed.add((path, name, member))
        else:
            problems.append(f"{path}:{line}: {name} ends with {last}, and this with {member}")
    for path, text in texts:
        for match in LIST.finditer(text):
            members = known.get(match[1], [])
            if len(members) != 1 or len(members[0]) < LEAST:
                continue
            missing = set(members[0]) - set(re.findall(r"::(k\w+)", match[0]))
            if len(missing) != 1:
                continue
            member = missing.pop()
            if (path, match[1], member) in exceptions:
                needed.add((path, match[1], member))
                continue
            line = text.count("\n", 0, match.start()) + 1
            problems.append(f"{path}:{line}: a list of {match[1]} names all but {member}: add it, or say why not")
    problems += [f"{path}: an exception for {name}::{member} that is not needed"
                 for path, name, member in sorted(exceptions.keys() - needed)]
    return problems, len(known)


def self_test():
    head = "enum class Four : std::uint8_t {\n  kA,  // one\n  kB = 7,\n  kC, kD\n};\nenum class Three { kA, kB, kC };\n"

    def run(text, exceptions=None, path="tests/a_test.cc"):
        with tree_of({"src/a.h": head, path: text}) as top:
            return check(top, exceptions or {})[0]

    assert run("{Four::kA, Four::kC,\n Four::kD}") == [
        "tests/a_test.cc:1: a list of Four names all but kB: add it, or say why not"]
    assert len(run("\nValues(Four::kA, Four::kB, Four::kC)")) == 1
    assert len(run("{Four::kB, Four::kC, Four::kD, Four::kD}")) == 1
    for sound in ("{Four::kA, Four::kB, Four::kC, Four::kD}", "{Four::kA, Four::kB}", "{Three::kA, Three::kB}",
                  "{Other::kA, Other::kB, Other::kC}", "{Four::kA, Three::kB, Four::kC}", "// Four::kA, Four::kB, Four::kC"):
        assert run(sound) == [], sound
    left_out = {("tests/a_test.cc", "Four", "kD"): "a reason"}
    assert run("{Four::kA, Four::kB, Four::kC}", left_out) == []
    assert len(run("{Four::kA, Four::kB}", left_out)) == 1
    two = "enum class Four { kA };\n{Four::kA, Four::kB, Four::kC}"
    assert run(two, path="src/b.h") == []  # it is unclear which of the two
    assert len(run(two)) == 1
    loop = "for (int i = 0; i <= static_cast<int>(a::Four::{}); ++i)\nf(static_cast<int>(Four::kA) + i)"
    assert run(loop.format("kD")) == []
    assert run(loop.format("kC")) == ["tests/a_test.cc:1: Four ends with kD, and this with kC"]
    assert len(run("static_assert(n == static_cast<std::size_t>(Three::kB) + 1);")) == 1
    table = "enum class Made {\n#define LINE(name, ...) k##name,\n#include \"a.def\"\n#undef LINE\n  kRest,\n};\n"
    with tree_of({"src/a.h": table, "src/a.def": "// LINE(No)\nLINE(One, 1)\nLINE(Two, 2)\n",
                  "tests/a.cc": "static_cast<int>(Made::kOne) + 1; static_cast<int>(Made::kRest) + 1"}) as top:
        assert check(top, {})[0] == ["tests/a.cc:1: Made ends with kRest, and this with kOne"]
    print("complete_lists: 7 planted faults found")


def judge():
    problems, count = check(TOP, EXCEPTIONS)
    return problems, f"complete_lists: {len(problems)} problems, {count} enumerations, {len(EXCEPTIONS)} exceptions"


if __name__ == "__main__":
    main(judge, self_test)
