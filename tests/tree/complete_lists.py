#!/usr/bin/env python3
"""A list of the members of an enumeration that names all but one has most likely lost that one: the
member is newer than the list. Such a list is made complete, or is an exception with its reason.

usage: complete_lists.py [--self-test]    exit code 1 if a list offends; each is printed
"""

import os
import re

from support.checks import TOP, main, tree_of

FOLDERS = ("src", "tests", "fuzz", "corpus")
LEAST = 4  # members of an enumeration: of three, two are often meant

# (file, enumeration, member that is left out) -> why. One that is not needed is a fault.
EXCEPTIONS = {
    ("tests/check/policy_test.cc", "Profile", "kGate"): "the others are compared with it",
    ("tests/check/policy_test.cc", "Severity", "kOff"): "nothing rejects at it",
    ("tests/check/rules/tensor_data/expert_index_test.cc", "Profile", "kDiffusion"): "the rule is off there, tested beside",
    ("tests/conformance/corpus_test.cc", "Profile", "kDiffusion"): "the manifest states no verdict of it",
    ("tests/conformance/cut_models_test.cc", "Profile", "kDiffusion"): "the rules about shards and contracts are off there",
    ("tests/conformance/shard_sets_test.cc", "Profile", "kDiffusion"): "the manifest states no verdict of it",
    ("tests/policy/policy_text_test.cc", "Severity", "kOff"): "nothing rejects at it",
    ("tests/report/json_value_test.cc", "Severity", "kOff"): "no finding has it",
    ("tests/support/rule_cases.cc", "Profile", "kDiffusion"): "tests spell three words; rule_test.cc has that column",
}

COMMENT = re.compile(r"//[^\n]*")
ENUM = re.compile(r"\benum class (\w+)(?:\s*:\s*[\w:]+)?\s*\{([^{}#]*)\}")
LIST = re.compile(r"\b(\w+)::k\w+(?:\s*,\s*\1::k\w+)+")


def files(top):
    for folder in FOLDERS:
        for place, _, names in os.walk(os.path.join(top, folder)):
            for name in sorted(names):
                if name.endswith((".cc", ".h")):
                    path = os.path.join(place, name)
                    with open(path, encoding="utf-8") as file:
                        yield os.path.relpath(path, top).replace(os.sep, "/"), COMMENT.sub("", file.read())


def enumerations(texts):
    """Name -> members, of the enumerations of src. Two of one name count as neither."""
    known, twice = {}, set()
    for path, text in texts:
        for name, body in ENUM.findall(text) if path.startswith("src/") else ():
            members = re.findall(r"\b(k\w+)\b(?=\s*(?:=[^,]*)?(?:,|$))", body.strip())
            if name in known:
                twice.add(name)
            known[name] = set(members)
    return {name: members for name, members in known.items() if name not in twice and len(members) >= LEAST}


def check(top, exceptions):
    """The problems, and how many enumerations there are."""
    texts = list(files(top))
    known = enumerations(texts)
    problems, needed = [], set()
    for path, text in texts:
        for match in LIST.finditer(text):
            members = known.get(match[1])
            if members is None:
                continue
            missing = members - set(re.findall(r"::(k\w+)", match[0]))
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
    assert len(run("enum class Four { kA };\n{Four::kA, Four::kB, Four::kC}")) == 1
    assert run("enum class Four { kA };", path="src/b.h") == []
    print("complete_lists: 5 planted faults found")


def judge():
    problems, count = check(TOP, EXCEPTIONS)
    return problems, f"complete_lists: {len(problems)} problems, {count} enumerations, {len(EXCEPTIONS)} exceptions"


if __name__ == "__main__":
    main(judge, self_test)
