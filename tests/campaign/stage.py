"""A folder with fake fuzzers, and campaigns with them."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CAMPAIGN = os.path.join(ROOT, "fuzz", "campaign")

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "fuzz"))


class Stage(unittest.TestCase):
    def setUp(self):
        self.top = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.top)
        self.out = os.path.join(self.top, "out")
        for name in ("libfuzzer", "afl", "path"):
            os.makedirs(os.path.join(self.top, name))
        self.program("fake_afl.py", "path", "afl-fuzz")
        symbolizer = os.path.join(self.top, "path", "llvm-symbolizer-19")
        with open(symbolizer, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\n")
        os.chmod(symbolizer, 0o755)

    def program(self, source, folder, name):
        path = os.path.join(self.top, folder, name)
        shutil.copy(os.path.join(HERE, source), path)
        os.chmod(path, 0o755)
        return path

    def fuzzers(self, *names):
        for name in names:
            self.program("fake_fuzzer.py", "libfuzzer", f"fuzz_{name}")
            self.program("fake_fuzzer.py", "afl", f"fuzz_{name}")

    def list_targets(self, text, folder="libfuzzer"):
        with open(os.path.join(self.top, folder, "targets.txt"), "w", encoding="ascii") as file:
            file.write(text)

    def command(self, *words, minutes="0.02"):
        return [sys.executable, CAMPAIGN, "--out", self.out, "--minutes", minutes, "--jobs", "2",
                "--grace", "4", "--no-build",
                "--programs", "libfuzzer=" + os.path.join(self.top, "libfuzzer"),
                "--programs", "afl=" + os.path.join(self.top, "afl"), *words]

    def environment(self):
        path = os.path.join(self.top, "path") + os.pathsep + os.environ["PATH"]
        return {**os.environ, "PATH": path}

    def campaign(self, *words, **more):
        """The exit code and the output."""
        ran = subprocess.run(self.command(*words, **more), env=self.environment(), text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.printed = ran.stdout
        return ran.returncode

    def summary(self):
        with open(os.path.join(self.out, "summary.json"), encoding="utf-8") as file:
            return json.load(file)

    def page(self):
        with open(os.path.join(self.out, "findings.md"), encoding="utf-8") as file:
            return file.read()

    def crashes(self):
        return sorted(os.listdir(os.path.join(self.out, "crashes")))

    def assert_nothing_runs(self):
        noted = set()
        for folder in ("libfuzzer", "afl"):
            path = os.path.join(self.top, folder, "processes")
            if os.path.exists(path):
                with open(path, encoding="ascii") as file:
                    noted |= {int(line) for line in file}
        self.assertTrue(noted, "no fuzzer ran")
        for pid in noted:
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    command = file.read()
            except (FileNotFoundError, ProcessLookupError):
                continue
            # The id may belong to another program now.
            ours = self.top.encode() in command or command.startswith(b"sleep\x00600")
            self.assertFalse(ours, f"process {pid} was left behind: {command}")
