#!/usr/bin/env python3
"""A file of src/ has at most 400 lines, and there is at least a line of test for a line of code.
Tables that a program writes (GENERATED) are not counted.

usage: sizes.py [--self-test]    exit code 1 if one of them does not hold
"""

import os
import sys
import tempfile

MAX_LINES = 400
MIN_RATIO = 1.0
CODE = (".cc", ".h", ".def", ".inc", ".c")
TESTS = (".cc", ".h", ".py")
GENERATED = (os.path.join("src", "format", "contracts"), os.path.join("src", "format", "unicode"))


def line_counts(root, endings):
    counts = {}
    for folder, _, names in os.walk(root):
        if os.path.relpath(folder, os.path.dirname(root)) in GENERATED:
            continue
        for name in names:
            if name.endswith(endings):
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    counts[os.path.relpath(path, os.path.dirname(root))] = file.read().count(b"\n")
    return counts


def check(top):
    """The problems, and one line that says how things stand."""
    code = line_counts(os.path.join(top, "src"), CODE)
    tests = line_counts(os.path.join(top, "tests"), TESTS)
    problems = [f"{path}: {lines} lines, at most {MAX_LINES}"
                for path, lines in sorted(code.items()) if lines > MAX_LINES]
    code_lines, test_lines = sum(code.values()), sum(tests.values())
    ratio = test_lines / code_lines if code_lines else 0.0
    if ratio < MIN_RATIO:
        problems.append(f"tests: {ratio:.2f} lines for a line of src, at least {MIN_RATIO:.2f}")
    return problems, (f"sizes: {test_lines} lines of test, {code_lines} of code, ratio {ratio:.2f}; "
                      f"longest file {max(code.values(), default=0)}")


def self_test():
    def run(files):
        with tempfile.TemporaryDirectory() as top:
            for path, lines in files.items():
                os.makedirs(os.path.dirname(os.path.join(top, path)), exist_ok=True)
                with open(os.path.join(top, path), "w", encoding="utf-8") as file:
                    file.write("x\n" * lines)
            return check(top)[0]

    assert run({"src/bytes/a.cc": 400, "tests/bytes/a_test.cc": 400}) == []
    assert run({"src/bytes/a.cc": 401, "tests/a.py": 500}) == ["src/bytes/a.cc: 401 lines, at most 400"]
    assert run({"src/bytes/a.def": 401, "tests/a.py": 500}) != []
    assert run({"src/bytes/a.cc": 200, "tests/a_test.cc": 199}) != []
    assert run({"src/a.cc": 1, "src/format/contracts/a.def": 900, "tests/a.py": 1}) == []
    assert run({"src/bytes/a.cc": 200, "tests/data.json": 300}) != []
    assert run({"tests/a_test.cc": 10}) != []
    print("sizes: 5 planted faults found")


def main():
    if "--self-test" in sys.argv:
        self_test()
        return 0
    top = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    problems, summary = check(top)
    for problem in problems:
        print(problem)
    print(summary)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
