#!/usr/bin/env python3
"""tests/first_commands/run runs every block of commands in the documentation, or the block has a mark with the
reason why not. A mark without a block is a fault, and so is a listing that differs from the file that it names.

usage: first_commands.py [--self-test]    exit code 1 if it does not hold
"""

import os
import sys

from support.checks import TOP, main

sys.path.insert(0, os.path.join(TOP, "tests", "first_commands"))
import blocks  # noqa: E402


def read(path):
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        return file.read()


def check():
    """The problems, and a line with the result."""
    found = blocks.all_blocks()
    problems = [problem for block in found for problem in blocks.problems_of(block, read)]
    commands = [block for block in found if block.has_commands]
    left_out = [block for block in commands if block.mark("not run")]
    lines = [f"{block.place}: {what}" for block in commands for what, _ in block.line_marks("not run")]
    if not commands:
        problems.append("no block of commands was found")
    return problems, (f"first commands: {len(commands) - len(left_out)} blocks are run, {len(left_out)} are not, "
                      f"and {len(lines)} lines of others are not")


FENCE = "```"


def self_test():
    def problems(*lines):
        return [problem for block in blocks.blocks_of("x.md", "\n".join(lines))
                for problem in blocks.problems_of(block, {"a.cc": "int a;\n"}.__getitem__)]

    def one(*lines):
        (block,) = blocks.blocks_of("x.md", "\n".join(lines))
        return block

    accepted = (
        (FENCE, "true", FENCE),
        ("<!-- not run: needs a GPU -->", FENCE, "true", FENCE),
        ("<!-- not run `b`: slow -->", FENCE, "a", "b  # all", FENCE),
        ("<!-- exit code: 1 -->", "<!-- in: build -->", FENCE, "false", FENCE),
        (FENCE + "text", "reject  a.gguf", FENCE),
        ("<!-- file: a.c -->", "<!-- same as: a.cc -->", FENCE + "c", "int a;", FENCE),
        ("<!-- any other comment -->", "text"),
    )
    for lines in accepted:
        assert problems(*lines) == [], lines
    rejected = (
        ("<!-- not run: needs a GPU -->", "text", FENCE, "true", FENCE),
        ("<!-- not run: needs a GPU -->", FENCE + "toml", "a = 1", FENCE),
        ("<!-- not run needs a GPU -->", FENCE, "true", FENCE),
        ("<!-- not run `c`: slow -->", FENCE, "a", "b", FENCE),
        ("<!-- not run `a`: slow -->", FENCE, "a", FENCE),
        ("<!-- not run: slow -->", "<!-- not run `a`: slow -->", FENCE, "a", "b", FENCE),
        ("<!-- exit code: one -->", FENCE, "false", FENCE),
        ("<!-- file: a.c -->", FENCE, "int a;", FENCE),
        ("<!-- same as: a.cc -->", FENCE + "cpp", "int b;", FENCE),
        (FENCE, "# nothing", FENCE),
        (FENCE + "text", "$ true", FENCE),
    )
    for lines in rejected:
        assert len(problems(*lines)) == 1, (lines, problems(*lines))
    told = one("<!-- exit code `b`: 7 -->", FENCE, "$ a \\", "  c", "out", "$ b", FENCE)
    assert [(command.text, command.output) for command in told.commands()] == [("a \\\n  c", ["out"]), ("b", [])]
    assert (told.exit_code("a"), told.exit_code("b")) == (0, 7)
    plain = one("<!-- not run `a`: slow -->", FENCE, "a \\", "  b", "c", FENCE)
    assert [command.text for command in plain.commands()] == ["c"]
    print(f"first commands: {len(rejected)} planted faults found")


if __name__ == "__main__":
    main(check, self_test)
