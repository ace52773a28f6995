"""Models in two files, as llama.cpp reads them: the first has all keys and some of the tensors, the second the rest.

A set is in a separate folder. The gate checks the folder, and the loader gets the first file: it opens the other.
"""

import json
import os
import random
import subprocess
import tempfile
import zlib

import learner  # pylint: disable=unused-import
from gguf_file import Model, Value

PROFILES = ("gate", "llama.cpp")


def cut(model, kept):
    """The two shards of a model; the first has `kept` tensors. Keys of the model about shards are removed."""
    def of_shard(number):
        return {"split.no": Value("u16", number), "split.count": Value("u16", 2),
                "split.tensors.count": Value("i32", len(model.tensors))}
    keys = {name: value for name, value in model.keys.items() if not name.startswith("split.")}
    return Model(keys | of_shard(0), model.tensors[:kept]), Model(of_shard(1), model.tensors[kept:])


def kept_of(model):
    """The number of tensors in the first shard, from none to all except one: pseudo-random, but determined by the
    model."""
    return random.Random(zlib.crc32(model.header())).randrange(max(1, len(model.tensors)))


def said_of(report):
    """The findings of the gate on all files of a set, from a report in format json."""
    said = {"errors": [], "warnings": [], "accepted": True}
    for file in report["files"]:
        said["accepted"] &= file["verdict"] == "accept"
        for finding in file["findings"]:
            rules = {"error": said["errors"], "warning": said["warnings"]}.get(finding["severity"])
            if rules is not None and finding["rule"] not in rules:
                rules.append(finding["rule"])
    return said


class Shards:
    """A folder for one set at a time, and the gate that checks it."""

    def __init__(self, gate):
        self._gate = gate
        self._folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)

    def write(self, model, stem="model"):
        """Splits a model and writes it; returns the path of the first shard."""
        paths = [os.path.join(self._folder.name, f"{stem}-{number:05}-of-00002.gguf") for number in (1, 2)]
        for path, shard in zip(paths, cut(model, kept_of(model))):
            with open(path, "wb") as file:
                file.write(shard.bytes())
        return paths[0]

    def verdicts(self):
        """The result of each profile on the last written set."""
        said = {}
        for profile in PROFILES:
            command = [self._gate, "check", "--profile", profile, "--data", "full", "--format", "json", self._folder.name]
            said[profile] = said_of(json.loads(subprocess.run(command, capture_output=True, check=False).stdout))
        return said

    def close(self):
        self._folder.cleanup()
