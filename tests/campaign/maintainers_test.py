#!/usr/bin/env python3
"""The page of findings: the gate's results, findings without one, and text that contains markup."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import stage
from campaigns import maintainers
from campaigns.stacks import read_report

FINDINGS = os.path.join(stage.ROOT, "fuzz", "findings")
FINDING = {"id": "assertion-0123456789ab", "kind": "assertion", "what": "n > 0", "frames": ["Load src/a.cc"],
           "new": True, "flaky": False, "targets": ["load"], "inputs": 3, "folder": "crashes/a", "reproduce": "load FILE"}


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = folder.name
        os.makedirs(os.path.join(self.top, "crashes", "a"))
        self.write("crashes/a/input", b"GGUFGGUF")

    def write(self, name, data, mode=0o644):
        path = os.path.join(self.top, name)
        with open(path, "wb") as file:
            file.write(data)
        os.chmod(path, mode)
        return path


class Page(Folder):
    def gate(self, verdict, *errors):
        said = {"files": [{"verdict": verdict, "findings": [
            {"rule": rule, "severity": severity, "offset": 24, "message": message}
            for rule, severity, message in errors]}]}
        self.write("said", json.dumps(said).encode())
        return self.write("gate", f"#!/bin/sh\ncat {self.top}/said\n".encode(), 0o755)

    def page(self, gate="", **changes):
        return maintainers.make("Title", [{**FINDING, **changes}], self.top, gate)

    def test_the_rule_and_its_sentence_are_the_cause(self):
        page = self.page(self.gate("reject", ("seen", "warning", "a warning"), ("head-count", "error", "value is 0")))
        self.assertIn("**Cause** (rule head\\-count): value is 0 \\(byte 24\\)", page)
        self.assertIn("**Stopped by**: `head-count` (", page)
        self.assertIn("R0dVRkdHVUY=", page)
        self.assertIn("Cause: value is 0 (byte 24).", page)
        self.assertNotIn("a warning", page)

    def test_what_is_accepted_is_told(self):
        page = self.page(self.gate("accept", ("seen", "warning", "a warning")))
        self.assertIn("**Stopped by**: **no rule**: the gate says accept.", page)
        self.assertIn("**Cause** (of what died; the gate does not name one): n \\> 0", page)

    def test_without_a_gate_nobody_is_asked(self):
        for gate in ("", "/nonexistent", self.write("broken", b"#!/bin/sh\necho no json\n", 0o755)):
            self.assertIn("**Stopped by**: nobody was asked", self.page(gate))

    def test_of_what_is_no_file_nobody_is_asked(self):
        gate = self.gate("reject", ("magic", "error", "no magic"))
        page = maintainers.make("Title", [FINDING], self.top, gate, {"other"})
        self.assertIn("**Stopped by**: nobody was asked", page)
        self.assertIn("`magic`", maintainers.make("Title", [FINDING], self.top, gate, {"other", "load"}))

    def test_the_smaller_file_is_shown_and_a_large_one_is_not(self):
        self.write("crashes/a/minimised", b"G" * 401)
        page = self.page()
        self.assertIn("`a/minimised`, 401 bytes", page)
        self.assertNotIn("base64", page)

    def test_nothing_is_markup_that_comes_from_a_file(self):
        hostile = "<b>*x*</b> [a](http://b) `c` | \x1b[31m \u202e\n# title"
        page = self.page(self.gate("reject", ("r", "error", hostile)), what=hostile, id=hostile)
        before_letter = page.split("~~~")[0] + page.split("~~~")[2]
        for mark in ("<b>", "[a](", "\x1b", "\u202e", "\n# title", " `c`"):
            self.assertNotIn(mark, before_letter)
        self.assertNotIn("\x1b", page)

    def test_no_fence_is_closed_from_within(self):
        self.assertEqual(maintainers.fenced("a\n~~~~\nb").splitlines()[0], "~~~~~")


class Loose(Folder):
    """fuzz/findings, with files of a third-party fuzzer."""

    def run_findings(self, *files):
        out = os.path.join(self.top, "out")
        ran = subprocess.run([sys.executable, FINDINGS, "--program", self.loader, "--gate", "/nonexistent", "--seconds",
                              "2", "--out", out, *files], capture_output=True, text=True, check=False)
        return ran.returncode, ran.stdout, out

    def setUp(self):
        super().setUp()
        self.loader = self.write("loader", b"#!/bin/sh\ngrep -q bug \"$1\" || exit 0\n"
                                 b"echo \"src/x.cpp:7: GGML_ASSERT(n > 0) failed\"\nkill -ABRT $$\n", 0o755)

    def test_what_dies_alike_is_one_finding_and_its_file_is_made_smaller(self):
        files = [self.write("a", b"x" * 40 + b"bug"), self.write("b", b"a bug"), self.write("c", b"harmless")]
        code, printed, out = self.run_findings(*files)
        self.assertEqual(code, 1)
        self.assertIn("1 finding in 3 files, of which 1 do no harm", printed)
        [name] = os.listdir(os.path.join(out, "crashes"))
        with open(os.path.join(out, "crashes", name, "minimised"), "rb") as file:
            self.assertEqual(file.read(), b"bug")
        with open(os.path.join(out, "findings.md"), encoding="ascii") as file:
            self.assertIn("**Died of**: n \\> 0 (loader; 2 inputs)", file.read())

    def test_nothing_found(self):
        code, printed, _ = self.run_findings(self.write("c", b"harmless"))
        self.assertEqual((code, "0 findings in 1 file, of which 1 do no harm" in printed), (0, True))


class Assertions(unittest.TestCase):
    def test_those_of_ggml(self):
        signature = read_report("a/llama-model.cpp:1262: GGML_ASSERT(a <= b(c)) failed\n"
                                "==1== ERROR: libFuzzer: deadly signal\n", 77)
        self.assertEqual((signature.kind, signature.what), ("assertion", "a <= b(c)"))


if __name__ == "__main__":
    unittest.main()
