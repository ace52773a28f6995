"""Writes the results as one block of text per architecture. src/format/contracts/<release>.def lists the files, one for
each first letter of architectures.

    key NAMES TYPE VALUE FORMS              a hyper-parameter of the tiny model; a name that begins with "/" has no
                                            architecture in front
    tensor NAMES TYPE DIMS FORMS PRESENCE   a tensor of the tiny model; "*" is every layer, "v" the size of the
                                            vocabulary
    condition NAMES ENDING STAGE            a condition that crashes the loader: fit.py

FORMS are the forms of the tiny model that have it: d dense, e with experts; D and E the same with all optional tensors.

usage: table.py TABLE.def OUT.contracts    writes a table as one file, for `ggufgate check --contracts`
"""

import itertools
import os
import re
import sys

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
    body = "\n".join(f'  "{line}\\n"' for line in sharing(lines))
    return f'GGUFGATE_CONTRACT("{architecture}", "{kind}",\n{body})\n'


def write(path, release, blocks, sources=()):
    """Writes the list of files to `path`, and the files to the folder with the same name next to it. sources: lines
    about the origin of the library."""
    heading = (f"// What {release} asks of each architecture and makes of it. Written by scripts/learn-reference: do\n"
               "// not edit. src/format/contracts/contract.h says what the lines mean.\n"
               + "".join(f"// {line}\n" for line in sources) + "\n")
    folder = path.removesuffix(".def")
    os.makedirs(folder, exist_ok=True)
    names = []
    for letter, members in itertools.groupby(sorted(blocks), key=lambda name: name[0]):
        names.append(f"{letter}.def")
        with open(os.path.join(folder, names[-1]), "w", encoding="utf-8") as file:
            file.write(heading + "\n".join(blocks[name] for name in members))
    with open(path, "w", encoding="utf-8") as file:
        file.write(heading + "".join(f'#include "format/contracts/{os.path.basename(folder)}/{name}"\n' for name in names))


def read(path):
    """The text of all blocks of a table."""
    with open(path, encoding="utf-8") as file:
        names = re.findall(r'^#include ".*/([^/"]+)"$', file.read(), flags=re.MULTILINE)
    texts = []
    for name in names:
        with open(os.path.join(path.removesuffix(".def"), name), encoding="utf-8") as file:
            texts.append(file.read())
    return "".join(texts)


def release_of(path):
    """The release that the heading of a table names."""
    with open(path, encoding="utf-8") as file:
        return re.match(r"// What (.+) asks of each architecture", file.read())[1]


def contracts(text, release):
    """Blocks as one plain text: a line with the version, one with the release, and for each architecture a line and those
    of its block. The last line has the number of architectures."""
    blocks = {}
    for block in re.split(r"(?m)^GGUFGATE_CONTRACT\(", text)[1:]:
        architecture, kind = re.match(r'"([^"]+)", "([^"]+)"', block).groups()
        blocks[architecture.encode()] = [f"architecture {architecture} {kind}", *re.findall(r'(?m)^  "(.*?)\\n"', block)]
    lines = ["ggufgate contracts 1", f"release {release}"]
    for _, block in sorted(blocks.items()):
        lines += block
    return "\n".join([*lines, f"end {len(blocks)}"]) + "\n"


def main():
    if len(sys.argv) != 3:
        print("usage: table.py TABLE.def OUT.contracts", file=sys.stderr)
        return 2
    text = contracts(read(sys.argv[1]), release_of(sys.argv[1]))
    with open(sys.argv[2], "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
