"""Common code of the checks of the tree: its path, trees for their self-tests, and their exit codes."""

import contextlib
import os
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))


@contextlib.contextmanager
def tree_of(files):
    """A temporary folder with these files in it: path -> text."""
    with tempfile.TemporaryDirectory() as top:
        for path, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(top, path)), exist_ok=True)
            with open(os.path.join(top, path), "w", encoding="utf-8") as file:
                file.write(text)
        yield top


def main(judge, self_test):
    """Runs the self-test if requested, else `judge`, which returns the problems and a line with the result."""
    if "--self-test" in sys.argv:
        self_test()
        sys.exit(0)
    problems, summary = judge()
    print(*problems, summary, sep="\n")
    sys.exit(1 if problems else 0)
