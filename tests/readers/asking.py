"""The readers, and how they read a file.

A reading is the result of a reader, in a form in which several readings can be compared:

  version, tensor_count   digits
  keys                    a list of [key, type, type of an array's elements, value]
  tensors                 a list of [name, shape, type, offset, offset in the file, bytes], in the order of the file
  misplaced               keys whose value is not where programs look for it

None means that a reader does not provide a value. Text represents bytes, one character each. Numbers are texts:
`n` and digits, `-0`, `nan`, or `f` and the bits of the double.
"""

import collections
import concurrent.futures
import dataclasses
import json
import os
import re
import select
import shutil
import struct
import subprocess
import sys

import layout

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, "build")
GGML = os.path.join(BUILD, "reference", "package", "bins", "linux-x64", "libggml-base.so")
PATIENCE = 30  # seconds, per file, and to start

# The result for a file: a reading if the outcome is "reads", or the message of a reader that refused.
Answer = collections.namedtuple("Answer", "outcome reading words")


def without_numbers(words):
    """The message of a refusal, reduced so that messages with one reason are equal."""
    return re.sub(r'"[^"]*"', '"…"', re.sub(r"\d+", "#", words))[:120]


class Asker:
    """The interface to a reader."""

    def why_not(self):
        """Why the reader is not available, or None."""
        return None

    def ask(self, path):
        raise NotImplementedError

    def ask_all(self, paths):
        return [self.ask(path) for path in paths]

    def close(self):
        pass


def answer_of(line):
    said = json.loads(line)
    if "refused" in said:
        return Answer("refuses", None, said["refused"])
    return Answer("reads", said["reading"], "")


class Process(Asker):
    """A reader in a separate process, which answers one line per file, and is restarted when it ends."""

    def __init__(self, command, patience=PATIENCE):
        self.command, self.patience = command, patience
        self.process, self.rest = None, b""

    def start(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, env={**os.environ, "GGML_NO_BACKTRACE": "1"})
        self.rest = b""
        return self.line(PATIENCE)

    def line(self, patience):
        """The next line; "" if the process ended, None if it took too long."""
        out = self.process.stdout.fileno()
        while b"\n" not in self.rest:
            if not select.select([out], [], [], patience)[0]:
                return None
            more = os.read(out, 1 << 20)
            if not more:
                return ""
            self.rest += more
        line, _, self.rest = self.rest.partition(b"\n")
        return line.decode()

    def why_not(self):
        if self.start() == "ready":
            return None
        self.close()
        ran = subprocess.run(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                             timeout=PATIENCE, check=False)
        said = [line for line in ran.stderr.decode(errors="replace").splitlines() if "rror" in line]
        return f"it does not start, exit code {ran.returncode}: {''.join(said[:1])}"

    def ask(self, path):
        if self.process is None and self.start() != "ready":
            raise RuntimeError(f"{self.command} does not start")
        try:
            self.process.stdin.write(os.fsencode(path) + b"\n")
            self.process.stdin.flush()
            line = self.line(self.patience)
        except BrokenPipeError:
            line = ""
        if line:
            return answer_of(line)
        code = self.close()
        return Answer("hangs", None, "") if line is None else Answer("dies", None, f"exit code {code}")

    def close(self):
        if self.process is None:
            return None
        process, self.process = self.process, None
        process.stdin.close()
        process.kill()
        process.stdout.close()
        return process.wait()


class Plain(Asker):
    """A reader that follows the letter of the specification, in layout.py."""

    def ask(self, path):
        with open(path, "rb") as file:
            data = file.read()
        try:
            return Answer("reads", layout.reading(data), "")
        except layout.Unreadable as unreadable:
            return Answer("refuses", None, str(unreadable))


ESCAPE = re.compile(r"\\(?:x([0-9a-f]{2})|u\{([0-9a-f]+)\}|(\\))")


def unescaped(text):
    """Unescapes text of a report, with one character per byte."""
    def original(match):
        byte, character, backslash = match.groups()
        if byte:
            return bytes([int(byte, 16)])
        return chr(int(character, 16)).encode("utf-8", "surrogatepass") if character else backslash.encode()

    out, at = b"", 0
    for match in ESCAPE.finditer(text):
        out += text[at:match.start()].encode() + original(match)
        at = match.end()
    return (out + text[at:].encode()).decode("latin-1")


TYPES = {word: number for number, word in
         enumerate("u8 i8 u16 i16 u32 i32 f32 bool string array u64 i64 f64".split())}


def gate_value(value, kind):
    if isinstance(value, list):
        return [gate_value(element, kind) for element in value]
    if kind == "string":
        return "s" + unescaped(value)
    if isinstance(value, bool):
        return value
    if kind == "f32":  # with the fewest digits that still denote it
        return layout.number(struct.unpack("<f", struct.pack("<f", float(value)))[0])
    return layout.number(float(value) if kind == "f64" else value)


class Gate(Asker):
    """The output of `ggufgate inspect`."""

    def __init__(self, program):
        self.program = program

    def ask_all(self, paths):
        """One process per file, two at a time."""
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            return list(pool.map(self.ask, paths))

    def ask(self, path):
        ran = subprocess.run([self.program, "inspect", "--format", "json", "--whole-arrays", path],
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=PATIENCE, check=False)
        if ran.returncode != 0:
            return Answer("refuses" if ran.returncode > 0 else "dies", None, f"exit code {ran.returncode}")
        seen = json.loads(ran.stdout)
        keys = [[unescaped(key["key"]), TYPES[key["type"]], TYPES.get(key.get("element_type")),
                 gate_value(key["value"], key.get("element_type", key["type"]))] for key in seen["metadata"]]
        tensors = [[unescaped(tensor["name"]), [str(size) for size in tensor["dimensions"]], tensor["type_id"]] +
                   [None if tensor[what] is None else str(tensor[what]) for what in ("offset", "file_offset", "bytes")]
                   for tensor in seen["tensors"]]
        return Answer("reads", {"version": str(seen["version"]), "tensor_count": str(seen["tensor_count"]),
                                "keys": keys, "tensors": tensors}, "")


@dataclasses.dataclass
class Reader:
    name: str
    what: str
    asker: object
    absent: str = ""  # why it is not available


def npm_version(folder):
    with open(os.path.join(BUILD, "readers", folder, "package", "package.json"), encoding="utf-8") as file:
        described = json.load(file)
    return f"{described['name']} {described['version']}"


def npm_reader(name):
    if shutil.which("node") is None:
        return Reader(name, "", None, "node is not installed (scripts/setup installs it)")
    if not os.path.exists(os.path.join(BUILD, "readers", name, "package", "package.json")):
        return Reader(name, "", None, f"build/readers/{name} is not there (scripts/fetch-reference fetches it)")
    command = ["node", os.path.join(HERE, "read.mjs"), name, os.path.join(BUILD, "readers")]
    return Reader(name, npm_version(name), Process(command))


def ggml_reader():
    if not os.path.exists(GGML):
        return Reader("ggml", "", None, "build/reference is not there (scripts/fetch-reference fetches it)")
    command = [sys.executable, "-B", os.path.join(HERE, "ask_ggml.py"), GGML]
    return Reader("ggml", "libggml-base of llama.cpp v0.5.0", Process(command))


def readers(gate):
    """All readers; for those that are not available, the reasons."""
    found = [Reader("plain", "the specification, tests/readers/layout.py", Plain()),
             Reader("gate", "ggufgate inspect", Gate(gate)),
             ggml_reader(), *map(npm_reader, ("huggingface", "hyllama", "node-llama-cpp"))]
    for reader in found:
        if reader.asker is not None:
            reader.absent = reader.asker.why_not() or ""
    return found
