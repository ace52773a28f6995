"""The results of fuzz/planted/kill as a table, on the terminal and between the two marks of a page."""

from runs import CouldNot

ENGINES = {"libfuzzer": "libFuzzer", "afl": "AFL++"}
SIDES = ("mutator", "bytes")
MARKS = ("<!-- planted bugs: begin -->", "<!-- planted bugs: end -->")


def time_word(tried):
    """The worst of some runs."""
    if not tried:
        return "-"
    caps = [run["cap"] for run in tried if not run["killer"]]
    if caps:
        return f"> {max(caps)}"
    return f"{max(run['seconds'] for run in tried):.1f}"


def rows_of(bugs, results):
    """A row for each bug that was looked for; columns for the engines that any was looked for with."""
    ran = [engine for engine in ENGINES
           if any(engine in results.get(bug["name"], {}) for bug in bugs)]
    yield ("bug", "class", "stands for", "target",
           *(f"{ENGINES[engine]}, {side}" for engine in ran for side in SIDES), "killed by")
    for bug in bugs:
        engines = results.get(bug["name"], {})
        if not engines:
            continue
        sides = [engines.get(engine, {}).get(side, []) for engine in ran for side in SIDES]
        first = bug["stands_for"][0] if bug["stands_for"] else "rule " + bug["rules"][0]
        target = bug["targets"][0]
        if bug["targets"][1] != target:
            target += " / " + bug["targets"][1]
        yield (bug["name"], bug["class"], first, target, *map(time_word, sides),
               max((run["killer"] for runs in sides for run in runs), key=len, default=""))


def aligned(rows):
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
            for row in rows]


def markdown(rows):
    rows = list(rows)
    rows.insert(1, ("---",) * 4 + ("---:",) * (len(rows[0]) - 5) + ("---",))
    return ["| " + " | ".join(row) + " |" for row in rows]


def replace_table(text, lines):
    """`text` with the lines between its two marks; each must stand in it once."""
    if any(text.count(mark) != 1 for mark in MARKS):
        raise CouldNot("--markdown: the file has not each of the two marks once")
    before, rest = text.split(MARKS[0])
    after = rest.split(MARKS[1])[1]
    return before + "\n".join([MARKS[0], *lines, MARKS[1]]) + after


def survivors(bugs, results, engine="libfuzzer", side="mutator"):
    """The bugs that some run did not find, and those that were not looked for."""
    def killed(runs):
        return runs and all(run["killer"] for run in runs)
    return [bug["name"] for bug in bugs
            if not killed(results.get(bug["name"], {}).get(engine, {}).get(side))]
