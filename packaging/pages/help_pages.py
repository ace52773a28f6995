"""Reads the output of `ggufgate --help`, so that manual pages and completions need no separate list."""

import dataclasses
import os
import re
import subprocess

COLUMNS = 80
INDENT, DEEP_INDENT = 4, 8
ONE_OF_SEVERAL = r"([a-z][a-z0-9.+-]*): "


@dataclasses.dataclass
class Option:
    names: list  # "-q", "--quiet"; or "FILE" for a positional argument
    value: str   # "FILE", "text|json", or ""
    lines: list  # its description, unwrapped

    @property
    def is_argument(self):
        return not self.names[0].startswith("-") or self.names[0] == "--"  # -- COMMAND

    @property
    def choices(self):
        """The possible words: from "a|b|c", or from lines "a: ..." in the description."""
        if re.fullmatch(r"[a-z0-9.+-]+(\|[a-z0-9.+-]+)+", self.value):
            return self.value.split("|")
        if self.is_argument or not self.value:
            return []
        return [match[1] for line in self.lines if (match := re.match(ONE_OF_SEVERAL, line))]

    @property
    def summary(self):
        """The first sentence."""
        return re.split(r"[.:;](?= |$)", " ".join(self.lines), maxsplit=1)[0].strip()


@dataclasses.dataclass
class Page:
    name: str          # "ggufgate", "ggufgate policy check"
    summary: str
    synopsis: str
    description: list
    options: list
    sections: list     # (title, unchanged lines) after the options
    commands: list     # pages of the commands below

    def all(self):
        """This page and those of all commands below."""
        yield self
        for command in self.commands:
            yield from command.all()


def unwrapped(lines, indent):
    """Undoes the wrapping: joins a line with the next one if the next word did not fit. A line that begins
    with "word: " is a list item and is never joined."""
    whole, before = [], ""
    for line in (line[indent:].rstrip() for line in lines):
        word = line.split(" ", 1)[0]
        full = indent + len(before) + 1 + len(word) > COLUMNS
        if before and line and full and not re.match(ONE_OF_SEVERAL, line):
            whole[-1] += " " + line
        else:
            whole.append(line)
        before = line
    return whole


def sections_of(text):
    """Pairs of a title and its lines, without blank ones at the end."""
    found = []
    for line in text.splitlines():
        if re.fullmatch(r"[A-Z][A-Z ]+", line):
            found.append((line, []))
        elif found:
            found[-1][1].append(line)
    for _, lines in found:
        while lines and not lines[-1]:
            lines.pop()
    return found


def options_of(lines):
    options = []
    for line in lines:
        if not line.startswith(" " * DEEP_INDENT) and line.strip():
            head = re.fullmatch(r" +((?:-\S+, )*\S+)(?: (.*))?", line)
            options.append(Option(head[1].split(", "), head[2] or "", []))
        elif options:
            options[-1].lines.append(line)
    for option in options:
        option.lines = unwrapped(option.lines, DEEP_INDENT)
    return options


def page_of(text):
    """One page without the pages of its commands; it has their names."""
    sections = sections_of(text)
    known = dict(sections)
    name, summary = " ".join(unwrapped(known.get("NAME", []), INDENT)).split(" - ", 1)
    page = Page(name=name, summary=summary,
                synopsis=" ".join(line.strip() for line in known.get("SYNOPSIS", [])),
                description=unwrapped(known.get("DESCRIPTION", []), INDENT),
                options=options_of(known.get("OPTIONS", [])), sections=[], commands=[])
    titles = [title for title, _ in sections]
    page.sections = sections[titles.index("OPTIONS") + 1:]
    names = [line.split()[0] for line in known.get("COMMANDS", [])
             if line.startswith(" " * INDENT) and not line[INDENT].isspace()]
    return page, names


def read(program, words=()):
    """The page of a command of the program, with those of the commands below it."""
    environment = {"PATH": os.environ.get("PATH", ""), "COLUMNS": str(COLUMNS), "TERM": "dumb"}
    text = subprocess.run([*program, *words, "--help"], check=True, text=True, env=environment,
                          stdout=subprocess.PIPE, timeout=60).stdout
    page, names = page_of(text)
    page.commands = [read(program, (*words, name)) for name in names if name != "help"]
    return page
