#!/usr/bin/env python3
"""Whole campaigns with fake libFuzzers."""

import os
import subprocess
import unittest

from stage import Stage


class Campaign(Stage):
    def test_nothing_new_is_0(self):
        self.fuzzers("sound")
        self.assertEqual(self.campaign("--target", "all"), 0, self.printed)
        summary = self.summary()
        self.assertEqual(summary["schema"], "ggufgate.campaign/1")
        self.assertEqual((summary["exit_code"], summary["new_findings"]), (0, 0))
        self.assertEqual({run["target"] for run in summary["runs"]}, {"sound"})
        self.assertGreater(summary["runs"][0]["executions"], 16)
        growth = summary["runs"][0]["growth"]
        self.assertGreater(growth["edges"][-1], growth["edges"][0])
        self.assertEqual(growth["seconds"], sorted(growth["seconds"]))
        self.assertEqual(self.crashes(), [])
        self.assertIn("0 new findings", self.printed)
        self.assert_nothing_runs()

    def test_a_crash_is_1_and_one_finding_however_often(self):
        self.fuzzers("crashing", "sound")
        self.assertEqual(self.campaign("--target", "all", minutes="0.1"), 1, self.printed)
        findings = self.summary()["findings"]
        self.assertEqual(len(findings), 1, findings)
        finding = findings[0]
        with open(os.path.join(self.out, "findings.md"), encoding="ascii") as file:
            self.assertIn("**Smallest file**: `" + finding["id"] + "/", file.read())
        self.assertGreater(finding["inputs"], 1, "the target is started again after a crash")
        self.assertTrue(finding["new"])
        self.assertFalse(finding["flaky"])
        self.assertEqual(finding["kind"], "invariant")
        self.assertEqual(finding["mutations"], ["text-key-nul"])
        self.assertEqual(finding["frames"],
                         ["ggufgate::One src/parse/a.cc",
                          "LLVMFuzzerTestOneInput fuzz/targets/check.cc"])
        self.assertEqual(self.crashes(), [finding["id"]])
        place = os.path.join(self.out, finding["folder"])
        self.assertEqual(sorted(os.listdir(place)),
                         ["finding.json", "input", "minimised", "reproduce", "stack.txt"])
        with open(os.path.join(place, "minimised"), "rb") as file:
            self.assertEqual(file.read(), b"bug")
        self.assertNotEqual(subprocess.run([os.path.join(place, "reproduce")], check=False,
                                           stderr=subprocess.DEVNULL).returncode, 0)
        self.assert_nothing_runs()

    def test_the_same_input_again_ends_nothing(self):
        self.fuzzers("repeating")
        self.assertEqual(self.campaign("--target", "repeating", minutes="0.2"), 1, self.printed)
        summary = self.summary()
        self.assertEqual({run["state"] for run in summary["runs"]}, {"done"})
        self.assertGreater(summary["runs"][0]["restarts"], 1)
        self.assertEqual(summary["findings"][0]["inputs"], len(summary["runs"]))

    def test_what_was_found_before_is_known(self):
        self.fuzzers("crashing")
        self.assertEqual(self.campaign("--target", "crashing"), 1, self.printed)
        before = self.crashes()
        self.assertEqual(self.campaign("--target", "crashing"), 0, self.printed)
        self.assertEqual(self.crashes(), before)
        self.assertEqual([finding["new"] for finding in self.summary()["findings"]], [False])
        self.assertIn("1 known", self.printed)

    def test_a_listed_finding_is_known(self):
        self.fuzzers("crashing")
        self.campaign("--target", "crashing")
        name = self.crashes()[0]
        listed = os.path.join(self.top, "known")
        with open(listed, "w", encoding="ascii") as file:
            file.write(f"# ids\n{name}  to be repaired\n")
        self.out += "-again"
        self.assertEqual(self.campaign("--target", "crashing", "--known", listed), 0, self.printed)
        with open(listed, "w", encoding="ascii") as file:
            file.write(f"{name}\n")  # without a reason
        self.assertEqual(self.campaign("--target", "crashing", "--known", listed), 2)

    def test_a_seed_that_crashes_is_found_once_and_does_not_end_the_target(self):
        self.fuzzers("sound")
        seeds = os.path.join(self.top, "seeds")
        os.makedirs(seeds)
        for name, text in (("good", "good"), ("bad", "a bug among the seeds")):
            with open(os.path.join(seeds, name), "w", encoding="ascii") as file:
                file.write(text)
        self.list_targets(f"sound bytes {seeds}\n")
        self.assertEqual(self.campaign("--target", "sound", minutes="0.1"), 1, self.printed)
        self.assertEqual(len(self.crashes()), 1)
        self.assertGreater(max(run["executions"] for run in self.summary()["runs"]), 16)

    def test_a_finding_that_does_not_happen_again_is_flaky_and_1(self):
        self.fuzzers("shifty")
        self.assertEqual(self.campaign("--target", "shifty"), 1, self.printed)
        findings = self.summary()["findings"]
        self.assertEqual([finding["flaky"] for finding in findings], [True])
        self.assertTrue(findings[0]["id"].startswith("flaky-invariant-"), findings)

    def test_what_came_from_outside_is_escaped(self):
        self.fuzzers("crashing")
        self.campaign("--target", "crashing")
        page = self.page()
        self.assertIn("a \\<b\\>bold\\</b\\> claim \\\\u\\{1b\\}\\[31m\\&amp; more", page)
        for text in (page, self.printed, str(self.summary()["findings"]).replace("\\x1b", "")):
            self.assertNotIn("\x1b", text)

    def test_corpora_grow_and_are_minimised(self):
        self.fuzzers("sound")
        self.campaign("--target", "sound", "--grace", "30")
        corpus = self.summary()["corpora"][0]
        self.assertTrue(corpus["minimised"])
        self.assertGreater(corpus["files_found"], corpus["files"])
        kept = os.listdir(os.path.join(self.out, "corpus", "sound"))
        self.assertEqual(len(kept), corpus["files"])
        self.campaign("--target", "sound", "--grace", "30")
        self.assertEqual(self.summary()["corpora"][0]["files_before"], corpus["files"])


if __name__ == "__main__":
    unittest.main()
