"""Common code of the tests of packages: paths, and the steps to a first verdict."""

import glob
import os
import shutil
import subprocess
import time
import unittest

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PACKAGES = os.path.join(TOP, "build/packages")
BUILD = os.path.join(TOP, "build/release")
GOOD = os.path.join(TOP, "corpus/valid/sample-llama.gguf")
BAD = os.path.join(TOP, "corpus/invalid/damage-cut-short.gguf")
NOBODY = 65534


def run(*command, **options):
    """The finished command; .stdout has its output of both streams."""
    options = {"text": True, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "timeout": 600,
               "check": False, "stdin": subprocess.DEVNULL} | options
    return subprocess.run([str(word) for word in command], **options)


def archive(architecture="x86_64"):
    found = glob.glob(os.path.join(PACKAGES, f"ggufgate-*-linux-{architecture}.tar.gz"))
    if len(found) != 1:
        raise unittest.SkipTest(f"no archive for {architecture}: packaging/release")
    return found[0]


def need(*tools):
    """Skips if a tool is missing."""
    for tool in tools:
        if not shutil.which(tool):
            raise unittest.SkipTest(f"{tool} is not installed")


def need_root():
    if os.geteuid() != 0:
        raise unittest.SkipTest("only root may do this")


class Case(unittest.TestCase):
    """A test case that prints the output of each failed command."""

    maxDiff = None

    def ok(self, *command, code=0, **options):
        done = run(*command, **options)
        self.assertEqual(done.returncode, code, f"{' '.join(map(str, command))}:\n{done.stdout}")
        return done.stdout

    def judges(self, *program, good=GOOD, bad=BAD):
        """The program, started in any way, accepts the good model and rejects the other."""
        self.assertIn("ok ", self.ok(*program, "check", good))
        self.assertIn("tensor-data-bounds", self.ok(*program, "check", bad, code=1))

    def way(self, name, began):
        """Prints how long it took from nothing to a verdict."""
        print(f"{name}: a verdict after {time.monotonic() - began:.1f} s", flush=True)
