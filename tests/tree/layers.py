#!/usr/bin/env python3
"""Includes in src/ point down, never up, never in a circle, and name existing files. No chain of them is longer
than MAX_CHAIN, and no folder has more than MAX_FILES (in tests and fuzz too). A room may include only the rooms
that it lists. Tests and fuzz targets share only tests/oracles.

usage: layers.py [--self-test]    exit code 1 if a line violates this; each is printed
"""

import os
import re

from support.checks import TOP, main, tree_of

# room -> the rooms that it may include, besides itself; an unused permission is a fault. A folder inside a room may be
# a separate room ("mutate/lies"). src/CMakeLists.txt links by the same table.
CORE = ("bytes", "format", "parse", "dequantize", "scan", "jinja", "check", "words", "repair", "mutate")
REACHES = {
    "bytes": (),
    "format": ("bytes",),
    "parse": ("format", "bytes"),
    "dequantize": ("format", "bytes"),
    "scan": ("format", "bytes"),
    "jinja": ("bytes",),
    "check": ("parse", "scan", "jinja", "format", "bytes"),
    "mutate/memory": ("bytes",),
    "mutate/file": ("mutate/memory", "format", "bytes"),
    "mutate/build": ("mutate/file", "mutate/memory", "parse", "format", "bytes"),
    "mutate/examples": ("format",),
    "mutate/mutations": ("mutate/build",),
    "mutate/reduce": ("mutate/file", "mutate/memory", "format", "bytes"),
    "mutate/repair": ("mutate/examples", "mutate/build", "mutate/file", "format", "bytes"),
    "mutate/generate": ("mutate/build", "parse", "format", "bytes"),
    "mutate/edits": ("mutate/mutations", "mutate/generate", "mutate/build", "mutate/file", "format", "bytes"),
    "mutate/lies": ("mutate/mutations", "mutate/examples", "mutate/repair", "mutate/build", "mutate/file",
                    "mutate/memory", "format", "bytes"),
    "mutate/models": ("mutate/mutations", "mutate/generate", "mutate/build", "mutate/file", "parse", "format", "bytes"),
    "mutate": ("mutate/models", "mutate/mutations", "mutate/examples", "mutate/edits", "mutate/repair",
               "mutate/generate", "mutate/reduce", "mutate/build", "mutate/file", "mutate/memory", "bytes"),
    "witness": (),
    "words": ("check", "parse", "format", "bytes"),
    "repair": ("words", "check", "parse", "format", "bytes"),
    "policy": ("words", "check", "format", "bytes"),
    "remote": ("bytes",),
    "gate": ("remote", "words", "check", "parse", "format", "bytes", "dequantize", "witness"),
    "fetch": ("gate", "remote", "bytes"),
    "json": (),
    "stores": ("json", "gate", "remote", "check", "bytes"),
    "rehearse": ("gate", "format", "bytes"),
    "rehearse/driver": ("rehearse", "gate", "bytes"),
    "rehearse/preload": ("rehearse/driver", "rehearse"),
    "report": ("gate", "words", "check", "parse", "format", "bytes"),
    "manifest": ("report", "json", "gate", "words", "parse", "format", "bytes"),
    "api": ("gate", "words", "check", "bytes"),
    "api/c": ("report", "policy", "gate", "words", "check", "parse", "dequantize", "format", "bytes"),
    "api/wasm": ("report", "policy", "gate", "words", "check", "dequantize", "parse"),
    "cli": ("manifest", "rehearse", "report", "policy", "stores", "gate", "remote", "repair", "words", "check", "mutate", "mutate/generate", "dequantize", "parse", "format",
            "bytes"),
}
# Rooms of which others may include only one header.
FACES = {"jinja": "jinja/template.h"}
GENERATED = {"check/rule_names.def"}  # written when the build is configured
MAX_CHAIN = 8
MAX_FILES = 25
PUBLIC = "ggufgate/"  # headers of include/

# Third-party libraries, by the start of the include; every other quoted include is a file of the project.
LIBRARIES = ("absl/", "nlohmann/", "openssl/", "CLI/", "hwy/", "curl/", "seccomp", "gtest/", "gmock/",
             "benchmark/")
# The core uses only the standard library, with these exceptions.
CORE_LIBRARIES = {"bytes": ("hwy/",), "dequantize": ("hwy/",), "scan": ("hwy/",), "check": ("hwy/",)}
# Not in the core: half of the code of map and streams is in libstdc++.so, which is not instrumented by MemorySanitizer.
CORE_FORBIDDEN = {"map", "iostream", "sstream", "iomanip", "regex", "fstream", "ostream", "istream"}

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)')
SOURCES = (".cc", ".h", ".def", ".inc", ".c")


def outer(room):
    return room.split("/")[0]


def room_of(path):
    """The innermost room of a file, or None."""
    folder = os.path.dirname(path)
    while folder and folder not in REACHES:
        folder = os.path.dirname(folder)
    return folder or None


def source_files(root):
    for folder, _, names in os.walk(root):
        for name in sorted(names):
            if name.endswith(SOURCES):
                yield os.path.relpath(os.path.join(folder, name), root)


def includes(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if match := INCLUDE.match(line):
                yield number, match[1], match[2]


def complaint(root, room, quoted, angled):
    """The fault of one include, or None."""
    name = quoted or angled
    if name.startswith(PUBLIC):
        return None
    library = next((prefix for prefix in LIBRARIES if name.startswith(prefix)), None)
    if library:
        if outer(room) in CORE and library not in CORE_LIBRARIES.get(room, ()):
            return f"{room} is a core room: the standard library only"
        return None
    if angled:
        if outer(room) in CORE and angled in CORE_FORBIDDEN:
            return f"{room} is a core room: no <{angled}>"
        if os.path.exists(os.path.join(root, angled)):
            return "a file of ours is included with quotes"
        return None
    if quoted in GENERATED:
        return None
    if not os.path.isfile(os.path.join(root, quoted)):
        return "no such file below src/"
    target = room_of(quoted)
    if target != room and target not in REACHES[room]:
        reach = ", ".join(REACHES[room]) or "nothing"
        return f"{room} may include {reach}, not {target}"
    if target != room and quoted != FACES.get(target, quoted):
        return f"others see {FACES[target]} of {target} only"
    return None


def cycles(edges):
    """Each include cycle once, as a list of paths that ends with its first path."""
    state, found, stack = {}, [], []

    def visit(path):
        state[path] = "open"
        stack.append(path)
        for target in edges.get(path, ()):
            if state.get(target) == "open":
                found.append(stack[stack.index(target):] + [target])
            elif target not in state:
                visit(target)
        stack.pop()
        state[path] = "done"

    for path in sorted(edges):
        if path not in state:
            visit(path)
    return found


def longest_chain(edges):
    """The longest chain of includes, as a list of paths. The graph has no cycles."""
    chains = {}

    def chain(path):
        if path not in chains:
            chains[path] = [path] + max((chain(target) for target in edges.get(path, ())), key=len, default=[])
        return chains[path]

    return max((chain(path) for path in sorted(edges)), key=len, default=[])


def crowded(top, paths):
    """Folders below `top` with too many source files; tables do not count."""
    counts = {}
    for path in paths:
        if path.endswith((".cc", ".h", ".c")):
            folder = os.path.dirname(path)
            counts[folder] = counts.get(folder, 0) + 1
    return [f"{top}/{folder}: {count} source files, at most {MAX_FILES}"
            for folder, count in sorted(counts.items()) if count > MAX_FILES]


def check(root, every_permission=True):
    problems, edges, used = [], {}, set()
    for path in source_files(root):
        room = room_of(path)
        if room not in REACHES:
            problems.append(f"src/{path}: not in a room: {', '.join(REACHES)}")
            continue
        edges[path] = []
        for number, quoted, angled in includes(root, path):
            if problem := complaint(root, room, quoted, angled):
                problems.append(f"src/{path}:{number}: {quoted or angled}: {problem}")
            if quoted and os.path.isfile(os.path.join(root, quoted)):
                edges[path].append(quoted)
                used.add((room, room_of(quoted)))
    rings = ["include cycle: " + " -> ".join(cycle) for cycle in cycles(edges)]
    problems += rings + crowded("src", edges)
    if not rings and len(chain := longest_chain(edges)) > MAX_CHAIN:
        problems.append(f"a chain of {len(chain)} files, at most {MAX_CHAIN}: " + " -> ".join(chain))
    if every_permission:
        problems += [f"{room} may include {target}, and nothing there does: drop it from REACHES"
                     for room, targets in REACHES.items() for target in targets if (room, target) not in used]
    return problems, len(edges)


def outside(top):
    """The faults in tests/ and fuzz/: crowded folders; includes of fuzz/ in tests/; and in fuzz/, includes outside
    of tests/oracles (except in its tests)."""
    problems = [problem for side in ("tests", "fuzz")
                for problem in crowded(side, source_files(os.path.join(top, side)))]
    for side, other in (("tests/", "fuzz/"), ("fuzz/", "tests/")):
        for path in source_files(os.path.join(top, side)):
            for number, quoted, _ in includes(os.path.join(top, side), path):
                if (quoted or "").startswith(other) and not quoted.startswith("tests/oracles/") \
                        and not (side == "fuzz/" and path.endswith("_test.cc")):
                    problems.append(f"{side}{path}:{number}: {quoted}: what both need is in tests/oracles")
    return problems


def self_test():
    """A correct tree passes; each planted fault is found, and nothing else."""
    good = {
        "bytes/cursor.h": "#include <span>\n",
        "bytes/utf8.cc": '#include "hwy/highway.h"\n#include "bytes/cursor.h"\n',
        "format/types.def": "",
        "check/face.cc": '#include "jinja/template.h"\n',
        "jinja/template.h": '#include "jinja/tokens.h"\n',
        "jinja/tokens.h": "",
        "parse/parse.h": '#include "bytes/cursor.h"\n#include "format/types.def"\n',
        "gate/gate.cc": '#include "absl/status/status.h"\n#include "parse/parse.h"\n#include <map>\n',
    }
    plants = [
        ("bytes/up.h", '#include "parse/parse.h"\n', "bytes may include nothing, not parse"),
        ("mutate/lies/a.h", '#include "check/b.h"\n', "mutate/memory, format, bytes, not check"),
        ("mutate/file/a.h", '#include "mutate/b.h"\n', "mutate/file may include mutate/memory, format, bytes, not mutate"),
        ("check/a.h", '#include "mutate/b.h"\n', "not mutate"),
        ("dequantize/a.h", '#include "check/b.h"\n', "not check"),
        ("report/a.h", '#include "cli/b.h"\n', "not cli"),
        ("parse/gone.h", '#include "bytes/gone.h"\n', "no such file"),
        ("check/inside.cc", '#include "jinja/tokens.h"\n', "others see jinja/template.h of jinja only"),
        ("words/absl.cc", '#include "absl/strings/str_format.h"\n', "words is a core room"),
        ("parse/near.h", '#include "parse.h"\n', "no such file"),
        ("check/absl.cc", '#include "absl/strings/str_cat.h"\n', "standard library only"),
        ("check/absl2.cc", "#include <absl/strings/str_cat.h>\n", "standard library only"),
        ("parse/utf8.cc", '#include "hwy/highway.h"\n', "standard library only"),
        ("parse/angled.cc", "#include <bytes/cursor.h>\n", "included with quotes"),
        ("attic/a.h", "", "not in a room"),
        ("bytes/ring.h", '#include "bytes/ring.h"\n', "include cycle"),
    ]
    plants += [("check/std.cc", f"#  include <{name}>\n", f"no <{name}>")
               for name in ("map", "iostream", "sstream", "iomanip", "regex")]

    def run(tree, every_permission=False):
        with tree_of(tree) as root:
            return check(root, every_permission)[0]

    assert run(good) == [], run(good)
    others = {"check/b.h": "", "mutate/b.h": "", "cli/b.h": ""}
    for path, text, expected in plants:
        problems = run({**good, **others, path: text})
        assert len(problems) == 1 and expected in problems[0], (path, expected, problems)
    ring = {"parse/x.h": '#include "parse/y.h"\n', "parse/y.h": '#include "parse/x.h"\n'}
    problems = run({**good, **ring})
    assert problems == ["include cycle: parse/x.h -> parse/y.h -> parse/x.h"], problems
    long = {f"bytes/{n}.h": f'#include "bytes/{n + 1}.h"\n' for n in range(MAX_CHAIN)} | {f"bytes/{MAX_CHAIN}.h": ""}
    problems = run({**good, **long})
    assert len(problems) == 1 and problems[0].startswith(f"a chain of {MAX_CHAIN + 1} files"), problems
    many = {f"bytes/{n}.h": "" for n in range(MAX_FILES)}
    assert run({**good, **many}) == [f"src/bytes: {MAX_FILES + 2} source files, at most {MAX_FILES}"]
    unused = run(good, every_permission=True)
    assert "scan may include bytes, and nothing there does: drop it from REACHES" in unused, unused
    assert not any(line.startswith("parse may include bytes") for line in unused), unused
    includes = {"tests/a_test.cc": "fuzz/a.h", "tests/oracles/b.cc": "fuzz/a.h", "fuzz/a.h": "tests/a.h",
                "fuzz/b.cc": "tests/oracles/a.h", "fuzz/c_test.cc": "tests/support/a.h"}
    with tree_of({path: f'#include "{included}"\n' for path, included in includes.items()}) as top:
        found = sorted(line.split(":")[0] for line in outside(top))
        assert found == ["fuzz/a.h", "tests/a_test.cc", "tests/oracles/b.cc"], found
        for n in range(MAX_FILES):
            open(os.path.join(top, f"tests/{n}.h"), "w", encoding="utf-8").close()
        assert f"tests/: {MAX_FILES + 1} source files, at most {MAX_FILES}" in outside(top), outside(top)
    print(f"layers: {len(plants) + 6} planted faults found")


def judge():
    problems, count = check(os.path.join(TOP, "src"))
    problems += outside(TOP)
    if not count:
        problems.append("src: no source files")
    return problems, f"layers: {count} files, {len(problems)} problems"


if __name__ == "__main__":
    main(judge, self_test)
