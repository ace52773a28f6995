#!/usr/bin/env python3
"""The calls of CMake and the handling of its output, with a fake CMake in a folder that replaces the project."""

import contextlib
import io
import os
import shutil
import tempfile
import unittest
from types import SimpleNamespace

from stage import HERE
from campaigns.build import Builder, Progress
from campaigns.text import CouldNot

CMAKE = """#!/bin/sh
set -eu
echo "$*" >> commands
case "$*" in
  *fail*) echo "what is wrong"; exit 1 ;;
  "--preset release") ;;
  "--preset "*) mkdir -p "$4/fuzz"; cp targets "$4/fuzz/targets.txt" ;;
  "--build --preset release"*) mkdir -p build/release; : > build/release/ggufgate-afl-mutator.so ;;
  "--build "*)
    tree=$2; shift 3
    for name; do : > "$tree/fuzz/$name"; chmod +x "$tree/fuzz/$name"; done ;;
esac
"""


class Build(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root)
        os.makedirs(os.path.join(self.root, "path"))
        for name in ("cmake", "ninja", "clang++-19", "afl-clang-fast++"):
            self.write("path/" + name, CMAKE)
            os.chmod(os.path.join(self.root, "path", name), 0o755)
        self.write("targets", "parse gguf corpus/valid corpus/invalid\npolicy bytes docs\n")
        before = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", before)
        os.environ["PATH"] = os.path.join(self.root, "path") + os.pathsep + before

    def write(self, name, text):
        path = os.path.join(self.root, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write(text)

    def build(self, interrupted=lambda: False, **options):
        options = {"engines": ("libfuzzer", "afl"), "sanitizer": "address-undefined",
                   "target": ["all"], "cmplog": False, "no_build": False, "programs": {}, **options}
        builder = Builder(self.root, SimpleNamespace(**options),
                          os.path.join(self.root, "log"), interrupted)
        return {target.name: target for target in builder.build()}

    def commands(self):
        with open(os.path.join(self.root, "commands"), encoding="ascii") as file:
            return file.read().replace(self.root, "ROOT").splitlines()

    def test_targets_are_those_that_the_build_lists(self):
        targets = self.build()
        self.assertEqual(sorted(targets), ["parse", "policy"])
        self.assertEqual(sorted(targets["parse"].programs), ["afl", "libfuzzer"])
        self.assertTrue(targets["parse"].gguf)
        self.assertFalse(targets["policy"].gguf)
        self.assertEqual(targets["policy"].seeds, [os.path.join(self.root, "docs")])
        self.assertEqual(targets["parse"].seeds, [os.path.join(self.root, "corpus", folder)
                                                  for folder in ("valid", "invalid")])
        self.assertEqual(self.commands()[:4], [
            "--preset fuzz -B ROOT/build/fuzz", "--preset fuzz-afl -B ROOT/build/fuzz-afl",
            "--build ROOT/build/fuzz --target fuzz_parse fuzz_policy",
            "--build ROOT/build/fuzz-afl --target fuzz_parse fuzz_policy"])

    def test_libfuzzers_programs_are_built_for_afl_too(self):
        self.assertIn("libfuzzer", self.build(engines=("afl",), target=["policy"])["policy"].programs)

    def test_a_sanitizer_has_a_tree_of_its_own(self):
        targets = self.build(engines=("libfuzzer",), sanitizer="none", target=["parse"])
        self.assertEqual(self.commands()[0],
                         "--preset fuzz -B ROOT/build/fuzz-none -DGGUFGATE_SANITIZE=")
        self.assertIn("/build/fuzz-none/", targets["parse"].programs["libfuzzer"])

    def test_comparisons_are_logged_by_a_third_program(self):
        target = self.build(cmplog=True, target=["parse"])["parse"]
        self.assertTrue(target.programs["cmplog"].endswith("/build/fuzz-afl-cmplog/fuzz/fuzz_parse"))

    def test_what_lies_beside_a_target_is_used(self):
        self.write("build/fuzz/fuzz/fuzz_policy.dict", '"x"\n')
        self.write("build/fuzz/fuzz/fuzz_policy.options", "[libfuzzer]\nmax_len = 65536\n")
        targets = self.build()
        self.assertTrue(targets["policy"].dictionary.endswith("fuzz_policy.dict"))
        self.assertEqual(targets["policy"].most_bytes, 65536)
        self.assertEqual(targets["parse"].dictionary, "")
        self.assertEqual(targets["parse"].most_bytes, 4096)

    def test_afls_mutator_is_built_for_afl_alone(self):
        self.build(engines=("libfuzzer",), target=["parse"])
        self.assertEqual(self.commands()[-1], "--build --preset release --target ggufgate_cli")
        self.build(engines=("afl",), target=["parse"])
        self.assertEqual(self.commands()[-1],
                         "--build --preset release --target ggufgate_cli ggufgate-afl-mutator")

    def test_progress_is_told_when_there_is_some(self):
        log = os.path.join(self.root, "log")
        progress = Progress(log, seconds=0.0)
        told = io.StringIO()
        with contextlib.redirect_stderr(told):
            progress.look()
            self.write("log", "-- Configuring done\n[1/60] Building a.o\n[2/60] Building [9/9] b.o\n")
            progress.look()
            progress.look()
            self.write("log", "[60/60] Linking c\n")
            progress.look()
        self.assertEqual(told.getvalue(), "campaign:   2 of 60 steps\ncampaign:   60 of 60 steps\n")

    def test_a_build_that_fails_is_told(self):
        with self.assertRaisesRegex(CouldNot, "exit code 1"):
            self.write("targets", "fail bytes docs\n")
            self.build()

    def test_a_build_can_be_interrupted(self):
        self.write("path/cmake", "#!/bin/sh\nsleep 600\n")
        with self.assertRaisesRegex(CouldNot, "interrupted"):
            self.build(interrupted=lambda: True)


if __name__ == "__main__":
    os.chdir(HERE)
    unittest.main()
