"""What all rooms need to know of a campaign, and its folder."""

import fcntl
import hashlib
import os
import subprocess
import time

from campaigns import build
from campaigns.text import CouldNot

MARK = "campaign.mark"  # in every folder that is ours to change


class Setup:
    """What all rooms need to know of this campaign."""

    def __init__(self, options, root):
        self.options = options
        self.out = options.out
        self.run_folder = os.path.join(self.out, "run")
        self.grace = options.grace
        self.began_at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        self.began = time.monotonic()
        self.symbolizer = build.need("llvm-symbolizer-19")
        self.source = source_of(root)
        self.afl_mutator = self.reduce_command = ""
        self._signals = 0
        self._digests = {}

    def elapsed(self):
        return time.monotonic() - self.began

    def interrupted(self):
        return self._signals > 0

    def interrupt(self, *_):
        self._signals += 1

    def digest_of_program(self, path):
        if path not in self._digests:
            with open(path, "rb") as file:
                self._digests[path] = hashlib.sha256(file.read()).hexdigest()
        return self._digests[path]


def source_of(root):
    """The commit, with a + behind it where files differ from it; empty without git."""
    try:
        said = subprocess.run(["git", "-C", root, "describe", "--always", "--abbrev=40",
                               "--dirty=+", "--exclude=*"], capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return said.stdout.strip() if said.returncode == 0 else ""


def open_folder(path):
    """Takes the folder for this campaign alone; gives what must be kept open."""
    os.makedirs(path, exist_ok=True)
    mark = os.path.join(path, MARK)
    if os.listdir(path) and not os.path.isfile(mark):
        raise CouldNot(f"{path} has files in it and is not of a campaign")
    file = open(mark, "a", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as problem:
        raise CouldNot(f"another campaign is running in {path}") from problem
    return file
