"""The contents of the table of contracts: conditions on keys by their slugs, and requirements for tensors.

A cause is the name of one of them. "role kernel" and similar ones are conditions on the type of a tensor. "rows" and
"scaled" concern types together with other tensors. "used" concerns tensors that the graph requires but the loader does
not.
"""

import re

import main as learning

REPACKED = ("Q4_0", "Q2_K", "Q4_K", "IQ4_NL", "MXFP4")
OF_TENSORS = ("role kernel", "role convolution", "role float", "role word", "rows", "scaled", "used")


def blocks_of(text):
    """architecture -> the lines of its block, without the first one."""
    found = {}
    for line in text.splitlines():
        if line.startswith("architecture "):
            block = found[line.split()[1]] = []
        elif found and not line.startswith("end "):
            block.append(line)
    return found


def lines_of(block):
    """The lines of a block, one per name."""
    for line in block:
        word, names, *fields = line.split(" ", 2)
        shared = word in ("key", "tensor", "condition")
        yield from ([" ".join([word, name] + fields) for name in names.split(",")] if shared else [line])


def forms_in(text):
    """architecture -> its forms, from the table of contracts."""
    found = {}
    for architecture, lines in blocks_of(text).items():
        letters = {letter for line in lines if line.startswith("key ") for letter in line.split()[-1]}
        found[architecture] = [form for form, letter in learning.table.FORMS.items() if letter in letters]
    return found


def silent_conditions(text):
    """(architecture, slug) of the conditions of files that run with silent damage."""
    return {(architecture, line.split()[1]) for architecture, block in blocks_of(text).items() for line in lines_of(block)
            if line.startswith("condition ") and line.split()[2] == "corrupts"}


def pattern_of(name):
    return re.sub(r"(?<=\.)(\d+|#)(?=\.)", "*", name)


class Table:
    def __init__(self, text):
        self._conditions, self._tensors = {}, {}
        for architecture, lines in blocks_of(text).items():
            self._conditions[architecture] = {slug for line in lines if line.startswith("condition ")
                                              for slug in line.split()[1].split(",")}
            places = self._tensors[architecture] = {}
            for line in lines:
                words = line.split()
                if words[0] == "role" and words[1] != "any":
                    places.setdefault(f"role {words[1]}", set()).update(words[2:])
                elif words[0] == "rows":
                    places.setdefault("rows", set()).add(words[1])
                elif words[0] == "used":
                    places.setdefault("used", set()).add(words[1])
                elif words[0] == "scaled":
                    places.setdefault("scaled", set()).update(words[1:])

    def names(self):
        return sorted(set().union(*self._conditions.values())) + list(OF_TENSORS)

    def _of_tensor(self, architecture, change):
        """The cause in the table for a change of a tensor, "PATTERN: WHAT"."""
        pattern, what = change.rsplit(": ", 1)
        pattern, places = pattern_of(pattern), self._tensors[architecture]
        if what == "absent":
            return "used" if pattern in places.get("used", ()) else None
        if what == "NVFP4" and pattern in places.get("scaled", ()):
            return "scaled"
        if what in REPACKED and pattern in places.get("rows", ()):
            return "rows"
        if re.fullmatch(r"[A-Z0-9_]+", what):
            return next((name for name in OF_TENSORS if name.startswith("role ") and pattern in places.get(name, ())), None)
        return None

    def causes(self, architecture, broken, many):
        """The recorded conditions that a file breaks, each once."""
        found = sorted(self._conditions[architecture] & set(broken))
        for one in many:
            cause = self._of_tensor(architecture, one.text) if ": " in one.text else None
            if cause and cause not in found:
                found.append(cause)
        return found
