"""Queries the reference loader through the programs ask-llama and learn-llama of this build."""

import json
import os
import subprocess
import tempfile


class Server:
    """A program that reads paths of files, one per line, and answers each with a line of JSON."""

    def __init__(self, program, *options):
        self._folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        self._path = os.path.join(self._folder.name, "model.gguf")
        self._process = subprocess.Popen([program, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def _name(self, path, options):
        self._process.stdin.write(path + ("\t" + options if options else "") + "\n")

    def _put(self, path, contents, options):
        with open(path, "wb") as file:
            file.write(contents)
        self._name(path, options)

    def _answer(self):
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("the asker ended: " + " ".join(self._process.args))
        return json.loads(answer)

    def ask(self, contents, options=""):
        """The answer of the program for a file with these bytes."""
        self._put(self._path, contents, options)
        self._process.stdin.flush()
        return self._answer()

    def ask_file(self, path, options=""):
        """The answer of the program for an existing file."""
        self._name(path, options)
        self._process.stdin.flush()
        return self._answer()

    def ask_all(self, many):
        """The answers for several files, (contents, options) each, without waiting for each answer. At most some
        hundred at once, so that the requests fit into the pipe."""
        for number, (contents, options) in enumerate(many):
            self._put(f"{self._path}.{number}", contents, options)
        self._process.stdin.flush()
        return [self._answer() for _ in many]

    @property
    def process_id(self):
        return self._process.pid

    def close(self):
        self._process.stdin.close()
        self._process.wait()
        self._folder.cleanup()
