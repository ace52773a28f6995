#!/usr/bin/env python3
"""Fake fuzzers that do not stop, do not start, or leave files or processes behind; and Ctrl-C."""

import os
import signal
import subprocess
import time
import unittest

from stage import Stage


class Endings(Stage):
    def test_a_fuzzer_that_does_not_end_is_ended(self):
        self.fuzzers("hanging")
        self.assertEqual(self.campaign("--target", "hanging"), 1, self.printed)
        self.assertEqual(self.crashes(), ["overrun-hanging-libfuzzer"])
        self.assertEqual({run["state"] for run in self.summary()["runs"]}, {"overrun"})
        self.assert_nothing_runs()

    def test_afl_that_does_not_end_is_ended(self):
        self.fuzzers("hanging")
        self.assertEqual(self.campaign("--target", "hanging", "--engine", "afl"), 1, self.printed)
        self.assertEqual(self.crashes(), ["overrun-hanging-afl"])
        self.assert_nothing_runs()

    def test_reading_a_large_corpus_is_no_fault(self):
        self.fuzzers("reading")
        self.assertEqual(self.campaign("--target", "reading", "--engine", "both"), 0, self.printed)
        notes = {run["engine"]: run["note"] for run in self.summary()["runs"]}
        self.assertEqual(notes["libfuzzer"], "was still reading the corpus")
        self.assert_nothing_runs()

    def test_children_that_left_their_session_are_ended(self):
        self.fuzzers("leaving")
        self.assertEqual(self.campaign("--target", "leaving"), 0, self.printed)
        self.assert_nothing_runs()

    def test_a_fuzzer_that_does_not_work_is_2(self):
        self.fuzzers("broken", "sound")
        self.assertEqual(self.campaign("--target", "all"), 2, self.printed)
        states = {run["target"]: run["state"] for run in self.summary()["runs"]}
        self.assertEqual(states, {"broken": "failed", "sound": "done"})
        self.assertIn("left no input", self.printed)

    def test_an_interrupt_ends_all_and_still_tells(self):
        self.fuzzers("crashing", "hanging")
        running = subprocess.Popen(self.command("--target", "all", minutes="1"),
                                   env=self.environment(), stderr=subprocess.PIPE, text=True)
        noted = os.path.join(self.top, "libfuzzer", "processes")
        crashed = os.path.join(self.out, "run", "crashing.libfuzzer.0", "artifacts")
        while not (os.path.exists(noted) and os.path.isdir(crashed) and os.listdir(crashed)):
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        printed = running.communicate()[1]
        self.assertEqual(running.returncode, 1, printed)
        self.assertTrue(self.summary()["interrupted"])
        # There was no time to analyse it: the next campaign does.
        self.assertTrue(any(name.startswith("unread-crashing-") for name in self.crashes()))
        self.assert_nothing_runs()
        self.campaign("--target", "crashing")
        self.assertFalse(any(name.startswith("unread-") for name in self.crashes()))

    def test_a_killed_campaign_takes_its_fuzzers_along(self):
        self.fuzzers("reading")
        running = subprocess.Popen(self.command("--target", "all", minutes="9"),
                                   env=self.environment(), stderr=subprocess.DEVNULL)
        noted = os.path.join(self.top, "libfuzzer", "processes")
        while not os.path.exists(noted) or os.path.getsize(noted) == 0:
            time.sleep(0.05)
        time.sleep(0.5)
        running.kill()
        running.wait()
        time.sleep(0.5)
        self.assert_nothing_runs()


if __name__ == "__main__":
    unittest.main()
