"""Queries the reference loader through the programs ask-llama and learn-llama of this build."""

import hashlib
import json
import os
import subprocess
import tempfile


class Server:
    """A program that reads paths of files, one per line, and answers each with a line of JSON. headers_only: it reads no
    tensor data."""

    def __init__(self, program, *options, headers_only=False):
        self._headers_only = headers_only
        self._answers = {}  # of ask_model(): question -> line
        self._files = {}    # path -> descriptor
        self._folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        self._path = os.path.join(self._folder.name, "model.gguf")
        # The program forks for each file: bind functions once, not in each child.
        self._process = subprocess.Popen([program, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                         env=os.environ | {"LD_BIND_NOW": "1"})

    def _name(self, path, options):
        self._process.stdin.write(path + ("\t" + options if options else "") + "\n")

    def _put(self, path, parts, options):
        """Writes the file into the pages that it has already."""
        if path not in self._files:
            self._files[path] = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        size = sum(map(len, parts))
        if os.pwritev(self._files[path], parts, 0) != size:
            raise RuntimeError("no room for " + path)
        os.ftruncate(self._files[path], size)
        self._name(path, options)

    def _line(self):
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the asker ended: " + " ".join(self._process.args))
        return line

    def _answer(self):
        return json.loads(self._line())

    def ask(self, contents, options=""):
        """The answer of the program for a file with these bytes."""
        self._put(self._path, [contents], options)
        self._process.stdin.flush()
        return self._answer()

    def ask_model(self, model, options=""):
        """The answer for a model (gguf_file.Model). The same question is asked only once."""
        header = model.header()  # tensor data depend on nothing else
        question = hashlib.blake2b(header, digest_size=16, person=b"model").digest(), options
        if question not in self._answers:
            self._put(self._path, [header] if self._headers_only else [header, model.data()], options)
            self._process.stdin.flush()
            self._answers[question] = self._line()
        return json.loads(self._answers[question])

    def ask_file(self, path, options=""):
        """The answer of the program for an existing file."""
        self._name(path, options)
        self._process.stdin.flush()
        return self._answer()

    def ask_all(self, many):
        """The answers for several files, (contents, options) each, without waiting for each answer. At most some
        hundred at once, so that the requests fit into the pipe."""
        for number, (contents, options) in enumerate(many):
            self._put(f"{self._path}.{number}", [contents], options)
        self._process.stdin.flush()
        return [self._answer() for _ in many]

    @property
    def process_id(self):
        return self._process.pid

    def close(self):
        self._process.stdin.close()
        self._process.wait()
        for descriptor in self._files.values():
            os.close(descriptor)
        self._folder.cleanup()
