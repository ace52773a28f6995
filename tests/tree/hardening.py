#!/usr/bin/env python3
"""The released binary is hardened: PIE, full RELRO, no executable stack, a stack protector,
a shadow-stack note; our own objects are marked for indirect branch tracking.

usage: hardening.py [--self-test]    judges $GGUFGATE_COMMAND; exit code 1 if something is missing
"""

import glob
import os
import platform
import re
import subprocess
import sys
import tempfile


def readelf(path, *options):
    return subprocess.run(["readelf", "--wide", *options, path], check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def check(program):
    problems = []

    def require(condition, problem):
        if not condition:
            problems.append(problem)

    header, segments = readelf(program, "--file-header"), readelf(program, "--segments")
    dynamic, symbols = readelf(program, "--dynamic"), readelf(program, "--dyn-syms")
    require(re.search(r"Type:\s+DYN", header) and "INTERP" in segments, "not a PIE")
    require("GNU_RELRO" in segments, "no RELRO segment")
    require(re.search(r"FLAGS.*\b(BIND_NOW|NOW)\b", dynamic), "RELRO is not full: no BIND_NOW")
    stack = re.search(r"GNU_STACK.*", segments)
    require(stack and not re.search(r"\bRWE\b", stack[0]), "the stack is executable")
    require("__stack_chk_fail" in symbols, "no stack protector")
    require(not re.search(r"\bRWE\b", segments), "a segment is writable and executable")
    require(not re.search(r"RPATH|RUNPATH", dynamic), "has an RPATH")
    if platform.machine() == "x86_64":
        require("SHSTK" in readelf(program, "--notes"), "no shadow-stack note")
    return problems


def check_archives(build):
    """Objects of ours without the note that -fcf-protection=full leaves."""
    problems = []
    for archive in sorted(glob.glob(os.path.join(build, "src", "libggufgate_*.a"))):
        objects = readelf(archive, "--notes").split("\nFile: ")[1:]
        bare = [part.split("\n")[0] for part in objects if "IBT, SHSTK" not in part]
        problems += [f"{os.path.basename(path)}: no control-flow note" for path in bare]
    return problems


def self_test():
    """A binary built with none of the flags has every fault; one built with all of them has none."""
    compiler = os.environ.get("GGUFGATE_CXX", "c++")
    source = "#include <cstdio>\nint main(int n, char**) { char b[64]; std::sprintf(b, \"%d\", n);" \
             " return b[0] == 'x'; }\n"
    bare = ["-O1", "-fno-pie", "-no-pie", "-fno-stack-protector", "-fcf-protection=none",
            "-Wl,-z,norelro,-z,lazy,-z,execstack", "-Wl,-rpath,/nowhere"]
    hard = ["-O1", "-fPIE", "-pie", "-fstack-protector-strong", "-fcf-protection=full",
            "-Wl,-z,relro,-z,now,-z,noexecstack,-z,shstk"]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.cc")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        results = {}
        for name, flags in (("bare", bare), ("hard", hard)):
            program = os.path.join(folder, name)
            subprocess.run([compiler, *flags, path, "-o", program], check=True)
            results[name] = check(program)
    found = " | ".join(results["bare"])
    for word in ("PIE", "RELRO segment", "BIND_NOW", "executable", "protector", "RPATH", "shadow"):
        assert word in found, (word, found)
    assert results["hard"] == [], results["hard"]
    print(f"hardening: {len(results['bare'])} planted faults found")


def main():
    if "--self-test" in sys.argv:
        self_test()
        return 0
    program = os.environ["GGUFGATE_COMMAND"]
    problems = [f"{os.path.basename(program)}: {problem}" for problem in check(program)]
    if platform.machine() == "x86_64":
        problems += check_archives(os.environ["GGUFGATE_BUILD_DIR"])
    for problem in problems:
        print(problem)
    print(f"hardening: {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
