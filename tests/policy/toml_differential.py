#!/usr/bin/env python3
"""Holds the reader of TOML (src/policy/toml.h) against Python's tomllib: texts at random, half of them of whole
lines and half of pieces. Both must refuse a text, or read the same values from it.

usage: toml_differential.py TOML_SHAPES [--seed N] [--count N]    exit code 1 if they disagree
"""

import argparse
import json
import random
import struct
import subprocess
import sys

PIECES = ("\" ' \"\"\" ''' [ ] [[ ]] { } = . , # \\ \\u0000 \\u00e9 \\U0010FFFF \\ud800 \\x41 \\e \\t 0x 0o7 0b1 -1 + 1e400 1_0 _ "
          "nan -inf inf true false 1979-05-27T07:32:00Z 1979-02-29 2000-02-29 07:32:00 07:32:00.5 1979-13-01 24:00:00 "
          "23:59:60 a b a.b \"a\" 'b' é \u2010 [1,2] {a=1} 0 00 1.5 1. .5 1e5 9223372036854775807 9223372036854775808 "
          "-9223372036854775808 0xFFFFFFFFFFFFFFFF +0x1").split() + [
    "\n", "\r\n", "\r", " ", "\t", "\u00a0", "\0", "\x7f", "\x1f", "a = ", "b = 1\n", "[a]\n", "[a.b]\n", "[[a]]\n",
    "[[a.b]]\n", "a.b = 1\n", "a.b.c = 2\n", "c = {a = 1, b = 2}\n", "1979-05-27 07:32:00+01:00", "1979-05-27 ", "\\\n",
    "\\ \n  "]
KEYS = ("a", "b", "c", '"a"', "'b'", "a.b", "b.c", "a.b.c", "a . b", "c.a", "1", "1.2")
SCALARS = ("1", '"x"', "'y'", '"""m\n"""', "'''l\n'''", "true", "1.5", "-7", "0x1F", "1979-05-27", "1979-05-27 07:32:00",
           "07:32:00", '"\\u00e9"', '"é"', "[]", "{}", "1e3", "inf", "1900-02-29", "1__0", "1_0.0_1", '"""x"""""', "'''x''''", '"""x\\\n  y"""')
BEGINNINGS = ("a = ", "a = [", 'a = "', 'a = """', "a = {", "[", "[[")
DEEPEST = 4  # kDeepestToml


def value(random_, depth=0):
    kind = random_.random()
    if kind < .2 and depth < 3:
        inner = ", ".join(value(random_, depth + 1) for _ in range(random_.randrange(3)))
        return f"[{inner}{random_.choice(['', ',', chr(10), '# x' + chr(10)])}]"
    if kind < .4 and depth < 3:
        inner = ", ".join(f"{random_.choice(KEYS)} = {value(random_, depth + 1)}" for _ in range(random_.randrange(3)))
        return f"{{{inner}{random_.choice([''] * 9 + [','])}}}"
    return random_.choice(SCALARS)


def line(random_):
    kind = random_.random()
    if kind < .25:
        return f"[{random_.choice(KEYS)}]\n"
    if kind < .4:
        return f"[[{random_.choice(KEYS)}]]\n"
    if kind < .9:
        return f"{random_.choice(KEYS)} = {value(random_)}{random_.choice([chr(10)] * 5 + [' # c' + chr(10), chr(13) + chr(10)])}"
    return random_.choice(PIECES)


def text(random_):
    def pieces(most):
        return "".join(random_.choice(PIECES) for _ in range(random_.randrange(1, most)))

    kind = random_.random()
    if kind < .2:
        return pieces(14)
    if kind < .4:
        return random_.choice(BEGINNINGS) + pieces(8)
    lines = "".join(line(random_) for _ in range(random_.randrange(1, 7)))
    if random_.random() < .4:
        at = random_.randrange(len(lines) + 1)
        lines = lines[:at] + random_.choice(PIECES) + lines[at + random_.randrange(3):]
    return lines


def shape(read, depth=0):
    """The values as toml_shapes writes them."""
    if isinstance(read, bool):
        return "boolean"
    if isinstance(read, int):
        if not -2**63 <= read < 2**63:
            raise ValueError("does not fit into 64 bits")
        return read
    if isinstance(read, float):
        return "float"
    if isinstance(read, str):
        return read.encode().hex()
    if not isinstance(read, (list, dict)):
        return "date"
    inner = ([shape(one, depth + 1) for one in read] if isinstance(read, list) else
             {key.encode().hex(): shape(one, depth + 1) for key, one in read.items()})
    return "deep" if depth == DEEPEST else inner


def expected(one):
    """What tomllib reads, or None where it refuses the text."""
    import tomllib
    try:
        return shape(tomllib.loads(one))
    except ValueError:  # TOMLDecodeError is one; so is a date that Python does not have
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("toml_shapes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20000)
    arguments = parser.parse_args()
    random_ = random.Random(arguments.seed)
    texts = [text(random_) for _ in range(arguments.count)]
    raw = b"".join(struct.pack("<I", len(one.encode())) + one.encode() for one in texts)
    run = subprocess.run([arguments.toml_shapes], input=raw, stdout=subprocess.PIPE, check=True)
    lines = run.stdout.decode().splitlines()
    if len(lines) != len(texts):
        sys.exit(f"{len(lines)} answers to {len(texts)} texts")
    read = disagreed = 0
    for one, said in zip(texts, lines):
        wanted = expected(one)
        got = None if said.startswith("problem ") else json.loads(said)
        read += wanted is not None
        if got != wanted:
            disagreed += 1
            print(f"{one!r}\n  tomllib: {wanted}\n  ours: {said}")
    print(f"seed {arguments.seed}: {len(texts)} texts, {read} of them TOML, {disagreed} disagreements")
    # A generator that makes hardly any TOML would show nothing.
    sys.exit(disagreed > 0 or read < len(texts) / 10)


if __name__ == "__main__":
    main()
