"""Paths of the test files, and of the command to compare with."""

import glob
import os

CORPUS = os.environ["GGUFGATE_CORPUS"]
COMMAND = os.environ["GGUFGATE_COMMAND"]


def corpus_files():
    return sorted(path for folder in ("valid", "invalid", "limits", "regression")
                  for path in glob.glob(os.path.join(CORPUS, folder, "*.gguf")))


def valid(name):
    return os.path.join(CORPUS, "valid", name)


def invalid(name):
    return os.path.join(CORPUS, "invalid", name)
