"""Writes the results as contracts, with one block per architecture. A path ends in ".contracts": one file, as
`ggufgate check --contracts` reads it. Or it is a folder with one such file per first letter, as in
src/format/contracts/releases.

    key NAMES TYPE VALUE FORMS              a hyper-parameter of the tiny model; a name that begins with "/" has no
                                            architecture in front
    tensor NAMES TYPE DIMS FORMS PRESENCE   a tensor of the tiny model; "*" is every layer, "v" the size of the
                                            vocabulary
    condition NAMES ENDING STAGE            a condition that crashes the loader: fit.py

FORMS are the forms of the tiny model that have it: d dense, e with experts; D and E the same with all optional tensors.

usage: table.py FROM TO    copies contracts, from and to a file or a folder
"""

import glob
import itertools
import os
import re
import sys

SUFFIX = ".contracts"

HEAD = "ggufgate contracts 1"

FORMS = {(False, False): "d", (True, False): "e", (False, True): "D", (True, True): "E"}


def value_text(value):
    def one(element):
        if isinstance(element, bool):
            return "1" if element else "0"
        return repr(element) if isinstance(element, float) else str(element)
    if value.type.startswith("["):
        return ",".join(map(one, value.value))
    return one(value.value)


class Form:
    """One tiny model: its key lines and its tensor lines, without the letter of the form."""

    def __init__(self, model, required):
        architecture = model.keys["general.architecture"].value
        prefix = architecture + "."
        self.keys, self.tensors = [], []
        for name, value in model.keys.items():
            if name.startswith((prefix, "xielu.")):
                tail = name.removeprefix(prefix) if name.startswith(prefix) else "/" + name
                self.keys.append(f"{tail} {value.type} {value_text(value)}")
        layers = model.keys[prefix + "block_count"].value
        vocabulary = len(model.keys["tokenizer.ggml.tokens"].value)
        groups = {}
        for tensor in model.tensors:
            dims = ",".join("v" if dim == vocabulary else str(dim) for dim in tensor.dims)
            pattern = re.sub(r"(?<=\.)\d+(?=\.)", "*", tensor.name)
            groups.setdefault((pattern, tensor.type_word, dims), []).append(tensor.name)
        for (pattern, word, dims), names in groups.items():
            shown = [pattern] if len(names) == layers and "*" in pattern else names
            for name in shown:
                member = name if "*" not in name else names[0]
                presence = "required" if member in required else "optional"
                self.tensors.append((f"{name} {word} {dims}", presence))


def required(architecture, missing):
    """The lines "required" of one architecture. missing: letter -> keys that a form requires."""
    letters = {}
    for letter, names in missing.items():
        for name in names:
            letters.setdefault(name.removeprefix(architecture + "."), []).append(letter)
    lines = {}
    for name, forms in letters.items():
        lines.setdefault("".join(forms), []).append(name)
    return [f"required {forms} " + " ".join(names) for forms, names in lines.items()]


def sharing(lines, width=95):
    """The lines, with consecutive ones that differ only in their name merged into one, up to a width."""
    shared, last = [], None
    for line in lines:
        if line.split(" ", 1)[0] not in ("key", "tensor", "condition"):
            shared.append(line)
            last = None
            continue
        word, name, fields = line.split(" ", 2)
        if last is not None and (word, fields) == (last[0], last[2]) and len(shared[-1]) + 1 + len(name) <= width:
            last = (word, f"{last[1]},{name}", fields)
            shared[-1] = " ".join(last)
        else:
            last = (word, name, fields)
            shared.append(line)
    return shared


def block(architecture, kind, forms, required, conditions):
    """The block of one architecture. forms: letter -> Form."""
    lines = []
    def merged(lists):
        order = {}
        for letter, items in lists:
            for item in items:
                order.setdefault(item, []).append(letter)
        return order
    for text, letters in merged((letter, form.keys) for letter, form in forms.items()).items():
        lines.append(f"key {text} {''.join(letters)}")
    for (text, presence), letters in merged((letter, form.tensors) for letter, form in forms.items()).items():
        lines.append(f"tensor {text} {''.join(letters)} {presence}")
    lines += conditions
    return "\n".join([f"architecture {architecture} {kind}", *sharing(lines)]) + "\n"


OF_KEYS = ("architecture", "key", "tensor", "required", "condition")  # the rest of a block is about tensors of all forms


def with_tensors_of(old, new):
    """The block `old` with the lines about tensors of the block `new`."""
    def lines(block, kept):
        return [line for line in block.splitlines() if (line.split(" ", 1)[0] in OF_KEYS) == kept]
    return "\n".join(lines(old, True) + lines(new, False)) + "\n"


def contracts(release, blocks):
    """The text of a file. blocks: architecture -> its block. The last line has their number."""
    ordered = [blocks[name] for name in sorted(blocks, key=str.encode)]
    return "".join([f"{HEAD}\nrelease {release}\n", *ordered, f"end {len(blocks)}\n"])


def write(path, release, blocks):
    """Writes a file, or a folder with one file per first letter."""
    if not path.endswith(SUFFIX):
        os.makedirs(path, exist_ok=True)
        for old in glob.glob(os.path.join(path, "*" + SUFFIX)):
            os.remove(old)
        for letter, names in itertools.groupby(sorted(blocks), key=lambda name: name[0]):
            write(os.path.join(path, letter + SUFFIX), release, {name: blocks[name] for name in names})
        return
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(contracts(release, blocks))


def read(path):
    """The text of a file that is complete, or of all files of a folder, as one file."""
    if os.path.isdir(path):
        parts = [read(part) for part in sorted(glob.glob(os.path.join(path, "*" + SUFFIX)))]
        if len({release_of(part) for part in parts}) != 1:
            raise ValueError(f"{path} has no contracts, or those of several releases")
        return contracts(release_of(parts[0]), {name: block for part in parts for name, block in blocks_in(part).items()})
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if not text.startswith(f"{HEAD}\nrelease ") or not re.search(r"\nend [0-9]+\n\Z", text):
        raise ValueError(f"{path} is no complete file of contracts")
    return text


def blocks_in(text):
    """architecture -> its block, of the text of a file."""
    body = re.split(r"(?m)^end [0-9]+\n\Z", text)[0]
    return {block.split(" ", 2)[1]: block for block in re.split(r"(?m)^(?=architecture )", body)[1:]}


def release_of(text):
    return re.match(r".*\nrelease (.+)\n", text)[1]


def main():
    if len(sys.argv) != 3:
        print("usage: table.py FROM TO", file=sys.stderr)
        return 2
    text = read(sys.argv[1])
    write(sys.argv[2], release_of(text), blocks_in(text))
    return 0


if __name__ == "__main__":
    sys.exit(main())
