"""The build back-end reports a missing library with a message."""

import importlib.util
import os
import tempfile
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# scripts/test copies the tests to another folder, and sets the path of the corpus.
PLACES = [HERE, os.path.join(os.path.dirname(os.environ.get("GGUFGATE_CORPUS", "")), "bindings", "python")]
BACKEND = next((path for place in PLACES if os.path.isfile(path := os.path.join(place, "backend.py"))), None)


@unittest.skipUnless(BACKEND, "the tests run without the source tree")
class Backend(unittest.TestCase):
    def setUp(self):
        spec = importlib.util.spec_from_file_location("backend", BACKEND)
        self.backend = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.backend)

    def test_a_library_that_does_not_exist_is_named(self):
        for settings, environment in (({"library": "/gone.so"}, {}), (None, {"GGUFGATE_LIBRARY": "/gone.so"})):
            with mock.patch.dict(os.environ, environment), self.assertRaises(SystemExit) as raised:
                self.backend.library(settings)
            self.assertIn("there is no library /gone.so: GGUFGATE_LIBRARY must be", str(raised.exception))

    def test_a_library_that_exists_is_taken(self):
        with tempfile.NamedTemporaryFile() as file:
            self.assertEqual(self.backend.library({"library": file.name}), file.name)


if __name__ == "__main__":
    unittest.main()
