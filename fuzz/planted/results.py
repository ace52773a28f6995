"""Measurements of fuzz/planted/kill, in a file with one line per run and tabs between the fields."""

import csv

SURVIVED = "survived"  # instead of the killer of a bug
COLUMNS = ("bug", "engine", "side", "seed", "cap", "seconds", "killer")
DIALECT = {"delimiter": "\t", "quoting": csv.QUOTE_NONE, "quotechar": None}


def read(path):
    """bug -> engine -> side -> its runs."""
    results = {}
    with open(path, encoding="utf-8", newline="") as file:
        for run in csv.DictReader(file, restval="", **DIALECT):
            bug, engine, side = (run.pop(column) for column in COLUMNS[:3])
            run.update(seed=int(run["seed"]), cap=int(run["cap"]), seconds=float(run["seconds"]),
                       killer="" if run["killer"] == SURVIVED else run["killer"])
            results.setdefault(bug, {}).setdefault(engine, {}).setdefault(side, []).append(run)
    return results


def write(path, results):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n", **DIALECT)
        writer.writerow(COLUMNS)
        for bug, engines in results.items():
            for engine, sides in engines.items():
                for side, runs in sides.items():
                    writer.writerows((bug, engine, side, run["seed"], run["cap"], run["seconds"],
                                      run["killer"] or SURVIVED) for run in runs)
