#!/usr/bin/env python3
"""A number that is a limit occurs once in src/: in format/limits.def if it is a limit of the gate, in
format/loader_limits.h if it is a loader's. It must not be written again in any notation: decimal or hexadecimal,
with separators between its digits, or as a shift. Comments and quoted texts may name it, because they are for
people. A test pins each limit of a loader; for those of the gate, a test compares the whole list.

usage: limits.py [--self-test]    exit code 1 if a line violates this; each is printed
"""

import os
import re

from support.checks import TOP, main, tree_of

HOMES = {
    "src/format/limits.def": re.compile(r"^GGUFGATE_LIMIT\((\w+),\s*([^,]+),", re.MULTILINE),
    "src/format/loader_limits.h": re.compile(r"^inline constexpr [\w:]+ (k\w+)\s*=\s*([^;]+);", re.MULTILINE),
}
SOURCES = (".cc", ".h", ".def", ".inc", ".c")
LOADERS, PINNED = "src/format/loader_limits.h", "tests/format/loader_limits_test.cc"

# Numbers with too many other meanings: all smaller ones, the bits of a word, one more than 32 bits hold.
LEAST = 60
COMMON = {64, 2**32}

# Folders and files that decide nothing about a file, or that share nothing on purpose.
ELSEWHERE = {
    "witness/": "a second judge shares no line with the first, numbers neither",
    "bytes/": "knows nothing of GGUF",
    "jinja/": "knows nothing of GGUF; its bounds are those of its own work",
    "dequantize/": "sizes of blocks of tensor data",
    "scan/": "sizes of blocks of tensor data",
    "format/unicode/": "numbers of characters",
    "check/cause/": "what files of other formats look like",
    "check/rules/contract/conditions/families/": "measured conditions, each number beside its wording",
}
# In these rooms a power of two is the size of a buffer, or a unit.
BUFFERS = ("policy", "gate", "rehearse", "report", "cli", "words")

# (file, number) -> its meaning there. An exception that is not needed is a fault.
EXCEPTIONS = {
    ("src/check/repeats/repeat_filter.cc", 1 << 14): "marks of a filter",
    ("src/check/rules/container/padding.cc", 1024): "a buffer",
    ("src/check/rules/readers/embedded_file.cc", 63): "a version of ZIP, 6.3",
    ("src/check/rules/resources/memory_demand.cc", 1024): "times the size of a file",
    ("src/check/rules/tokenizer/charsmap_walk.cc", 512): "a bit of a trie's unit",
    ("src/gate/find_files.h", 1_000_000): "names in folders",
    ("src/gate/processes/supervisor.cc", 3600): "seconds of an hour",
    ("src/parse/front/front_steps.h", 64 << 10): "a first read",
    ("src/parse/front/front_steps.h", 1 << 20): "a first read of a pipe",
    ("src/parse/front/prefix_estimate.cc", 16384): "a guess of bytes",
    ("src/report/terminal/progress.cc", 3600): "seconds of an hour",
    ("src/report/xml_text.cc", 0xFFFF): "a character",
    ("src/cli/mutate/mutate.cc", 100_000_000): "files to write",
    ("src/mutate/edits/cross_field.cc", 1024): "longest template that is drawn",
    ("src/mutate/c_api.cc", 1 << 30): "GGUFGATE_MOST_BYTES of the public header",
    ("src/mutate/file/draft.cc", 64 << 10): "bytes that are searched",
    ("src/mutate/file/draft.h", 1024): "room for tensors",
    ("src/mutate/generate/learned_data.cc", 63): "a greatest code",
    ("src/mutate/generate/learned_data.cc", 1024): "a divisor of weights",
    ("src/mutate/lies/complexity.cc", 512): "length of a key",
    ("src/mutate/lies/contract.cc", 16 << 10): "room for records",
    ("src/mutate/lies/lie_context.h", 512): "room for records",
    ("src/mutate/lies/solver.h", 63): "bits of a number with a sign",
    ("src/mutate/lies/tensor_directory.cc", 512): "room for records",
    ("src/mutate/lies/tensor_directory.cc", 1 << 30): "a number of dimensions",
    ("src/mutate/lies/tensor_sizes.cc", 1024): "times a unit of bytes",
    ("src/mutate/workpiece.cc", 64 << 10): "room for records",
    ("src/mutate/build/harmless_template.cc", 16 << 10): "longest template that is vouched for",
    ("src/mutate/repair/hyper_parameters.cc", 1 << 28): "most memory that is vouched for",
    ("src/mutate/repair/repair.cc", 1024): "room that is left",
}

# Two hexadecimal digits are a byte or the bits of one.
NUMBER = r"(?:0[xX][0-9a-fA-F'][0-9a-fA-F']{2,}|\d[\d']*)[uUlL]*"
SHIFT = rf"(?:[\w:]+\{{)?({NUMBER})\}}?\s*<<\s*({NUMBER})"
EXPRESSION = re.compile(rf"(?<![\w.])(?:{SHIFT}|({NUMBER}))(\)\s*-\s*1\b(?!'))?(?![\w.'])")
UNSEEN = re.compile(r'//[^\n]*|#include[^\n]*|"(?:[^"\\\n]|\\.)*"|(?<!\w)\'(?:[^\'\\\n]|\\.)\'')


def numbers_in(code):
    """Each number with the line where it ends."""
    def number(text):
        digits = re.sub(r"[uUlL']", "", text)
        return int(digits, 8 if digits.isdigit() and digits.startswith("0") else 0)

    for match in EXPRESSION.finditer(code):
        base, shift, plain, less_one = match.groups()
        value = number(plain) if plain else number(base) << number(shift)
        yield code.count("\n", 0, match.end()) + 1, value - (1 if less_one else 0)


def limits_in(home, text, known):
    """Name -> number of the limits that a home defines; one may use those before it."""
    for name, expression in HOMES[home].findall(text):
        plain = re.sub(r"[\w:]+\{([\d']+)\}", r"\1", expression)
        plain = re.sub(r"\bk\w+", lambda other: str(known[other[0]]), plain).replace("'", "")
        assert re.fullmatch(r"[\d\s()<*-]+", plain), f"{home}: {name}: what is {expression}?"
        known[name] = eval(plain)  # only numbers and operators
    return known


def sources(top):
    for folder, _, names in os.walk(os.path.join(top, "src")):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), top).replace(os.sep, "/")
            inside = path[len("src/"):]
            if name.endswith(SOURCES) and path not in HOMES and \
                    not inside.startswith(tuple(ELSEWHERE)):
                yield path


def read(top, path):
    with open(os.path.join(top, path), encoding="utf-8") as file:
        return file.read()


def check(top, exceptions):
    """The problems, and the number of limits."""
    known = {}
    for home in HOMES:
        limits_in(home, read(top, home), known)
    limits = {value for value in known.values() if value >= LEAST} - COMMON
    pinned = re.findall(r"EXPECT_EQ\((k\w+),", read(top, PINNED))
    problems = [f"{PINNED}: {name} is not pinned" for name, _ in HOMES[LOADERS].findall(read(top, LOADERS))
                if name not in pinned]
    needed = set()
    for path in sorted(sources(top)):
        buffers = path.split("/")[1] in BUFFERS
        for line, value in numbers_in(UNSEEN.sub(" ", read(top, path))):
            if value not in limits or (buffers and value & (value - 1) == 0):
                continue
            if (path, value) in exceptions:
                needed.add((path, value))
                continue
            names = ", ".join(name for name, limit in known.items() if limit == value)
            problems.append(f"{path}:{line}: {value:,} is a limit ({names}): name it")
    problems += [f"{path}: an exception for {value:,} that is not needed"
                 for path, value in sorted(exceptions.keys() - needed)]
    return problems, len(known)


def self_test():
    homes = {
        "src/format/limits.def": 'GGUFGATE_LIMIT(keys,  65\'536, "keys", "700, why")\n'
                                 'GGUFGATE_LIMIT(large, std::uint64_t{1} << 20, "bytes", "b")\n'
                                 'GGUFGATE_LIMIT(depth, 4, "levels", "small")\n',
        "src/format/loader_limits.h": "inline constexpr std::uint64_t kMost = (std::uint64_t{1} << 63) - 1;\n"
                                      "inline constexpr std::uint64_t kTotal =\n"
                                      "    kMost - (std::uint64_t{1} << 32);\n"
                                      "inline constexpr std::uint64_t kName = 64;\n",
    }

    def run(text, path="src/check/a.cc", exceptions=None, pins=("kMost", "kTotal", "kName")):
        test = "".join(f"EXPECT_EQ({name}, 1);\n" for name in pins)
        with tree_of({**homes, PINNED: test, path: text}) as top:
            return check(top, exceptions or {})[0]

    written = ("65536", "0200000", "65'536", "0x10000", "0x1'0000U", "1 << 16", "std::uint64_t{1} << 20", "std::uint64_t{1}\n  << 20", "1024UL << 10",
               "(std::uint64_t{1} << 63) - 1", "0x7FFF'FFFF'FFFF'FFFF", "9223372032559808511")
    for number in written:
        assert len(run(f"int x;\nconst auto y = {number};\n")) == 1, number
    assert run("const auto y = 65536;\n") == ["src/check/a.cc:1: 65,536 is a limit (keys): name it"]
    for number in ("0777", "65537", "165536", "65536.5", "a65536", "std::uint64_t{1} << 21", "1 << 163", "4", "64",
                   "(std::uint64_t{1} << 20) - 1", "65'535"):
        assert run(f"const auto y = {number};\n") == [], number
    for text in ('const char* s = "65536";  // 1 << 20\n', "char c = '\"'; int x; /" + "/ '65536'\n"):
        assert run(text) == [], text
    assert len(run("if (c == '\"') return 65536;\n")) == 1
    assert run("int x = 65536;\n", "src/witness/a.cc") == [] and run("int x = 65536;\n", "src/gate/a.cc") == []
    assert len(run("int x = 65536;\n", "src/witnesses/a.cc")) == 1
    assert len(run("int x = 0x7FFFFFFFFFFFFFFF;\n", "src/gate/a.cc")) == 1
    assert run("int x = 65536;\n", exceptions={("src/check/a.cc", 65536): "a port"}) == []
    assert run("int x = 1;\n", exceptions={("src/check/a.cc", 65536): "a port"}) != []
    assert run("", pins=("kMost", "kName")) == [f"{PINNED}: kTotal is not pinned"]
    print(f"limits: {len(written) + 5} planted faults found")


def judge():
    problems, count = check(TOP, EXCEPTIONS)
    return problems, (f"limits: {len(problems)} problems" if problems else
                      f"limits: {count}, each written once but for {len(EXCEPTIONS)} exceptions")


if __name__ == "__main__":
    main(judge, self_test)
