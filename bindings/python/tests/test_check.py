"""Checks, options, policies and reports."""

import dataclasses
import os
import tempfile
import threading
import unittest

import ggufgate
from ggufgate import Severity, Verdict
from tests.corpus import invalid, valid

SOUND = valid("sample-llama.gguf")
CUT = invalid("damage-cut-short.gguf")


class Check(unittest.TestCase):
    def test_by_path_descriptor_object_and_bytes(self):
        for path, verdict in ((SOUND, Verdict.ACCEPT), (CUT, Verdict.REJECT)):
            with open(path, "rb") as file:
                data = file.read()
            with open(path, "rb") as file, open(path, "rb") as other:
                sources = [path, os.fsencode(path).decode(), file, other.fileno(), data, bytearray(data),
                           memoryview(data)]
                reports = [ggufgate.check(source) for source in sources]
            for report in reports:
                self.assertIs(report.verdict, verdict)
                self.assertEqual(report.findings, reports[0].findings)
                self.assertEqual(report.size, len(data))
            self.assertEqual(reports[0].accepted, verdict is Verdict.ACCEPT)

    def test_findings_are_frozen_and_say_where(self):
        finding = ggufgate.check(CUT).findings[0]
        self.assertEqual(finding.rule, "tensor-data-bounds")
        self.assertIs(finding.severity, Severity.ERROR)
        self.assertEqual(finding.place, "weight")
        self.assertEqual(finding.cause.id, ggufgate.check(CUT).to_dict()["findings"][0]["cause"]["id"])
        self.assertIn("tensor-data-bounds", str(finding))
        self.assertIn("] weight: ", str(finding))
        self.assertNotIn(" :", str(dataclasses.replace(finding, place="")))
        with self.assertRaises(dataclasses.FrozenInstanceError):
            finding.rule = "other"

    def test_what_cannot_be_read_is_undecided(self):
        for source in ("no such file", os.path.dirname(SOUND), 9999):
            report = ggufgate.check(source)
            self.assertIs(report.verdict, Verdict.UNDECIDED)
            self.assertTrue(report.problem)

    def test_a_name_of_any_bytes_is_escaped(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, os.fsdecode(b"a\x1b\xff"))
            with open(SOUND, "rb") as source, open(path, "wb") as copy:
                copy.write(source.read())
            report = ggufgate.check(path)
            self.assertTrue(report.accepted)
            self.assertTrue(report.path.endswith("a\\x1b\\xff"))

    def test_options(self):
        self.assertIsNone(ggufgate.check(SOUND).sha256)
        self.assertEqual(len(ggufgate.check(SOUND, sha256=True).sha256), 64)
        self.assertEqual(ggufgate.check(b"", name="mine").path, "mine")
        warned = valid("tensor-all-zero.warned.gguf")
        self.assertTrue(ggufgate.check(warned, data="full").accepted)
        for fail_on in ("note", Severity.NOTE):
            self.assertFalse(ggufgate.check(warned, data="full", fail_on=fail_on).accepted)
        self.assertTrue(ggufgate.check(warned, data="none", fail_on="note").accepted)

    def test_wrong_options_are_told(self):
        for wrong in ({"data": "some"}, {"fail_on": "never"}, {"jobs": -1}, {"jobs": 5000}, {"timeout": -1},
                      {"second_opinion": "third"}, {"profile": "gate", "policy": ggufgate.Policy()}):
            with self.subTest(wrong), self.assertRaises(ValueError):
                ggufgate.check(SOUND, **wrong)
        for call, said in (
                (lambda: ggufgate.check(SOUND, fail_om="note"), r"check\(\) has no option 'fail_om'; did you mean 'fail_on'"),
                (lambda: ggufgate.open(SOUND, timeout=1), r"open\(\) has no option 'timeout'"),
                (lambda: ggufgate.scan([], polcy=1), r"scan\(\) has no option 'polcy'; did you mean 'policy'"),
                (lambda: ggufgate.check(None), "cannot check a value of type NoneType: give a path"),
                (lambda: ggufgate.check(SOUND, policy="strict.toml"), "policy is a value of type str, not a ggufgate.Policy"),
                (lambda: list(ggufgate.scan([SOUND], policy="x")), "policy is a value of type str"),
                (lambda: ggufgate.Policy(3), "the text of a policy is a str, not a value of type int")):
            with self.assertRaisesRegex(TypeError, said):
                call()
        with self.assertRaises(ValueError):
            ggufgate.check("a\0b")
        with self.assertRaisesRegex(ggufgate.PolicyError, "'none'; must be one of 'gate', 'llama.cpp', 'spec', 'diffusion'"):
            ggufgate.check(SOUND, profile="none")
        for profile in ("gate", "llama.cpp", "spec", "diffusion"):
            ggufgate.Policy(profile=profile)
        for number in (-1, 2**31, 2**32):
            with self.assertRaises(ValueError):
                ggufgate.check(number)

    def test_confined(self):
        if not ggufgate.can_confine():
            self.skipTest("this build does not confine")
        for path in (SOUND, CUT, "no such file", "-"):
            told, confined = ggufgate.check(path), ggufgate.check(path, confined=True, timeout=60)
            self.assertEqual(told.verdict, confined.verdict)
            self.assertEqual(told.findings, confined.findings)
        with self.assertRaises(ValueError):
            ggufgate.check(b"GGUF", confined=True)

    def test_confined_beside_threads(self):
        if not ggufgate.can_confine():
            self.skipTest("this build does not confine")
        verdicts = []

        def work():
            for _ in range(5):
                verdicts.append(ggufgate.check(SOUND, confined=True).verdict)

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(verdicts, [Verdict.ACCEPT] * 15)


class Policies(unittest.TestCase):
    def test_a_policy_decides(self):
        strict = ggufgate.Policy('schema = "ggufgate.policy/1"\n[allow]\narchitectures = ["qwen3"]\n')
        self.assertIs(ggufgate.check(SOUND, policy=strict).verdict, Verdict.REJECT)
        self.assertTrue(ggufgate.check(SOUND, policy=ggufgate.Policy(profile="spec")).accepted)

    def test_of_a_descriptor(self):
        with tempfile.TemporaryFile("w+", encoding="utf-8") as file:
            file.write('schema = "ggufgate.policy/1"\n')
            file.seek(0)
            ggufgate.Policy.from_file(os.dup(file.fileno()))

    def test_of_a_file(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml", encoding="utf-8") as file:
            file.write('schema = "ggufgate.policy/1"\nprofile = "spec"\n')
            file.flush()
            report = ggufgate.check(SOUND, policy=ggufgate.Policy.from_file(file.name))
        self.assertIn('"profile":"spec"', report.json)
        self.assertIn(os.path.basename(file.name), report.json)

    def test_all_that_is_wrong_is_told(self):
        with self.assertRaises(ggufgate.PolicyError) as raised:
            ggufgate.Policy('schema = "ggufgate.policy/1"\nfail_on = 1\ndata = 2\n')
        self.assertEqual([line.split(":")[0] for line in raised.exception.problems], ["2", "3"])


if __name__ == "__main__":
    unittest.main()
