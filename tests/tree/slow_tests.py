#!/usr/bin/env python3
"""tests/slow_tests.txt names tests that exist. A renamed test would return to the quick build unnoticed.

usage: slow_tests.py [--self-test]    exit code 1 if a line is wrong
"""

import os
import pathlib
import re

from support.checks import TOP, main, tree_of

LIST = "tests/slow_tests.txt"
TEST = re.compile(r"^TEST(?:_F|_P)?\((\w+), (\w+)\)", re.MULTILINE)


def tests_of(folder):
    return {f"{suite}.{name}" for path in pathlib.Path(folder).rglob("*_test.cc")
            for suite, name in TEST.findall(path.read_text(encoding="utf-8"))}


def check(top):
    with open(os.path.join(top, LIST), encoding="utf-8") as file:
        lines = [line for line in file.read().splitlines() if not line.startswith("#")]
    rooms = {line.partition(" ")[0] for line in lines}
    tests = {room: tests_of(os.path.join(top, "tests", room)) for room in rooms}
    problems = [] if lines else [f"{LIST}: no test is named"]
    for i, line in enumerate(lines):
        room, _, name = line.partition(" ")
        if name not in tests[room]:
            problems.append(f"{LIST}: {line}: tests/{room} has no such test; correct or remove the line")
        if line in lines[:i]:
            problems.append(f"{LIST}: {line}: the line is repeated; remove it")
    return problems, len(lines)


def self_test():
    def run(text):
        with tree_of({LIST: text, "tests/cli/help_test.cc": "TEST(A, B) {\n}\nTEST_F(C, D) {\n"}) as top:
            return check(top)[0]

    assert run("# text\ncli A.B\ncli C.D\n") == []
    assert run("cli A.C\n") == [f"{LIST}: cli A.C: tests/cli has no such test; correct or remove the line"]
    assert run("gate A.B\n") == [f"{LIST}: gate A.B: tests/gate has no such test; correct or remove the line"]
    assert run("cli A.B\ncli A.B\n") == [f"{LIST}: cli A.B: the line is repeated; remove it"]
    assert run("# text\n") == [f"{LIST}: no test is named"]
    print("slow_tests: 4 planted faults found")


def judge():
    problems, count = check(TOP)
    return problems, f"slow_tests: {count} names, {len(problems)} problems"


if __name__ == "__main__":
    main(judge, self_test)
