#!/usr/bin/env python3
"""Each wording in the block of a rule is used by the code of src and expected by a test. The function of a rule
uses no wording of another rule: it would compile, but the sink would abort.

usage: wordings.py [--self-test]    exit code 1 if one is not
"""

import os
import re

from support.checks import TOP, main, tree_of

BLOCK = re.compile(r"^GGUFGATE_RULE\((\w+),", re.MULTILINE)
NAME = re.compile(r"GGUFGATE_WORDING\((\w+), ")
FUNCTION = re.compile(r"^void Check(\w+)\(const Context& \w+, Sink& sink\) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
WORDING = re.compile(r"\b(\w+)Wording\b")


def texts(root, ending):
    for folder, _, names in os.walk(root):
        for name in sorted(names):
            if name.endswith(ending):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    yield file.read()


def wordings(rules):
    """(rule, name) of each wording; the first part of the split is the text above all blocks."""
    parts = BLOCK.split(rules)[1:]
    return [(rule, name) for rule, block in zip(parts[::2], parts[1::2]) for name in NAME.findall(block)]


def named(wording, sources):
    """A file that names the rule's enum, and the wording by that or by another name of the enum."""
    rule, name = wording
    return any(f"{rule}Wording" in text and re.search(rf"\bk{name}\b", text) for text in sources)


def foreign(rules, sources):
    """Wordings of another rule in the body of a rule's function."""
    return [f"Check{rule} says {other}Wording" for text in sources for rule, body in FUNCTION.findall(text)
            if rule in rules for other in WORDING.findall(body) if other != rule]


def check(top):
    rules = os.path.join(top, "src", "check")
    blocks = list(texts(os.path.join(rules, "rules"), "rules.def"))
    all_wordings = [each for text in blocks for each in wordings(text)]
    problems = [] if all_wordings else ["no rule names a wording"]
    for folder, place, verb in (("src", "src/check/rules", "says"), ("tests", "tests/check/rules", "tests")):
        sources = list(texts(os.path.join(top, folder), ".cc"))
        problems += [f"{place}: nothing {verb} {rule}Wording::k{name}" for rule, name in all_wordings
                     if not named((rule, name), sources)]
    return problems + foreign(BLOCK.findall("\n".join(blocks)), texts(rules, ".cc")), len(all_wordings)


def self_test():
    rules = ('GGUFGATE_RULE(A, "a", kX,\n  GGUFGATE_WORDING(One, "1")\n  GGUFGATE_WORDING(Two, "2"),\n  "what")\n'
             'GGUFGATE_RULE(B, "b", kX,\n  GGUFGATE_MESSAGE("m"),\n  "what")\n')
    both = "AWording::kOne AWording::kTwo"
    only = "using enum AWording; kOne kTwoMore"

    def run(said, tested):
        with tree_of({"src/check/rules/x/rules.def": rules, "src/check/rules/x/a.cc": said,
                      "tests/check/a_test.cc": tested}) as top:
            return check(top)[0]

    assert run(both, both) == []
    assert run(only, both) == ["src/check/rules: nothing says AWording::kTwo"], run(only, both)
    nothing_tests = "tests/check/rules: nothing tests AWording::k"
    assert run(both, only) == [nothing_tests + "Two"]
    assert run(both, "BWording kOne kTwo") == [nothing_tests + "One", nothing_tests + "Two"]
    other = "\nvoid CheckB(const Context& context, Sink& sink) {\n  sink.Add({.wording = AWording::kOne});\n}\n"
    assert run(both + other, both) == ["CheckB says AWording"], run(both + other, both)
    assert run(both + other.replace("CheckB", "CheckA"), both) == []
    print("wordings: 4 planted faults found")


def judge():
    problems, count = check(TOP)
    return problems, f"wordings: {count} names, {len(problems)} problems"


if __name__ == "__main__":
    main(judge, self_test)
