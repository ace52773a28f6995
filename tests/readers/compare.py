"""Differences between readings of one file, and the findings of the gate that name them."""

import dataclasses

MISSING = "(not there)"


LONGEST = 256  # of a name in a finding (Subject::kLongestText of src/check/finding.h)
AND_SO_ON = "…".encode().decode("latin-1")


def place(name, index=None):
    """A key, a tensor or an element in the notation of a finding, without escapes."""
    shown = name[:LONGEST] + AND_SO_ON if len(name) >= LONGEST else name
    return shown if index is None else f"{shown}[{index}]"


@dataclasses.dataclass
class Difference:
    kind: str
    places: set  # places that a finding may name: a key, an element of it, a tensor
    seen: dict  # reader to value

    def views(self):
        """The readers with the same value, by value."""
        views = {}
        for reader, view in self.seen.items():
            if view is not None:
                views.setdefault(repr(view)[:80], []).append(reader)
        return views

    def sort(self):
        """The differences, and the readers."""
        return f"{self.kind}: " + " | ".join(sorted(", ".join(names) for names in self.views().values()))

    def __str__(self):
        where = "/".join(sorted(map(repr, self.places)))[:160]
        return f"{where}: " + "; ".join(f"{', '.join(names)}: {view}" for view, names in self.views().items())


def differ(seen):
    known = [view for view in seen.values() if view is not None]
    return any(view != known[0] for view in known[1:])


def value_differences(key, seen):
    """For arrays of the same length, each element that differs."""
    lists = list(seen.values())
    if not all(isinstance(value, list) for value in lists) or differ({i: len(v) for i, v in enumerate(lists)}):
        yield Difference("value", {place(key)}, seen)
        return
    for index, elements in enumerate(zip(*lists)):
        if differ(dict(enumerate(elements))):
            yield Difference("value", {place(key), place(key, index)}, dict(zip(seen, elements)))


def key_differences(readings):
    keys = {reader: {key[0]: key[1:] for key in reading["keys"]} for reader, reading in readings.items()}
    for key in dict.fromkeys(key for held in keys.values() for key in held):
        if any(key not in held for held in keys.values()):
            yield Difference("key", {place(key)}, {r: "there" if key in held else MISSING for r, held in keys.items()})
        have = {reader: held[key] for reader, held in keys.items() if key in held}
        for at, kind in enumerate(("key-type", "key-element-type")):
            seen = {reader: entry[at] for reader, entry in have.items()}
            if differ(seen):
                yield Difference(kind, {place(key)}, seen)
        seen = {reader: entry[2] for reader, entry in have.items()}
        if differ(seen):
            yield from value_differences(key, seen)
        misplaced = {reader: key in readings[reader].get("misplaced", ()) for reader in have}
        if any(misplaced.values()):
            yield Difference("key-place", {place(key)}, {reader: "elsewhere" if away else "in its place"
                                                         for reader, away in misplaced.items()})


def shape_of(tensor):
    """Without ones at the end, because the reference always reports four dimensions."""
    shape = list(tensor[1])
    while shape and shape[-1] == "1":
        shape.pop()
    return shape


PARTS = {"tensor-name": lambda tensor: tensor[0], "tensor-shape": shape_of, "tensor-type": lambda tensor: tensor[2],
         "tensor-offset": lambda tensor: tensor[3], "tensor-file-offset": lambda tensor: tensor[4],
         "tensor-bytes": lambda tensor: tensor[5]}


def tensor_differences(readings):
    count = {reader: len(reading["tensors"]) for reader, reading in readings.items()}
    if differ(count):
        yield Difference("tensors", set(), count)
    for at in range(min(count.values(), default=0)):
        tensors = {reader: reading["tensors"][at] for reader, reading in readings.items()}
        names = {place(tensor[0]) for tensor in tensors.values()}
        for kind, part in PARTS.items():
            seen = {reader: part(tensor) for reader, tensor in tensors.items()}
            if differ(seen):
                yield Difference(kind, names, seen)


# The places where some readers put numbers of the header: among the keys of the file, which may collide with them.
HEADER = {"version": {"version"}, "tensor_count": {"tensor_count", "tensorCount"}}


def differences(readings):
    """Takes readings by the name of the reader."""
    for kind, places in HEADER.items():
        seen = {reader: reading[kind] for reader, reading in readings.items()}
        if differ(seen):
            yield Difference(kind, places, seen)
    yield from key_differences(readings)
    yield from tensor_differences(readings)
