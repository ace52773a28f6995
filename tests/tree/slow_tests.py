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
INSTANCE = re.compile(r"^INSTANTIATE_TEST_SUITE_P\((\w+), (\w+),", re.MULTILINE)


def files_of(tests, module):
    """The files of a room, or the one file of a module with its own program: gate_confine_golden is that of
    gate/confine/golden_test.cc."""
    if (tests / module).is_dir():
        return (tests / module).rglob("*_test.cc")
    return [path for path in tests.rglob("*_test.cc")
            if "_".join(path.relative_to(tests).parts) == module + "_test.cc"]


def tests_of(tests, module):
    found = set()
    for path in files_of(tests, module):
        text = path.read_text(encoding="utf-8")
        instances = INSTANCE.findall(text)
        for suite, name in TEST.findall(text):
            found.add(f"{suite}.{name}")
            found.update(f"{prefix}/{suite}.{name}" for prefix, of in instances if of == suite)
    return found


def without_parameter(name):
    suite, _, test = name.rpartition(".")
    return suite + "." + test.partition("/")[0]


def check(top):
    with open(os.path.join(top, LIST), encoding="utf-8") as file:
        lines = [line for line in file.read().splitlines() if not line.startswith("#")]
    modules = {line.partition(" ")[0] for line in lines}
    tests = {module: tests_of(pathlib.Path(top, "tests"), module) for module in modules}
    problems = [] if lines else [f"{LIST}: no test is named"]
    for i, line in enumerate(lines):
        module, _, name = line.partition(" ")
        if without_parameter(name) not in tests[module]:
            problems.append(f"{LIST}: {line}: {module}_test has no such test; correct or remove the line")
        if line in lines[:i]:
            problems.append(f"{LIST}: {line}: the line is repeated; remove it")
    return problems, len(lines)


def self_test():
    def run(text):
        with tree_of({LIST: text, "tests/cli/help_test.cc": "TEST(A, B) {\n}\nTEST_F(C, D) {\n",
                      "tests/cli/own/heap_test.cc": "TEST_P(E, F) {\n}\nINSTANTIATE_TEST_SUITE_P(All, E, x);\n"}) as top:
            return check(top)[0]

    def absent(module, name):
        return [f"{LIST}: {module} {name}: {module}_test has no such test; correct or remove the line"]

    assert run("# text\ncli A.B\ncli C.D\ncli_own_heap All/E.F/7\n") == []
    for module, name in (("cli", "A.C"), ("gate", "A.B"), ("cli_own_heap", "A.B"), ("cli_own_heap", "Some/E.F/7")):
        assert run(f"{module} {name}\n") == absent(module, name)
    assert run("cli A.B\ncli A.B\n") == [f"{LIST}: cli A.B: the line is repeated; remove it"]
    assert run("# text\n") == [f"{LIST}: no test is named"]
    print("slow_tests: 6 planted faults found")


def judge():
    problems, count = check(TOP)
    return problems, f"slow_tests: {count} names, {len(problems)} problems"


if __name__ == "__main__":
    main(judge, self_test)
