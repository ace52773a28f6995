"""The command blocks of the documentation: which lines are run, and which marks say that a line is not.

A fence without a language, or with `sh` or `console`, has commands. In a fence with lines that begin with
`$ `, these lines are the commands and the others are their output. Comments above the fence are marks:

    <!-- not run: REASON -->              nothing of the block is run
    <!-- not run `COMMAND`: REASON -->    the lines that begin with COMMAND are not run
    <!-- exit code: N -->                 the block, or `COMMAND` in it as above, ends with N
    <!-- in: FOLDER -->                   the block is run there, and not at the top of the tree
    <!-- file: NAME -->                   above a fence of another language: later blocks find it as NAME
    <!-- same as: PATH -->                above a fence of another language: the text of that file
"""

import dataclasses
import os
import re

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOCUMENTS = ("README.md", "docs/install.md", "docs/operators.md", "docs/embedding.md", "docs/fuzz-your-loader.md",
             "docs/attach.md", "docs/page.md", "docs/formats.md", "docs/mutator.md", "bindings/javascript/README.md")
COMMANDS = ("", "sh", "console", "bash", "shell")
KINDS = "not run|exit code|in|file|same as"
MARK = re.compile(rf"<!-- ({KINDS})(?: `([^`]+)`)?: (.+) -->")
OF_COMMANDS = ("not run", "exit code", "in")


@dataclasses.dataclass
class Command:
    text: str
    output: list[str]  # the lines that the document shows below it


@dataclasses.dataclass
class Block:
    document: str
    line: int
    language: str
    body: list[str]
    marks: list[tuple[str, str, str]] = dataclasses.field(default_factory=list)

    @property
    def place(self):
        return f"{self.document}:{self.line}"

    @property
    def has_commands(self):
        return self.language in COMMANDS

    @property
    def shows_output(self):
        return any(line.startswith("$ ") for line in self.body)

    def mark(self, kind):
        """The value of a mark on the whole block, or None."""
        return next((value for one, what, value in self.marks if one == kind and not what), None)

    def line_marks(self, kind):
        """(command, value) of the marks on single lines."""
        return [(what, value) for one, what, value in self.marks if one == kind and what]

    def exit_code(self, command=""):
        """The expected exit code of the block, or of one of its commands."""
        of_line = [value for what, value in self.line_marks("exit code") if command.startswith(what)]
        return int((of_line or [self.mark("exit code") or 0])[0])

    def commands(self, with_skipped=False):
        found = []
        goes_on = False
        for line in self.body:
            if goes_on:
                found[-1].text += "\n" + line
            elif self.shows_output and not line.startswith("$ "):
                if found:
                    found[-1].output.append(line)
                continue
            elif line.strip() and not line.lstrip().startswith("#"):
                found.append(Command(line[2:] if self.shows_output else line, []))
            goes_on = bool(found) and line.endswith("\\")
        left_out = () if with_skipped else tuple(what for what, _ in self.line_marks("not run"))
        return [command for command in found if not (left_out and command.text.startswith(left_out))]


def blocks_of(document, text):
    """The fenced blocks of one document."""
    blocks, marks, fence = [], [], None
    for number, line in enumerate(text.split("\n"), 1):
        opening = re.fullmatch(r"```(\w*)", line)
        if fence is not None:
            if line == "```":
                fence = None
            else:
                fence.body.append(line)
        elif opening:
            fence = Block(document, number, opening[1], [], marks)
            blocks.append(fence)
            marks = []
        elif mark := MARK.fullmatch(line):
            marks.append((mark[1], mark[2] or "", mark[3]))
        else:
            # A mark must be directly above a block.
            blocks += [Block(document, number, "lost mark", [], [mark]) for mark in marks]
            marks = []
            if re.match(rf"<!-- ?({KINDS})\b", line):
                blocks.append(Block(document, number, "unreadable mark", [line]))
    return blocks


def all_blocks(top=TOP):
    found = []
    for document in DOCUMENTS:
        with open(os.path.join(top, document), encoding="utf-8") as file:
            found += blocks_of(document, file.read())
    return found


def problems_of(block, read=None):
    """The problems of a block and its marks, without running it. `read` returns the text of a file."""
    if block.language in ("lost mark", "unreadable mark"):
        return [f"{block.place}: {block.language}: {block.marks[0][2] if block.marks else block.body[0]}"]
    of_commands, of_text = problems_of_commands, problems_of_text
    problems = of_commands(block) if block.has_commands else of_text(block, read)
    return [f"{block.place}: {problem}" for problem in problems]


def problems_of_text(block, read):
    problems = [f"a block without commands is marked with `{kind}`" for kind, _, _ in block.marks
                if kind in OF_COMMANDS]
    if block.language == "text" and any(line.startswith("$ ") for line in block.body):
        problems.append("a block of text has commands: leave its language out")
    if (path := block.mark("same as")) and "\n".join(block.body) + "\n" != read(path):
        problems.append(f"the text is not that of {path}")
    return problems


def problems_of_commands(block):
    every = block.commands(with_skipped=True)
    problems = [f"the mark `{kind}` is for files" for kind, _, _ in block.marks if kind not in OF_COMMANDS]
    if not every:
        problems.append("no command: name the language, or text")
    elif not block.mark("not run") and not block.commands():
        problems.append("marks leave no command: mark the whole block")
    if block.mark("not run") and len(block.marks) > 1:
        problems.append("the whole block is marked as not run, and has other marks as well")
    for kind, what, value in block.marks:
        if what and not any(command.text.startswith(what) for command in every):
            problems.append(f"no line begins with the marked `{what}`")
        if kind == "exit code" and not value.isdigit():
            problems.append(f"{value} is no exit code")
    return problems
