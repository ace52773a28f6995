#!/usr/bin/env python3
"""The shared object for AFL++ works on machines without other libraries of this project's build: it needs only the
C library, and exports only the functions that AFL++ looks up.

usage: afl_library.py [--self-test]    checks $GGUFGATE_AFL_MUTATOR; exit code 1 if it does not hold
"""

import os
import re
import subprocess
import tempfile

from support.checks import main

LIBRARIES = re.compile(r"^(lib(c|m|pthread|dl|gcc_s)\.so\.\d+|ld-linux.*|linux-vdso.*)$")


def readelf(path, *options):
    return subprocess.run(["readelf", "--wide", *options, path], check=True, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout


def check(path):
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", readelf(path, "--dynamic"))
    problems = [f"needs {library}" for library in needed if not LIBRARIES.match(library)]
    defined = []
    for line in readelf(path, "--dyn-syms").splitlines():
        fields = line.split()
        if len(fields) >= 8 and fields[4] in ("GLOBAL", "WEAK") and fields[6] != "UND":
            defined.append(fields[7])
    problems += [f"shows {name}" for name in defined if not name.startswith("afl_custom_")]
    if "afl_custom_fuzz" not in defined:
        problems.append("has no afl_custom_fuzz")
    return problems


def self_test():
    """A library with other names and another library has faults; a correct one has none."""
    compiler = os.environ.get("GGUFGATE_CXX", "c++")
    good = 'extern "C" int afl_custom_fuzz() { return 0; }\n'
    bad = '#include <string>\nstd::string* leak;\nint afl() { return leak->size() > 3; }\n' \
          'void more() { leak = new std::string("x"); }\n'
    with tempfile.TemporaryDirectory() as folder:
        results = {}
        for name, source in (("good", good), ("bad", bad)):
            path = os.path.join(folder, name)
            with open(path + ".cc", "w", encoding="utf-8") as file:
                file.write(source)
            link = ["-Wl,--as-needed"] if name == "good" else []
            subprocess.run([compiler, "-shared", "-fPIC", *link, path + ".cc", "-o", path + ".so"],
                           check=True)
            results[name] = check(path + ".so")
    assert results["good"] == [], results["good"]
    found = " | ".join(results["bad"])
    for word in ("needs libstdc++", "shows _Z4more", "has no afl_custom_fuzz"):
        assert word in found, (word, found)
    print(f"afl_library: {len(results['bad'])} planted faults found")


def judge():
    path = os.environ["GGUFGATE_AFL_MUTATOR"]
    problems = [f"{os.path.basename(path)}: {problem}" for problem in check(path)]
    return problems, f"afl_library: {len(problems)} problems"


if __name__ == "__main__":
    main(judge, self_test)
