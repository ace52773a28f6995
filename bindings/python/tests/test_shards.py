"""A list divided among the tasks of an array, with the examples for Kubernetes and Slurm."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

from ggufgate import shards
from tests.corpus import CORPUS, invalid, valid

EXAMPLES = os.path.join(os.path.dirname(CORPUS), "packaging", "examples")
KINDS = [(valid("minimal.gguf"), "accept"), (invalid("damage-cut-short.gguf"), "reject"), ("none", "undecided")]


class Shards(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.list = os.path.join(folder.name, "models.txt")
        self.results = os.path.join(folder.name, "results")

    def listed(self, count):
        with open(self.list, "w", encoding="utf-8") as file:
            file.write("\n".join(KINDS[index % 3][0] for index in range(count)) + "\n\n")

    def command(self, *arguments):
        return shards.main([*arguments[:1], self.list, "--output", self.results, *arguments[1:]])

    def merged(self, count):
        with open(os.path.join(self.results, "results.jsonl"), encoding="ascii") as file:
            results = [json.loads(line) for line in file]
        self.assertEqual([(result["index"], result["verdict"]) for result in results],
                         [(index, KINDS[index % 3][1]) for index in range(count)])

    def test_tasks_share_the_list_and_nothing_is_left_out(self):
        for count, tasks, piece_files in ((10, 3, 2), (1, 3, 2), (9, 1, 100), (7, 7, 1)):
            with self.subTest(count=count, tasks=tasks), tempfile.TemporaryDirectory() as self.results:
                self.listed(count)
                cut = ("--piece-files", str(piece_files))
                for task in range(tasks):
                    if task * piece_files < count:
                        self.assertEqual(self.command("merge", *cut), 2, "pieces are missing")
                        self.assertFalse(os.path.exists(os.path.join(self.results, "results.jsonl")))
                    self.assertIn(self.command("judge", "--tasks", str(tasks), "--task", str(task), *cut), (0, 1, 2))
                self.assertEqual(self.command("merge", *cut), 0 if count == 1 else 2)
                self.merged(count)

    def test_exit_codes(self):
        for kinds, code in (((0,), 0), ((0, 1), 1), ((1, 2), 2), ((), 2)):
            with tempfile.TemporaryDirectory() as self.results:
                with open(self.list, "w", encoding="utf-8") as file:
                    file.writelines(KINDS[kind][0] + "\n" for kind in kinds)
                judge = ("judge", "--tasks", "1", "--task", "0")
                self.assertEqual(self.command(*judge), code if kinds else 0)
                self.assertEqual(self.command(*judge, "--always-zero"), 0)
                self.assertEqual(self.command("merge"), code)

    def test_refuses_what_it_does_not_understand(self):
        self.listed(3)
        judge = ("judge", "--tasks", "2")
        for wrong in ((*judge,), (*judge, "--task", "2"), (*judge, "--task", "-1"),
                      (*judge, "--task", "0", "--profile", "none"), (*judge, "--task", "0", "--piece-files", "0")):
            self.assertEqual(self.command(*wrong), 2, wrong)
        self.assertFalse(os.path.exists(os.path.join(self.results, "pieces", "000000.jsonl")))

    def run_example(self, command, **environment):
        told = {**os.environ, **environment, "PATH": os.path.dirname(sys.executable) + ":" + os.environ["PATH"]}
        return subprocess.run(command, env=told, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False, stdin=subprocess.DEVNULL)

    @unittest.skipUnless(os.path.isdir(EXAMPLES), "the examples are not here")
    def test_the_job_of_kubernetes_cuts_the_list(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("PyYAML is not installed")
        with open(os.path.join(EXAMPLES, "kubernetes-scan.yaml"), encoding="utf-8") as file:
            job = yaml.safe_load(file)
        self.listed(250)
        there = {"/list/models.txt": self.list, "/results": self.results}
        command = [there.get(word, word) for word in job["spec"]["template"]["spec"]["containers"][0]["command"]]
        for index in range(job["spec"]["completions"]):
            self.assertEqual(self.command("merge"), 2)
            done = self.run_example(command, JOB_COMPLETION_INDEX=str(index))
            self.assertEqual(done.returncode, 0, done.stdout)
            if index == 2:
                break  # three pieces: the other pods have none
        self.assertEqual(self.run_example(command, JOB_COMPLETION_INDEX="19").returncode, 0)
        self.assertEqual(self.command("merge"), 2)
        self.merged(250)

    @unittest.skipUnless(os.path.isdir(EXAMPLES), "the examples are not here")
    def test_the_array_of_slurm_cuts_the_list(self):
        self.listed(250)
        script = os.path.join(EXAMPLES, "slurm-scan.sh")
        for task in range(2):
            done = self.run_example(["bash", script], LIST=self.list, RESULTS=self.results,
                                    SLURM_ARRAY_TASK_ID=str(task), SLURM_ARRAY_TASK_COUNT="2")
            self.assertEqual(done.returncode, 0, done.stdout)
        self.assertEqual(self.command("merge"), 2)
        self.merged(250)
        without = self.run_example(["bash", script], LIST=self.list, RESULTS=self.results, SLURM_ARRAY_TASK_COUNT="2")
        self.assertEqual(without.returncode, 2, without.stdout)


if __name__ == "__main__":
    unittest.main()
