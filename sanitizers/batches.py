"""Sorts source files into batches that compile as one file each, for batches.cmake.

usage: batches.py SIZE -- TARGET FILE... [-- TARGET FILE...]...
A line for each batch: its target and its files, separated by ';'

Two files are never in the same batch in these cases:
- Both define the same local name. Two equal `using` aliases are allowed.
- One file defines a local name that a header of the other file declares.
- Their headers conflict.
A file is in no batch if it includes itself several times (Highway), defines a macro before its first header, or has
`using enum` at the left margin.
"""

import functools
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
# Libraries that are slow to compile: files that include the same one should share a batch.
COSTLY = re.compile(r"^#include <(CLI)/", re.MULTILINE)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
# A name is local if its line is in an unnamed namespace or starts with static.
SPACE = re.compile(r"^namespace *([\w:]*) *\{")
END = re.compile(r"^\} *// namespace$")
MACRO = re.compile(r"^ *# *define +(\w+)", re.MULTILINE)
TEMPLATE = re.compile(r"^(?:template *<.*> *|\[\[\w+\]\] *|__extension__ +)+")
TYPE = re.compile(r"^(?:struct|class|union|enum(?: class)?) +(\w+)")
ALIAS = re.compile(r"^using +(\w+) *=")
WHOLE_ALIAS = re.compile(r"^using +(\w+) *= *([^;]+);", re.MULTILINE)
FORWARD = re.compile(r"^(?:struct|class|enum class) \w+;")
UNNAMED = re.compile(r" \w+(?=[,)])")
TEST = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST|MATCHER\w*|ACTION\w*)\(([^)]*)\)?")
# A function or a variable: the last name before its parameters or its value.
VALUE = re.compile(r"^[A-Za-z_][^(={;]*?[\s*&>](\w+)(?:\[[^\]]*\])* *(?:[(={;]|$)")
FURTHER = re.compile(r", *(k[A-Z]\w*) *=")  # constants that share a line with the first
ENUM = re.compile(r"^enum (?!class)[^{]*\{([^}]*)\}", re.MULTILINE)
NO_NAME = {"return", "namespace", "static_assert", "public:", "private:", "protected:", "friend", "extern"}


def name_of(line):
    """The name that a line at the left margin declares, or None."""
    line = TEMPLATE.sub("", line)
    if not line[:1].isalpha() or line.split()[0] in NO_NAME:
        return None
    found = TYPE.match(line) or ALIAS.match(line) or VALUE.match(line)
    return found[1] if found else None


def own_names(text):
    """The names that only one file of a batch may define."""
    names = {name for name in MACRO.findall(text)
             if not re.search(rf"^ *# *undef +{name}\b", text, re.MULTILINE)}
    for members in ENUM.findall(text):
        names.update(re.findall(r"\b[a-zA-Z]\w*", members))
    unnamed = False
    for line in text.splitlines():
        if space := SPACE.match(line):
            unnamed = unnamed or not space[1]
        elif END.match(line):
            unnamed = False
        elif test := TEST.match(line):
            names.add(test[1].replace(" ", ""))
        elif (unnamed or line.startswith("static ")) and (name := name_of(line)):
            names.update([name, *FURTHER.findall(line)])
    return names


def stands_alone(text):
    return ("foreach_target.h" in text or "#define" in text.partition("#include")[0]
            or re.search("^using enum", text, re.MULTILINE) is not None)


@functools.cache
def headers_of(path):
    """The project's headers that a file includes, directly or through other headers."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = set()
    for name in INCLUDE.findall(text):
        for top in ("src", ".", "include"):
            header = os.path.normpath(os.path.join(ROOT, top, name))
            if os.path.isfile(header):
                found |= {header} | headers_of(header)
                break
    return frozenset(found)


@functools.cache
def names_in(header):
    """Pairs of a name that a header declares and its parameters, which are empty for a type."""
    names = set()
    with open(header, encoding="utf-8") as file:
        for line in file:
            name = name_of(line)
            if name and not FORWARD.match(line):
                names.add((name, UNNAMED.sub("", line.partition(name + "(")[2].rstrip(" {;\n"))))
    return frozenset(names)


def declared_in(headers):
    return frozenset().union(*map(names_in, headers))


class Source:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.path, self.alone, self.own = path, stands_alone(text), own_names(text)
        self.headers = headers_of(path)
        self.declared = frozenset(name for name, _ in declared_in(self.headers))
        self.aliases = set(WHOLE_ALIAS.findall(text))
        self.costly = sorted(set(COSTLY.findall(text)))

    def clashes(self, other):
        return self.own_clash(other) or self.header_clash(other)

    def own_clash(self, other):
        same = {name for name, _ in self.aliases & other.aliases}
        return bool(self.own & other.own - same or self.own & other.declared or other.own & self.declared)

    def header_clash(self, other):
        """True if headers of both declare a function with the same parameters, or a type with the same name."""
        mine = declared_in(self.headers - other.headers)
        others = declared_in(other.headers - self.headers)
        types = {name for name, parameters in mine ^ others if not parameters}
        return bool(mine & others or types & {name for name, _ in mine} & {name for name, _ in others})


def batches(size, sources):
    """Puts each file into the first batch that fits. Files with costly libraries come first."""
    made = []
    for source in sorted(sources, key=lambda source: not source.costly):
        for batch in made:
            if len(batch) < size and not any(map(source.clashes, batch)):
                batch.append(source)
                break
        else:
            made.append([source])
    return made


def main(size, *targets):
    starts = [at for at, word in enumerate(targets) if word == "--"]
    for start, end in zip(starts, [*starts[1:], len(targets)]):
        target, *paths = targets[start + 1:end]
        for batch in batches(int(size), [one for one in map(Source, paths) if not one.alone]):
            print(";".join([target, *(source.path for source in batch)]))


if __name__ == "__main__":
    main(*sys.argv[1:])
