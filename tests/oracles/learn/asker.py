"""Asks the reference loader, through the programs ask-llama and learn-llama of this build."""

import json
import os
import subprocess
import tempfile


class Server:
    """A program that answers a line of JSON for each line with the path of a file."""

    def __init__(self, program, *options):
        self._folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        self._path = os.path.join(self._folder.name, "model.gguf")
        self._process = subprocess.Popen([program, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, contents, options=""):
        """What the program says of a file of these bytes."""
        with open(self._path, "wb") as file:
            file.write(contents)
        line = self._path + ("\t" + options if options else "")
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("the asker ended: " + " ".join(self._process.args))
        return json.loads(answer)

    def close(self):
        self._process.stdin.close()
        self._process.wait()
        self._folder.cleanup()
