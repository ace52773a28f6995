"""The whole corpus: the reports of package and command are equal, and the package opens accepted files."""

import json
import subprocess
import unittest

import ggufgate
from tests.corpus import COMMAND, corpus_files


def command(*options):
    """The reports of the command on all files of the corpus, by path."""
    reports = {}
    paths = corpus_files()
    # Shards are passed one at a time, because the package checks them alone: the command would check them as a set.
    shards = [path for path in paths if "-of-" in path]
    groups = [[path for path in paths if path not in shards], *([path] for path in shards)]
    for group in filter(None, groups):
        done = subprocess.run([COMMAND, "check", "--format", "json", *options, *group],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        assert done.returncode in (0, 1), done
        for file in json.loads(done.stdout)["files"]:
            reports[file["path"]] = file
    return reports


def as_in_json(finding):
    """A finding as in the JSON of the command."""
    found = {"rule": finding.rule, "severity": finding.severity.word, "offset": finding.offset,
             "length": finding.length, "path": finding.place, "message": finding.message,
             "observed": finding.observed, "allowed": finding.allowed}
    if finding.cause:
        found["cause"] = {"id": finding.cause.id, "message": finding.cause.message, "advice": finding.cause.advice}
    if finding.suppressed is not None:
        found["suppressed"] = {"reason": finding.suppressed}
    return found


class Corpus(unittest.TestCase):
    def agree(self, options, **wanted):
        judged = command(*options)
        self.assertGreater(len(judged), 500)
        for path, expected in judged.items():
            report = ggufgate.check(path, **wanted)
            with self.subTest(path=path, **wanted):
                self.assertEqual(report.verdict.value, expected["verdict"])
                self.assertEqual([as_in_json(finding) for finding in report.findings], expected["findings"])
                told = report.to_dict()
                for one in (told, expected):
                    one.pop("elapsed_ms")
                self.assertEqual(told, expected)

    def test_header(self):
        self.agree([])

    def test_all_data_by_two_threads(self):
        self.agree(["--data", "full", "--sha256"], data="full", jobs=2, sha256=True)

    def test_profile_of_the_loader(self):
        self.agree(["--profile", "llama.cpp", "--fail-on", "warning"], profile="llama.cpp", fail_on="warning")

    def test_opens_what_is_accepted_and_reads_all_of_it(self):
        opened = 0
        for path in corpus_files():
            with self.subTest(path=path):
                if not ggufgate.check(path).accepted:
                    with self.assertRaises(ggufgate.NotAcceptedError):
                        ggufgate.open(path)
                    continue
                with ggufgate.open(path) as file:
                    opened += 1
                    keys = file.metadata.to_dict()
                    self.assertEqual(list(keys), list(file.metadata))
                    for tensor in file.tensors.values():
                        self.assertEqual(len(tensor.read()), tensor.nbytes)
                        self.assertEqual(len(tensor.floats()), tensor.elements)
        self.assertGreater(opened, 200)

    def test_rejected_files_can_be_read_without_harm(self):
        for path in corpus_files():
            with self.subTest(path=path):
                with open(path, "rb") as whole:
                    file = ggufgate.open(whole.read(), even_if_rejected=True)
                file.metadata.to_dict()
                for tensor in file.tensors.values():
                    if tensor.readable:
                        tensor.floats()
                    else:
                        with self.assertRaises(ggufgate.UnsupportedError):
                            tensor.floats()


if __name__ == "__main__":
    unittest.main()
