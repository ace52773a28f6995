#!/usr/bin/env python3
"""Conditions that the gate takes for ones that fail where an argument is hollow: in llama.cpp's own engine they do.

usage: hollow_conditions.py GATE RENDER [COUNT [SEED]]     (default: 300 conditions, from seed 1)

A macro that calls itself under a condition is accepted only where the condition fails, or rendering ends with an
error, for what is left of its argument in the end (src/jinja/hollow/hollow.h). For each condition, GATE tells by its
verdicts for which of these it expects that; RENDER tells what the engine does. Exit code 0 when no expectation is
wrong, 1 when one is, 77 without the engine.
"""

import random
import sys

from generated_attacks import rules_broken
from rendered_templates import FAMILY, rendered
from walking_programs import condition

# By kind, as in src/jinja/values/given.h: the arguments of a call that may be of that kind.
HOLLOW = {
    "undefined": ("s.zz", ("undefined_name", "messages[0].zz")),
    "empty": ("s.get('zz')", ("{}", "[]", "''", "0", "none", "false")),
    "plain": ("s.zz or 'zz'", ("'abc'", "'a'", "'object'", "5", "true")),
    "typed": ("s.zz or {'type': 'any'}", ("{'type': 'any'}",)),
}
BRANCHES = {"fails": "{%% if %s %%}%s{%% endif %%}", "holds": "{%% if %s %%}{%% else %%}%s{%% endif %%}"}
# The length of the output tells which branch was taken.
TAKEN = "{%% set s = %s %%}{%% if %s %%}1234567{%% else %%}123{%% endif %%}"


def expectations(gate, conditions):
    """(condition, outcome, kind) for the gate's expectations. If a call may pass an empty or plain value, it may
    also pass an undefined one: then both are expected."""
    asked = [(text, outcome, kind) for text in conditions for outcome in BRANCHES for kind in HOLLOW]
    programs = ["{% macro w(s) %}" + BRANCHES[outcome] % (text, "{{ w(%s) }}" % HOLLOW[kind][0]) + "{% endmacro %}{{ w(messages) }}"
                for text, outcome, kind in asked]
    return [one for one, rules in zip(asked, rules_broken(gate, programs)) if not rules.intersection(FAMILY)]


def main(arguments):
    if len(arguments) < 2 or arguments[0].startswith("-"):
        print(__doc__)
        return 2
    gate, render = arguments[:2]
    count = int(arguments[2]) if len(arguments) > 2 else 300
    source = random.Random(int(arguments[3]) if len(arguments) > 3 else 1)
    conditions = [condition(source, ("s",), 2) for _ in range(count)]
    expected = expectations(gate, conditions)
    tried = [(text, outcome, value) for text, outcome, kind in expected for value in HOLLOW[kind][1]]
    answers = rendered(render, ["1234567", "123"] + [TAKEN % (value, text) for text, _, value in tried])
    taken = {answers[0]["bytes"]: "holds", answers[1]["bytes"]: "fails"}
    wrong = 0
    for (text, outcome, value), answer in zip(tried, answers[2:]):
        if answer["outcome"] == "rendered" and taken.get(answer["bytes"]) != outcome:
            wrong += 1
            print("%s with s = %s: expected that it %s" % (text, value, outcome))
    print("%d conditions, %d expectations, tried with %d arguments: %d wrong" % (count, len(expected), len(tried), wrong))
    return 1 if wrong or not expected else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
