#!/usr/bin/env python3
"""layers.py has the list of the rooms of src/. Other lists must be complete: src/CMakeLists.txt builds each room,
and the two pages name each.

usage: rooms.py [--self-test]    exit code 1 if a list is not complete
"""

import os
import re

from layers import REACHES, outer
from support.checks import TOP, main, tree_of

ROOMS = {outer(room) for room in REACHES}
# file -> the notation for a room.
LISTS = {
    "src/CMakeLists.txt": r"^\s*ggufgate_(?:small_input_)?room\((\w+)",
    "README.md": r"`(\w+)`",
    "docs/architecture.md": r"\w+",
}
PROSE = ("README.md", "docs/architecture.md")  # which also contain other words


def problems_of(top):
    problems = []
    for path, pattern in LISTS.items():
        with open(os.path.join(top, path), encoding="utf-8") as file:
            named = set(re.findall(pattern, file.read(), re.MULTILINE))
        problems += [f"{path}: the room src/{room} is not named: add it" for room in sorted(ROOMS - named)]
        if path not in PROSE:
            problems += [f"{path}: there is no room src/{room}: drop it" for room in sorted(named - ROOMS)]
    return problems


def self_test():
    def tree(rooms):
        return {"src/CMakeLists.txt": "".join(f"  ggufgate_room({room} DEPENDS x)\n" for room in rooms),
                "README.md": " ".join(f"`{room}`" for room in rooms) + " `ctest`",
                "docs/architecture.md": " ".join(rooms)}

    def found(rooms):
        with tree_of(tree(rooms)) as top:
            return problems_of(top)

    assert found(sorted(ROOMS)) == []
    assert len(found(sorted(ROOMS - {"jinja"}))) == len(LISTS)
    assert len(found(sorted(ROOMS | {"attic"}))) == len(LISTS) - len(PROSE)
    print("rooms: 2 planted faults found in each list")


def judge():
    problems = problems_of(TOP)
    return problems, f"rooms: {len(ROOMS)} rooms in {len(LISTS)} lists, {len(problems)} problems"


if __name__ == "__main__":
    main(judge, self_test)
