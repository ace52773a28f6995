"""Files that the caller's object reads."""

import io
import os
import unittest

import ggufgate
from ggufgate import Reader, Verdict
from tests.corpus import invalid, valid

SOUND = valid("sample-llama.gguf")
CUT = invalid("damage-cut-short.gguf")


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


class Ranges:
    """A reader that counts its calls, and fails from a given call on."""

    def __init__(self, path, fails=None, error=None):
        self.data = bytes_of(path)
        self.calls = []
        self.fails, self.error = fails, error

    def read(self, offset, size):
        self.calls.append((offset, size))
        if self.fails is not None and len(self.calls) > self.fails:
            raise self.error
        return self.data[offset:offset + size]

    @property
    def reader(self):
        return Reader(len(self.data), self.read)


class CheckReader(unittest.TestCase):
    def test_says_what_is_said_of_the_file(self):
        for path in (SOUND, CUT):
            for data in ("none", "full"):
                by_path = ggufgate.check(path, data=data, sha256=True)
                for source in (Ranges(path).reader, io.BytesIO(bytes_of(path))):
                    report = ggufgate.check(source, data=data, sha256=True, jobs=2)
                    self.assertIs(report.verdict, by_path.verdict)
                    self.assertEqual(report.findings, by_path.findings)
                    self.assertEqual(report.sha256, by_path.sha256)

    def test_asks_for_the_header_alone(self):
        ranges = Ranges(SOUND)
        self.assertTrue(ggufgate.check(ranges.reader).accepted)
        self.assertLess(sum(size for _, size in ranges.calls), len(ranges.data))
        self.assertLessEqual(len(ranges.calls), 3)

    def test_what_cannot_be_read_is_undecided(self):
        for error, said in ((TimeoutError(110, "slow"), "timed out"), (RuntimeError("x"), "Input/output error")):
            report = ggufgate.check(Ranges(SOUND, 0, error).reader)
            self.assertIs(report.verdict, Verdict.UNDECIDED)
            self.assertIn(said, report.problem)
        short = Reader(os.path.getsize(SOUND), lambda offset, size: b"GGUF")
        self.assertIs(ggufgate.check(short).verdict, Verdict.UNDECIDED)
        long = Reader(os.path.getsize(SOUND), lambda offset, size: bytes(size + 1))
        self.assertIs(ggufgate.check(long).verdict, Verdict.UNDECIDED)
        with self.assertRaises(ValueError):
            ggufgate.check(Reader(-1, None))

    def test_an_interrupt_comes_through(self):
        with self.assertRaises(KeyboardInterrupt):
            ggufgate.check(Ranges(SOUND, 0, KeyboardInterrupt()).reader)

    def test_opens_what_was_judged_and_reads_when_asked(self):
        ranges = Ranges(SOUND)
        with ggufgate.open(ranges.reader) as file, ggufgate.open(SOUND) as other:
            name = next(iter(file.tensors))
            asked = len(ranges.calls)
            self.assertEqual(file.tensors[name].read(), other.tensors[name].read())
            self.assertGreater(len(ranges.calls), asked)
            ranges.fails, ranges.error = 0, OSError("gone")
            with self.assertRaises(ggufgate.FileReadError):
                file.tensors[name].read()
        with self.assertRaises(ggufgate.NotAcceptedError):
            ggufgate.open(Ranges(CUT).reader)


if __name__ == "__main__":
    unittest.main()
