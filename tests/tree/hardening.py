#!/usr/bin/env python3
"""The released binary is hardened: PIE, full RELRO, no executable stack, a stack protector, a shadow-stack note.
The project's objects are marked for indirect branch tracking. Everything was compiled with _FORTIFY_SOURCE=3,
which detects more than 2. It loads only the C library.

The binary itself is not marked for indirect branch tracking: Debian's start-up objects and archives have no
landing pads, so the mark would be false.

usage: hardening.py [--self-test]    checks $GGUFGATE_COMMAND; exit code 1 if something is missing
"""

import glob
import json
import os
import platform
import re
import subprocess
import tempfile

from support.checks import main


def readelf(path, *options):
    return subprocess.run(["readelf", "--wide", *options, path], check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


# The libraries that a binary may load if its other libraries are archives ($GGUFGATE_STATIC). This includes the
# project's shared library, because otherwise memory would move between two heaps.
C_LIBRARY = re.compile(r"(libc|libm|ld-linux[^/]*)\.so\.\d+")

# Writes as many bytes as the second argument says to memory of the size in the first: the compiler does not know this
# size. Level 2 does not detect it, 3 does.
OVERRUN = """#include <cstdlib>
#include <cstring>
int main(int, char** arguments) {
  const std::size_t size = std::strtoul(arguments[1], nullptr, 10);
  char* const memory = static_cast<char*>(std::malloc(size));
  std::memset(memory, 'x', std::strtoul(arguments[2], nullptr, 10));
  const char last = memory[size - 1];
  std::free(memory);
  return last == 'x' ? 0 : 1;
}
"""


def check(program, static=False, shared=False):
    """The faults of a program, or of a shared library that programs load."""
    problems = []

    def require(condition, problem):
        if not condition:
            problems.append(problem)

    header, segments = readelf(program, "--file-header"), readelf(program, "--segments")
    dynamic, symbols = readelf(program, "--dynamic"), readelf(program, "--dyn-syms")
    require(re.search(r"Type:\s+DYN", header) and (shared or "INTERP" in segments), "not a PIE")
    require("GNU_RELRO" in segments, "no RELRO segment")
    require(re.search(r"FLAGS.*\b(BIND_NOW|NOW)\b", dynamic), "RELRO is not full: no BIND_NOW")
    stack = re.search(r"GNU_STACK.*", segments)
    require(stack and not re.search(r"\bRWE\b", stack[0]), "the stack is executable")
    require("__stack_chk_fail" in symbols, "no stack protector")
    require(not re.search(r"\bRWE\b", segments), "a segment is writable and executable")
    require(not re.search(r"RPATH|RUNPATH", dynamic), "has an RPATH")
    if platform.machine() == "x86_64":
        require("SHSTK" in readelf(program, "--notes"), "no shadow-stack note")
    if static:
        for library in re.findall(r"NEEDED.*\[(.*)\]", dynamic):
            require(C_LIBRARY.fullmatch(library), f"loads {library}")
    return problems


def fortified(options):
    """Whether the last definition in the options is _FORTIFY_SOURCE=3, with the optimiser that it requires."""
    level = optimised = None
    for option in options:
        if option.startswith(("-D_FORTIFY_SOURCE", "-U_FORTIFY_SOURCE")):
            level = option
        elif re.fullmatch(r"-O\w*", option):
            optimised = option
    return level == "-D_FORTIFY_SOURCE=3" and optimised in ("-O", "-O1", "-O2", "-O3", "-Os")


def check_fortify(build, source):
    """The files of src/ that were compiled otherwise; and overruns that the same options do not stop."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    rooms = os.path.join(source, "src", "")
    ours = [(entry["file"], entry["command"].split()) for entry in commands
            if os.path.abspath(entry["file"]).startswith(rooms)]
    if not ours:
        return ["no compiled file of src/ is known"]
    problems = [f"{os.path.relpath(path, source)}: not compiled with _FORTIFY_SOURCE=3"
                for path, options in ours if not fortified(options)]
    return problems or check_overrun(next(option for option in ours[0][1] if option.startswith("-O")), 3)


def check_overrun(optimiser, level):
    with tempfile.TemporaryDirectory() as folder:
        path, program = os.path.join(folder, "overrun.cc"), os.path.join(folder, "overrun")
        with open(path, "w", encoding="utf-8") as file:
            file.write(OVERRUN)
        subprocess.run([os.environ.get("GGUFGATE_CXX", "c++"), optimiser, "-U_FORTIFY_SOURCE",
                        f"-D_FORTIFY_SOURCE={level}", path, "-o", program], check=True)

        def ends(written):
            return subprocess.run([program, "8", written], check=False, stderr=subprocess.PIPE, text=True)

        within, beyond = ends("8"), ends("9")
        if within.returncode != 0:
            return [f"_FORTIFY_SOURCE={level} stops what is right"]
        if beyond.returncode == 0 or "buffer overflow detected" not in beyond.stderr:
            return [f"_FORTIFY_SOURCE={level} does not stop an overrun"]
    return []


def check_archives(build):
    """The project's objects without the note of -fcf-protection=full."""
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
             " if (n > 99) throw n; return b[0] == 'x'; }\n"
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
        shared = check(program, static=True)
    found = " | ".join(results["bare"])
    for word in ("PIE", "RELRO segment", "BIND_NOW", "executable", "protector", "RPATH", "shadow"):
        assert word in found, (word, found)
    assert results["hard"] == [], results["hard"]
    assert check_overrun("-O2", 3) == [], "3 stops nothing"
    assert check_overrun("-O2", 1) != [], "1 stops as much as 3"
    right = ["-O2", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=3"]
    assert fortified(right)
    for wrong in ([], right[:1], right[1:], right + ["-U_FORTIFY_SOURCE"], right + ["-O0"],
                  right + ["-D_FORTIFY_SOURCE=2"]):
        assert not fortified(wrong), wrong
    assert shared and all("loads lib" in problem for problem in shared), shared
    print(f"hardening: {len(results['bare']) + 8} planted faults found")


def judge():
    program = os.environ["GGUFGATE_COMMAND"]
    static = os.environ.get("GGUFGATE_STATIC", "").upper() in ("ON", "1", "TRUE", "YES")
    problems = [f"{os.path.basename(program)}: {problem}" for problem in check(program, static)]
    library = os.path.join(os.environ["GGUFGATE_BUILD_DIR"], "libggufgate.so.0")
    if os.path.exists(library):
        problems += [f"{os.path.basename(library)}: {problem}" for problem in check(library, static, shared=True)]
    problems += check_fortify(os.environ["GGUFGATE_BUILD_DIR"], os.environ["GGUFGATE_SOURCE_DIR"])
    if platform.machine() == "x86_64":
        problems += check_archives(os.environ["GGUFGATE_BUILD_DIR"])
    return problems, f"hardening: {len(problems)} problems"


if __name__ == "__main__":
    main(judge, self_test)
