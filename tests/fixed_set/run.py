#!/usr/bin/env python3
"""Runs the fixed set on builds of llama.cpp, and compares the outcomes with table.tsv (README.md).

usage: run.py [--build NAME]... [--record]

  --build NAME  only this column of the table; several times for more
  --record      write the outcomes into the table

Exit code: 0 no difference, 1 differences, 2 wrong use, 3 a build is missing (the others were compared).
"""

import argparse
import os
import subprocess
import sys
import tempfile

from builds import BUILDS, HERE, Lacking

FOLDER = os.path.dirname(os.path.abspath(__file__))
TABLE = os.path.join(FOLDER, "table.tsv")
# Outcomes that depend on the speed or the memory of the machine.
UNSTABLE = {"hangs", "exceeds-memory", "not-rehearsed"}


def archives():
    """Each has at most 512 KiB."""
    return sorted(os.path.join(FOLDER, name) for name in os.listdir(FOLDER) if name.endswith(".tar.xz"))


def unpack(folder):
    """The paths of all files, by name."""
    for archive in archives():
        subprocess.run(["tar", "-xJf", archive, "-C", folder], check=True)
    return {name.removesuffix(".gguf"): os.path.join(folder, name) for name in sorted(os.listdir(folder))}


def read_table():
    """{column: {file: outcome}}."""
    with open(TABLE, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    return {column: {row[0]: row[index] for row in rows[1:]} for index, column in enumerate(rows[0]) if index > 0}


def write_table(table, names):
    with open(TABLE, "w", encoding="utf-8") as file:
        for row in [["file", *table]] + [[name, *(outcomes[name] for outcomes in table.values())] for name in names]:
            file.write("\t".join(row) + "\n")


def compare(column, wanted, found):
    """The number of differences, which are printed."""
    wrong = [name for name, outcome in found.items() if wanted.get(name, "not in the table") != outcome]
    for name in wrong:
        print(f"{column}  {name}: {found[name]}, not {wanted.get(name, 'in the table')}")
    missing = sorted(set(wanted) - set(found))
    for name in missing:
        print(f"{column}  {name}: in the table, and no file")
    print(f"{column}: {len(found)} files, {len(wrong) + len(missing)} differences", flush=True)
    return len(wrong) + len(missing)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("--build", action="append", choices=sorted(BUILDS))
    parser.add_argument("--record", action="store_true")
    wish = parser.parse_args()
    os.makedirs(HERE, exist_ok=True)
    table = read_table() if os.path.exists(TABLE) else {}
    differences, lacking = 0, 0
    with tempfile.TemporaryDirectory() as folder:
        paths = unpack(folder)
        names = {path: name for name, path in paths.items()}
        for column in wish.build or BUILDS:
            make, version = BUILDS[column]
            try:
                outcomes = make(version)(list(names))
            except Lacking as reason:
                print(f"{column}: {reason}; nothing was run", file=sys.stderr)
                lacking += 1
                continue
            found = {names[path]: outcome for path, outcome in outcomes.items()}
            if wish.record:
                table[column] = found
                print(f"{column}: {sum(outcome == 'runs' for outcome in found.values())} of {len(found)} run, "
                      f"{sum(outcome in UNSTABLE for outcome in found.values())} cannot be recorded", flush=True)
            else:
                differences += compare(column, table.get(column, {}), found)
    if wish.record:
        write_table(table, sorted(paths))
    return 1 if differences else 3 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
