#!/usr/bin/env python3
"""libggufgate.so exports exactly the functions that ggufgate.h declares, those of tests/api/symbols.txt, each with
its version. It exports no C++ symbol.

usage: exports.py [--self-test]    exit code 1 if one is missing or surplus; 0 if no library was built
"""

import os
import re
import subprocess
import tempfile

from support.checks import main

DECLARED = re.compile(r"\b(ggufgate_\w+)\(")


def exported(library):
    """The defined dynamic symbols in the notation of `nm`: name@@VERSION, without the versions themselves."""
    text = subprocess.run(["nm", "--dynamic", "--defined-only", library], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    return sorted(line.split()[2] for line in text.splitlines() if line.split()[1] != "A")


def declared(header):
    """The functions of a header whose declarations begin with GGUFGATE_API."""
    with open(header, encoding="utf-8") as file:
        text = file.read()
    return sorted(DECLARED.search(part)[1] for part in text.split("\nGGUFGATE_API ")[1:])


def check(library, header, listed):
    found = exported(library)
    with open(listed, encoding="utf-8") as file:
        wanted = [line for line in file.read().split("\n") if line and not line.startswith("#")]
    problems = [f"{name}: shown, and not in symbols.txt" for name in sorted(set(found) - set(wanted))]
    problems += [f"{name}: in symbols.txt, and not shown" for name in sorted(set(wanted) - set(found))]
    plain = {name.split("@")[0] for name in found}
    problems += [f"{name}: declared, and not shown" for name in sorted(set(declared(header)) - plain)]
    problems += [f"{name}: shown, and not declared" for name in sorted(plain - set(declared(header)))]
    return problems


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        def write(name, text):
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return path

        header = write("a.h", "\nGGUFGATE_API int ggufgate_a(void);\nGGUFGATE_API int ggufgate_b(int ggufgate_c);\n")
        source = write("a.c", "int ggufgate_a(void) { return 1; }\nint ggufgate_b(int n) { return n; }\nint z;\n")
        version = write("a.map", "V { global: ggufgate_*; local: *; };")
        library = os.path.join(folder, "a.so")
        compiler = [os.environ.get("GGUFGATE_CXX", "c++"), "-x", "c++", "-shared", "-fPIC", "-o", library]
        write("c.c", f'extern "C" {{\n#include "{source}"\n}}\n')
        build = [*compiler, os.path.join(folder, "c.c")]
        subprocess.run([*build, f"-Wl,--version-script={version}"], check=True)
        good = write("good", "ggufgate_a@@V\nggufgate_b@@V\n")
        assert check(library, header, good) == [], check(library, header, good)
        short = check(library, header, write("short", "ggufgate_a@@V\n"))
        assert short == ["ggufgate_b@@V: shown, and not in symbols.txt"], short
        other = check(library, header, write("other", "ggufgate_a@@V\nggufgate_b@@W\n"))
        assert len(other) == 2, other
        subprocess.run(build, check=True)
        bare = check(library, header, good)
        assert any(line.startswith("z: shown, and not declared") for line in bare), bare
    print("exports: 3 planted faults found")


def judge():
    source = os.environ["GGUFGATE_SOURCE_DIR"]
    library = os.path.join(os.environ["GGUFGATE_BUILD_DIR"], "libggufgate.so.0")
    if not os.path.exists(library):
        return [], "exports: no C library in this build"
    problems = check(library, os.path.join(source, "include", "ggufgate", "ggufgate.h"),
                     os.path.join(source, "tests", "api", "symbols.txt"))
    return problems, f"exports: {len(problems)} problems"


if __name__ == "__main__":
    main(judge, self_test)
