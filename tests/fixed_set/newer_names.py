"""Reads the names of architectures, keys and tensors that the newest build of llama.cpp knows and the release of the gate's
contracts does not. The newest build is WebAssembly (builds.py). It runs files, and cannot report what it looks up.

usage: newer_names.py [--write]    prints the names; --write also writes src/format/newer_architectures.def

Names of architectures are words of the program that it does not call unknown, so each is asked: ten minutes. Keys and
tensors are the formats in the program. Exit code: 0 the list of architectures is as recorded, 1 it is not, 2 no build.
"""

import argparse
import glob
import os
import re
import sys
import tempfile

import builds

sys.path.append(os.path.join(builds.TOP, "src/learn"))

import names  # pylint: disable=wrong-import-position
from gguf_file import Model, Value  # pylint: disable=wrong-import-position

LIST = os.path.join(builds.TOP, "src/format/newer_architectures.def")
CONTRACTS = os.path.join(builds.TOP, "src/format/contracts/releases/llama_cpp_v0_5_0/*.contracts")
KNOWN = os.path.join(builds.TOP, "src/format/architectures.def")
HEAD = """// Architectures that build b12211 of llama.cpp knows and v0.5.0 does not, sorted.
// tests/fixed_set/newer_names.py --write makes this list.
"""
KEY = re.compile(rb"(?<=\0)%s\.([a-z0-9_.]+)(?=\0)")
TENSOR = re.compile(rb"(?<=\0)((?:enc\.|dec\.)?blk\.%d\.[a-z0-9_.]+)(?=\0)")


def read(path):
    with open(path, "rb") as file:
        return file.read()


def known_architectures():
    """Those with a contract, and those that v0.5.0 knows without one."""
    known = set(re.findall(r'ARCHITECTURE\("([^"]+)"', read(KNOWN).decode()))
    for path in glob.glob(CONTRACTS):
        known |= set(re.findall(r"^architecture (\S+)", read(path).decode(), flags=re.MULTILINE))
    return known


def library():
    """The bytes of libllama of the gate's release."""
    return read(builds.emulated.library_of("linux-x64", builds.BUILDS["v0.5.0"][1]))


def accepted(words):
    """The words that the build does not call unknown architectures."""
    ask = builds.wasm_answers()
    with tempfile.TemporaryDirectory() as folder:
        path_of = {}
        for number, word in enumerate(words):
            path_of[word] = os.path.join(folder, f"{number}.gguf")
            with open(path_of[word], "wb") as file:
                file.write(Model({"general.architecture": Value("str", word)}).bytes())
        reasons = builds.together(lambda paths: [(path, reason) for path, _, reason in ask(paths)], list(path_of.values()))
    return sorted(word for word, path in path_of.items() if "unknown model architecture" not in reasons[path])


def recorded():
    return re.findall(r'^GGUFGATE_NEWER_ARCHITECTURE\("([^"]+)"\)', read(LIST).decode(), flags=re.MULTILINE)


def new_formats(pattern, program, before):
    return sorted(one.decode() for one in set(pattern.findall(program)) - set(pattern.findall(before)))


def show(title, found):
    print(f"{title} ({len(found)}): {' '.join(found)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the list of architectures")
    wish = parser.parse_args()
    try:
        program, before = read(builds.wasm_program()), library()
        found = accepted(sorted(names.words(program) - known_architectures()))
    except builds.Lacking as reason:
        print(f"newer_names: {reason}", file=sys.stderr)
        return 2
    show("architectures", found)
    show("keys", new_formats(KEY, program, before))
    show("tensors", new_formats(TENSOR, program, before))
    if wish.write:
        with open(LIST, "w", encoding="utf-8") as file:
            file.write(HEAD + "".join(f'GGUFGATE_NEWER_ARCHITECTURE("{one}")\n' for one in found))
    return 0 if found == recorded() else 1


if __name__ == "__main__":
    sys.exit(main())
