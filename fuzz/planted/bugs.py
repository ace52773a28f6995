#!/usr/bin/env python3
"""The bugs of bugs.toml, for the build, for fuzz/planted/kill and for tests/tree.

usage: bugs.py cmake targets      one call of ggufgate_planted_bug() for each bug of fuzz targets
       bugs.py cmake tests        one call of ggufgate_planted_test() for each bug of tests
       bugs.py plant NAME FILE    write the source file of a bug with its check replaced

Exit code: 0 done, 1 a check is not where it should be, 2 wrong usage.
"""

import os
import re
import sys
import tomllib

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FIELDS = {"name": str, "class": str, "stands_for": list, "rules": list, "file": str, "compiled": list,
          "sound": str, "leaky": str, "targets": list, "options": list, "test": str, "filter": str}
# The bugs of targets and of tests have different fields.
OF_TARGETS = {"rules": [], "targets": [], "options": []}
OF_TESTS = {"test": "", "filter": ""}
NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
FILE = re.compile(r"src(/[a-z0-9_]+)+/[a-z0-9_]+\.(cc|def|h)|tests/oracles/plain_loader/[a-z]+\.cc")
TARGET = re.compile(r"[a-z0-9_]+")


class Misplanted(Exception):
    """An invalid block, or a check that is not at its place."""


def of_bytes(bug):
    """Whether its target works without the mutator, on plain bytes: then it has one target, and takes no GGUF files."""
    return len(bug["targets"]) == 1


def checked(bug):
    """The block of a bug, if it has all fields, of the right types and shapes."""
    name = bug.get("name", "without a name")
    bug = {"options": [], "stands_for": [], "compiled": [bug.get("file")],
           **(OF_TARGETS if "test" in bug else OF_TESTS), **bug}
    if set(bug) != set(FIELDS):
        odd = ", ".join(sorted(set(bug) ^ set(FIELDS)))
        raise Misplanted(f"{name}: missing or unknown: {odd}")
    for field, kind in FIELDS.items():
        words = bug[field] if kind is list else []
        if not isinstance(bug[field], kind) or not all(isinstance(word, str) for word in words):
            raise Misplanted(f"{name}: {field} is not a {kind.__name__}")
    for field, shape in (("name", NAME), ("file", FILE)):
        if not shape.fullmatch(bug[field]):
            raise Misplanted(f"{name}: {field} is spelt wrong")
    if not bug["compiled"] or not all(file.endswith(".cc") for file in bug["compiled"]):
        raise Misplanted(f"{name}: no .cc file is compiled")
    if not bug["sound"].strip() or bug["sound"] == bug["leaky"]:
        raise Misplanted(f"{name}: no check, or nothing is changed")
    if bug["test"]:
        if any(bug[field] for field in OF_TARGETS) or not bug["filter"]:
            raise Misplanted(f"{name}: a test has a filter, and no targets, options or rules")
    elif len(bug["targets"]) not in (1, 2) or not all(map(TARGET.fullmatch, bug["targets"])):
        raise Misplanted(f"{name}: not one or two targets, and no test")
    elif not bug["rules"] and bug["file"].startswith("src/") and not of_bytes(bug):
        raise Misplanted(f"{name}: no rule")
    return bug


def load(top=TOP):
    with open(os.path.join(top, "fuzz", "planted", "bugs.toml"), "rb") as file:
        bugs = [checked(bug) for bug in tomllib.load(file)["bug"]]
    names = [bug["name"] for bug in bugs]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise Misplanted(f"{', '.join(sorted(twice))}: planted twice")
    return bugs


def planted(bug, top=TOP):
    """The text of the bug's file with the check replaced."""
    with open(os.path.join(top, bug["file"]), encoding="utf-8") as file:
        text = file.read()
    found = text.count(bug["sound"])
    if found != 1:
        raise Misplanted(f"{bug['name']}: its check occurs {found} times in {bug['file']}, not once")
    return text.replace(bug["sound"], bug["leaky"])


def cmake(bugs, by):
    for bug in bugs:
        files = f'{bug["name"]} {bug["file"]} "{";".join(bug["compiled"])}"'
        if by == "tests" and bug["test"]:
            yield f'ggufgate_planted_test({files} {bug["test"]})'
        elif by == "targets" and bug["targets"]:
            yield f'ggufgate_planted_bug({files} {" ".join(bug["targets"])})'


def plant(bugs, name, path):
    bug = next((bug for bug in bugs if bug["name"] == name), None)
    if bug is None:
        raise Misplanted(f"{name}: no such bug")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(planted(bug))


def main(arguments):
    try:
        match arguments:
            case ["cmake", ("targets" | "tests") as by]:
                print("\n".join(cmake(load(), by)))
            case ["plant", name, path]:
                plant(load(), name, path)
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except (Misplanted, OSError, tomllib.TOMLDecodeError) as error:
        print(f"bugs.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
