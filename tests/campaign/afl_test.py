#!/usr/bin/env python3
"""Whole campaigns with a fake AFL++, alone and together with fake libFuzzers."""

import os
import unittest

from stage import Stage


class Afl(Stage):
    def corpus(self):
        files = []
        for folder, _, names in os.walk(os.path.join(self.out, "corpus")):
            for name in names:
                with open(os.path.join(folder, name), "rb") as file:
                    files.append(file.read())
        return files

    def test_what_it_finds_is_read_and_exchanged(self):
        self.fuzzers("sound")
        self.assertEqual(self.campaign("--target", "sound", "--engine", "afl", "--grace", "30"), 0,
                         self.printed)
        run = self.summary()["runs"][0]
        self.assertEqual((run["engine"], run["state"]), ("afl", "done"))
        self.assertGreater(run["executions"], 0)
        growth = run["growth"]
        self.assertGreater(growth["edges"][-1], 100)
        self.assertEqual(growth["executions"], sorted(growth["executions"]))
        first = growth["executions"].index(500)  # from the name of a file in the queue
        self.assertEqual((growth["edges"][first], growth["corpus"][first]), (None, 2))
        self.assertIn(b"from afl", self.corpus())
        self.assertNotIn(b"a seed", self.corpus())  # it was one of the seeds
        self.assert_nothing_runs()

    def test_crashes_are_reproduced_and_hangs_that_end_are_none(self):
        self.fuzzers("crashing")
        self.assertEqual(self.campaign("--target", "crashing", "--engine", "afl"), 1, self.printed)
        findings = self.summary()["findings"]
        self.assertEqual(sorted(finding["frames"][0] for finding in findings),
                         ["ggufgate::One src/parse/a.cc", "ggufgate::Other src/parse/a.cc"])
        self.assertIn("ends in time", self.printed)
        for text in (self.page(), self.printed):
            self.assertNotIn("\x1b", text)
        self.assert_nothing_runs()

    def test_both_engines_name_a_finding_alike(self):
        self.fuzzers("crashing")
        self.assertEqual(self.campaign("--target", "crashing", "--engine", "both"), 1, self.printed)
        one = [finding for finding in self.summary()["findings"] if "One" in finding["frames"][0]]
        self.assertEqual([finding["engines"] for finding in one], [["libfuzzer", "afl"]])

    def test_a_seed_that_crashes_is_found_though_it_is_skipped(self):
        self.fuzzers("sound")
        os.makedirs(os.path.join(self.top, "seeds"))
        path = os.path.join(self.top, "seeds", "bad")
        with open(path, "w", encoding="ascii") as file:
            file.write("a bug among the seeds")
        self.list_targets(f"sound bytes {path}\n", "afl")
        self.list_targets(f"sound bytes {path}\n")
        self.assertEqual(self.campaign("--target", "sound", "--engine", "afl"), 1, self.printed)
        self.assertEqual(len(self.summary()["findings"]), 1)
        self.assertNotIn(b"a bug among the seeds", self.corpus())

    def test_why_it_does_not_start_is_told(self):
        self.fuzzers("broken")
        self.assertEqual(self.campaign("--target", "broken", "--engine", "afl"), 2, self.printed)
        note = self.summary()["runs"][0]["note"]
        self.assertEqual(note, "the fork server <b>\\u{7} handshake failed")
        self.assertIn("the fork server <b>\\u{7} handshake failed", self.printed)


if __name__ == "__main__":
    unittest.main()
