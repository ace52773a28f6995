#!/usr/bin/env python3
"""Writes the tensors of recipes (recipe.h), as the reference loader wants them for their metadata, and loads the result.

The loader says which tensors it makes of a model's metadata and in which shapes; types follow from the recipe's `!mix`.
Of tensors that the loader can do without, those that `!optional` names are taken; `*` in it stands for each layer. Tensors
of the layers that predict further tokens, which the loader passes over, are named with their shapes: `!also NAME [8, 4]`.
Then the whole file, with a hole for weights, is given to the loader.

Exit code: 0 all recipes load, 1 one does not, 2 wrong use.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

import mixes

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
GIVEN_UP = ("number of tensors", "tensors created", "allocate")  # after all tensors were named


class Loader:
    """The programs of this build that make files and ask the reference loader."""

    def __init__(self, build, folder):
        self.maker = os.path.join(build, "tests/make-published")
        self.oracles = os.path.join(build, "oracles")
        self.recipe = os.path.join(folder, "a.recipe")
        self.file = os.path.join(folder, "a.gguf")

    def make(self, text):
        with open(self.recipe, "w", encoding="utf-8") as out:
            out.write(text)
        subprocess.run([self.maker, self.recipe, self.file], check=True)

    def _ask(self, program, *options, line=None):
        run = subprocess.run([os.path.join(self.oracles, program), *options], input=line or self.file + "\n",
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
        return json.loads(run.stdout)

    def wanted(self, text):
        """The output of the loader for a recipe's metadata."""
        self.make(text)
        return self._ask("learn-llama", "--memory", "16384", "--seconds", "60")

    def loads(self, text):
        """The reason why the whole file does not load; empty if it loads."""
        self.make(text)
        answer = self._ask("ask-llama", "--memory", "1000000", "--seconds", "300",
                           line=self.file + "\tload-only,plain-weights\n")
        return "" if answer["outcome"] == "ran" else f"{answer['outcome']}: {answer['message']}"


def head_of(text):
    return text.split("!tensors\n")[0].rstrip("\n") + "\n"


def words_of(head, directive):
    return [word for line in re.findall(rf"(?m)^{directive} (.*)$", head) for word in line.split()]


def layers_of(head):
    found = re.search(r"(?m)^\S+\.block_count\s+u32\s+(\d+)", head)
    return int(found[1]) if found else 0


def expanded(pattern, layers):
    """The names of a pattern, which may name layers as recipes do."""
    found = re.match(r"(.*)\{(.*?)\}(.*)", pattern)
    if found:
        numbers = []
        for part in found[2].split(","):
            first, _, last = part.partition("..")
            numbers += range(int(first), int(last or first) + 1)
        return [name for number in numbers for name in expanded(f"{found[1]}{number}{found[3]}", layers)]
    if "*" in pattern:
        return [pattern.replace("*", str(layer)) for layer in range(layers)]
    return [pattern]


def dims_of(tensor):
    dims = list(tensor["dims"])
    while len(dims) > 1 and dims[-1] == 1:
        dims.pop()
    return tuple(dims)


def created(answer):
    return {tensor["name"]: dims_of(tensor) for tensor in answer["tensors"]}


def ranges(numbers):
    """Rising numbers as text, such as {0..3,7}."""
    parts, first = [], None
    for i, number in enumerate(numbers):
        first = number if first is None else first
        if i + 1 == len(numbers) or numbers[i + 1] != number + 1:
            parts.append(str(first) if first == number else f"{first}..{number}")
            first = None
    return "{" + ",".join(parts) + "}"


def lines_of(tensors, mix, layers):
    """The lines of a dict name -> dims, one for each pattern, type and shape."""
    groups = {}
    for name, dims in tensors.items():
        word = mixes.type_of(mix, name, dims, layers, "output.weight" not in tensors)
        found = re.search(r"\.(\d+)\.", name)
        pattern = name[:found.start(1)] + "#" + name[found.end(1):] if found else name
        groups.setdefault((pattern, word, dims), []).append(int(found[1]) if found else 0)
    shown = [(pattern.replace("#", ranges(sorted(numbers)) if len(numbers) > 1 else str(numbers[0])), word, dims)
             for (pattern, word, dims), numbers in groups.items()]
    width = max(len(pattern) for pattern, _, _ in shown)
    return "".join(f"{pattern:{width}} {word:7} [{', '.join(map(str, dims))}]\n" for pattern, word, dims in shown)


def tensors_of(loader, head, drop):
    """name -> dims of all tensors that the loader makes or also looks for."""
    also = {name: tuple(map(int, dims.split(", "))) for name, dims in re.findall(r"(?m)^!also (\S+) \[(.*)\]$", head)}
    # With this key, the loader assumes that a file without tensors has only those layers.
    head = re.sub(r"(?m)^\S+\.nextn_predict_layers .*\n", "", head)
    answer = loader.wanted(head + "!tensors\n")
    layers, have = layers_of(head), created(answer)
    optional = [name for pattern in words_of(head, "!optional") for name in expanded(pattern, layers)]
    if optional:
        extra = [name for name in optional if name not in have] + list(have)
        answer = loader.wanted(head + "!tensors\n" + "".join(f"{name} F32 [1]\n" for name in extra))
        have = created(answer)
        for name in optional:
            if name not in have and name not in drop:
                raise ValueError(f"the loader does not make {name}: {answer['message']}")
    if answer["outcome"] != "built" and not any(word in answer["message"] for word in GIVEN_UP):
        raise ValueError(f"{answer['outcome']}: {answer['message']}")
    sought = sorted({re.sub(r"\.\d+\.", ".*.", one["name"]) for one in answer["tensors_sought"]} -
                    {re.sub(r"\.\d+\.", ".*.", name) for name in have})
    return have | also, sought


def write(loader, path, options):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    head = head_of(text)
    if not options.check:
        tensors, sought = tensors_of(loader, head, options.drop)
        if options.sought:
            print("   ", " ".join(sought))
        mix = (words_of(head, "!mix") or ["F16"])[0]
        text = head + "!tensors\n" + lines_of(tensors, mix, layers_of(head))
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    problem = loader.loads(text)
    if problem:
        raise ValueError(problem)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(ROOT, "build/release"))
    parser.add_argument("--check", action="store_true", help="write nothing: load what the recipes say")
    parser.add_argument("--sought", action="store_true", help="tell which other tensors the loader looked for")
    parser.add_argument("--drop", action="append", default=[], help="an optional tensor that need not be made")
    parser.add_argument("recipes", nargs="+")
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="published-") as folder:
        loader = Loader(options.build, folder)
        for path in options.recipes:
            try:
                write(loader, path, options)
                print("loads", os.path.basename(path), flush=True)
            except (ValueError, subprocess.CalledProcessError) as problem:
                failed = 1
                print("FAILS", os.path.basename(path), problem, flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
