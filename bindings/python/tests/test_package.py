"""The installed package contains one library, which loads no library of Abseil."""

import os
import unittest

import ggufgate

FOLDER = os.path.join(os.path.dirname(ggufgate.__file__), "_lib")


class Package(unittest.TestCase):
    def test_it_has_one_library(self):
        self.assertEqual(os.listdir(FOLDER), ["libggufgate.so.0"])

    def test_no_abseil_is_loaded(self):
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as file:
            loaded = {os.path.basename(line.split()[-1]) for line in file if "/" in line}
        self.assertIn("libggufgate.so.0", loaded)
        self.assertEqual([name for name in sorted(loaded) if name.startswith("libabsl")], [])
