#!/usr/bin/env python3
"""A wrong command prints an error, returns exit code 2, and changes nothing."""

import fcntl
import os
import subprocess
import sys
import unittest

from stage import CAMPAIGN, Stage


class CommandLine(Stage):
    def refused(self, *words):
        self.assertEqual(self.campaign(*words), 2, self.printed)
        return self.printed

    def test_help(self):
        ran = subprocess.run([sys.executable, CAMPAIGN, "--help"], capture_output=True, text=True,
                             check=True)
        self.assertIn("exit code:", ran.stdout)

    def test_wrong_words(self):
        self.fuzzers("sound")
        for words in (("--target", "../sound"), ("--target", "all", "--engine", "honggfuzz"),
                      ("--target", "all", "--jobs", "0"), ("--target", "all", "--minutes", "nan"),
                      ("--target", "all", "--programs", "libfuzzer=/nowhere"), ()):
            self.refused(*words)
        self.assertFalse(os.path.exists(self.out))

    def test_a_target_that_is_not_there(self):
        self.fuzzers("sound", "other", "other_bytes")
        self.assertIn("no target wrong; there are: other, sound",
                      self.refused("--target", "wrong"))

    def test_no_targets(self):
        self.assertIn("no fuzz targets", self.refused("--target", "all"))

    def test_a_list_of_targets_that_is_odd(self):
        self.fuzzers("sound")
        for text in ("../sound bytes\n", "sound\n"):
            self.list_targets(text)
            self.refused("--target", "all")

    def test_a_folder_that_is_not_ours(self):
        self.fuzzers("sound")
        os.makedirs(os.path.join(self.out, "run"))
        precious = os.path.join(self.out, "run", "precious")
        open(precious, "wb").close()
        self.assertIn("not of a campaign", self.refused("--target", "sound"))
        self.assertTrue(os.path.exists(precious))

    def test_a_folder_that_is_in_use(self):
        self.fuzzers("sound")
        os.makedirs(self.out)
        with open(os.path.join(self.out, "campaign.mark"), "w", encoding="ascii") as mark:
            fcntl.flock(mark, fcntl.LOCK_EX)
            self.assertIn("another campaign", self.refused("--target", "sound"))

    def test_a_missing_tool_is_named_with_its_package(self):
        self.fuzzers("sound")
        os.remove(os.path.join(self.top, "path", "llvm-symbolizer-19"))
        os.environ["PATH"], before = "/nowhere", os.environ["PATH"]
        try:
            self.assertIn("Debian has it in llvm-19", self.refused("--target", "sound"))
        finally:
            os.environ["PATH"] = before


if __name__ == "__main__":
    unittest.main()
