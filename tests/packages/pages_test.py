"""Manual pages and completions: correct, and about existing commands and options."""

import glob
import os
import re
import sys
import unittest

from support import BUILD, TOP, Case, need, run

sys.path.insert(0, os.path.join(TOP, "packaging/pages"))
import help_pages  # noqa: E402

SHARE = os.path.join(BUILD, "share")
BASH = os.path.join(SHARE, "bash-completion/completions/ggufgate")
ZSH = os.path.join(SHARE, "zsh/site-functions/_ggufgate")
FISH = os.path.join(SHARE, "fish/completions/ggufgate.fish")


class Manual(Case):
    def test_every_command_has_a_page_without_a_warning(self):
        need("mandoc", "man")
        pages = sorted(glob.glob(os.path.join(SHARE, "man/man1/*.1")))
        names = {os.path.basename(page)[:-2] for page in pages}
        for page in help_pages.read([os.path.join(BUILD, "ggufgate")]).all():
            self.assertIn(page.name.replace(" ", "-"), names)
        for page in pages:
            self.assertEqual(self.ok("mandoc", "-T", "lint", "-W", "warning", page), "")
            self.assertEqual(self.ok("man", "--warnings", "-l", page, stdout=-3), None)

    def test_the_page_of_check_says_what_the_help_says(self):
        need("mandoc")
        text = re.sub(r".\x08", "", self.ok("mandoc", "-T", "utf8", os.path.join(SHARE, "man/man1/ggufgate-check.1")))
        for option in help_pages.read([os.path.join(BUILD, "ggufgate")], ("check",)).options:
            for name in option.names:
                self.assertRegex(text, rf"(?m)^ +.*{re.escape(name)}\b")


class Completion(Case):
    def bash(self, *words):
        """The completions that bash offers after these words, the last of which is incomplete."""
        script = f"source {BASH}; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); _ggufgate 2> /dev/null; " \
                 "printf '%s\\n' \"${COMPREPLY[@]}\""
        path = BUILD + ":" + os.environ["PATH"]
        return self.ok("bash", "-c", script, "bash", "ggufgate", *words, env={"PATH": path}).split()

    def test_of_bash(self):
        self.ok("bash", "-n", BASH)
        self.assertEqual(self.bash("che"), ["check"])
        self.assertEqual(self.bash("policy", "p"), ["print"])
        self.assertIn("sarif", self.bash("check", "--format", ""))
        self.assertEqual(self.bash("check", "--data", "f"), ["full"])
        self.assertIn("--sha256", self.bash("check", "x.gguf", "--s"))
        self.assertIn("tensor-data-bounds", self.bash("explain", "tensor-"))
        self.assertEqual(self.bash("check", "cor"), [])  # a file: bash completes it
        self.assertEqual(self.bash("run", "x.gguf", "--", "che"), [])  # another program's command

    def test_of_zsh(self):
        need("zsh")
        self.ok("zsh", "-n", ZSH)

    def test_of_fish(self):
        need("fish")
        self.ok("fish", "-n", FISH)

        def offers(line):
            return {offer.split("\t")[0] for offer in
                    self.ok("fish", "-c", f"source {FISH}; complete -C '{line}'").splitlines()}
        self.assertEqual(offers("ggufgate che"), {"check"})
        self.assertLessEqual({"print", "check"}, offers("ggufgate policy "))
        self.assertIn("sarif", offers("ggufgate check --format "))
        self.assertIn("--sha256", offers("ggufgate check --s"))


class Version(Case):
    def test_is_the_same_of_both_programs(self):
        said = [run(os.path.join(BUILD, name), "--version").stdout for name in ("ggufgate", "ggufgate-static")]
        self.assertEqual(said[0], said[1])
        self.assertRegex(said[0], r"^ggufgate \d+\.\d+\.\d+\ncommit ")


if __name__ == "__main__":
    unittest.main()
