"""The table of contracts, written and read back: merged lines are separate again."""

import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../src/learn"))

import fit
import main as learning
import recorded
import table


def block_of(architecture, conditions):
    return table.block(architecture, "spm", {}, set(), [f"condition {slug} aborts load" for slug in conditions])


class Table(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "release.contracts")

    def written(self, blocks):
        table.write(self.path, "a release", blocks)
        return table.read(self.path)

    def test_names_that_share_a_line_are_names_each(self):
        text = self.written({"llama": block_of("llama", ["next-layers", "rotated-odd"])})
        self.assertIn("condition next-layers,rotated-odd aborts load", text)
        read = recorded.Table(text)
        self.assertEqual(set(read.names()) - set(recorded.OF_TENSORS), {"next-layers", "rotated-odd"})
        self.assertEqual(read.causes("llama", ["rotated-odd", "rotated-zero"], []), ["rotated-odd"])

    def test_lines_of_two_words_stay_as_they_are(self):
        lines = ["condition next-layers aborts load", "first feed_forward_length", "condition rotated-odd aborts load"]
        self.assertEqual(table.sharing(lines), lines)

    def test_is_one_file(self):
        blocks = {name: block_of(name, ["x", "y"]) for name in ("llama", "gpt2", "gpt-oss")}
        text = self.written(blocks)
        self.assertEqual(text.splitlines(), [
            "ggufgate contracts 1", "release a release",
            "architecture gpt-oss spm", "condition x,y aborts load",
            "architecture gpt2 spm", "condition x,y aborts load",
            "architecture llama spm", "condition x,y aborts load", "end 3"])
        self.assertEqual(table.release_of(text), "a release")
        self.assertEqual(recorded.blocks_of(text), dict.fromkeys(blocks, ["condition x,y aborts load"]))

    def test_is_read_if_it_is_complete(self):
        text = self.written({"llama": block_of("llama", ["x"])})
        for faulty in (text.replace("end 1\n", ""), text.replace("contracts 1", "contracts 2"), text.rstrip("\n"), ""):
            with open(self.path, "w", encoding="utf-8") as file:
                file.write(faulty)
            with self.assertRaises(ValueError):
                table.read(self.path)

    def test_has_a_file_for_each_first_letter_in_a_folder(self):
        blocks = {name: block_of(name, ["x"]) for name in ("llama", "gpt2", "gemma")}
        folder = os.path.join(self.folder.name, "release")
        table.write(folder, "a release", {"afmoe": block_of("afmoe", ["x"])})
        table.write(folder, "a release", blocks)
        self.assertEqual(sorted(os.listdir(folder)), ["g.contracts", "l.contracts"])
        self.assertEqual(table.read(folder), self.written(blocks))
        table.write(os.path.join(folder, "m.contracts"), "another", {"mpt": block_of("mpt", ["x"])})
        with self.assertRaises(ValueError):
            table.read(folder)

    def test_takes_the_lines_about_tensors_of_another_block(self):
        old = "architecture x spm\nkey a u32 1 d\ncondition rotated-odd aborts load\nrole any a\nsought unknown b\n"
        new = "architecture x spm\nkey a u32 2 d\ncondition next-layers aborts load\nrole any a b\nused a b\n"
        self.assertEqual(table.with_tensors_of(old, new),
                         "architecture x spm\nkey a u32 1 d\ncondition rotated-odd aborts load\nrole any a b\nused a b\n")

    def test_covers_each_name_that_a_loader_looks_up(self):
        releases = sorted(os.listdir(learning.RELEASES))
        self.assertGreaterEqual(len(releases), 3)
        for one in releases:
            for name, lines in recorded.blocks_of(table.read(os.path.join(learning.RELEASES, one))).items():
                self.assertEqual([line for line in lines if line.startswith("sought unknown ")], [], f"{one} {name}")

    def test_the_documentation_has_the_number_of_these_names(self):
        names = [name for lines in recorded.blocks_of(table.read(learning.TABLE)).values() for line in lines
                 for name in line.split()[1 if line.startswith("unfit ") else 2:] if line.startswith(("role ", "sought ", "unfit "))]
        with open(os.path.join(learning.ROOT, "docs/contracts.md"), encoding="utf-8") as file:
            self.assertTrue(f"{len(names):,} in v0.5.0" in file.read(), f"docs/contracts.md lacks the number {len(names):,}")

    def test_is_the_same_when_it_is_written_again(self):
        text = table.read(learning.TABLE)
        self.assertEqual(table.release_of(text), learning.release.shipped())
        self.assertNotIn("\n\n", text)
        self.assertTrue(text.isascii())
        heads = {line.split()[1]: line for line in text.splitlines() if line.startswith("architecture ")}
        blocks = {name: "\n".join([heads[name], *lines]) + "\n" for name, lines in recorded.blocks_of(text).items()}
        self.assertGreater(len(blocks), 130)
        self.assertEqual(table.contracts(learning.release.shipped(), blocks), text)
        self.assertEqual(table.blocks_in(text), blocks)

    def test_names_conditions_and_nothing_else(self):
        names = set(recorded.Table(table.read(learning.TABLE)).names()) - set(recorded.OF_TENSORS)
        self.assertEqual(names - set(fit.condition_slugs(learning.CONDITIONS)), set())
        self.assertGreater(len(names), 100)


if __name__ == "__main__":
    unittest.main()
