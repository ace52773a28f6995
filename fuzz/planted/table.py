"""The results of fuzz/planted/kill as tables, of fuzz targets and of tests, for the terminal and between two marks of a
page."""

from bugs import of_bytes
from runs import CouldNot

ENGINES = {"libfuzzer": "libFuzzer", "afl": "AFL++"}
SIDES = ("mutator", "bytes")
TEST = "test"  # instead of an engine and of a side
MARKS = ("<!-- planted bugs: begin -->", "<!-- planted bugs: end -->")
TEST_MARKS = ("<!-- bugs for tests: begin -->", "<!-- bugs for tests: end -->")


def side_for(bug, side):
    """The side whose runs count for a bug: if its target has no mutator, that of the bytes."""
    return TEST if bug["test"] else "bytes" if of_bytes(bug) else side


def time_word(tried):
    """The worst of some runs."""
    if not tried:
        return "-"
    caps = [run["cap"] for run in tried if not run["killer"]]
    if caps:
        return f"> {max(caps)}"
    return f"{max(run['seconds'] for run in tried):.1f}"


def rows_of(bugs, results):
    """One row per bug that was run, with columns for the engines that were used."""
    ran = [engine for engine in ENGINES
           if any(not bug["test"] and engine in results.get(bug["name"], {}) for bug in bugs)]
    yield ("bug", "class", "report", "target",
           *(f"{ENGINES[engine]}, {side}" for engine in ran for side in SIDES), "killed by")
    for bug in bugs:
        engines = results.get(bug["name"], {})
        if not engines or bug["test"]:
            continue
        sides = [engines.get(engine, {}).get(side, []) for engine in ran for side in SIDES]
        ours = "server answers" if of_bytes(bug) else "a loader's graph"
        first = next(iter(bug["stands_for"] + ["rule " + rule for rule in bug["rules"]]), ours)
        target = " / ".join(dict.fromkeys(bug["targets"]))
        yield (bug["name"], bug["class"], first, target, *map(time_word, sides),
               max((run["killer"] for runs in sides for run in runs), key=len, default=""))


def test_rows_of(bugs, results):
    """One row per bug that a test must find."""
    yield ("bug", "fault", "file", "test", "seconds", "killed by")
    for bug in bugs:
        tried = results.get(bug["name"], {}).get(TEST, {}).get(TEST, [])
        if tried and bug["test"]:
            yield (bug["name"], bug["class"], bug["file"], bug["test"], time_word(tried),
                   max((run["killer"] for run in tried), key=len))


def aligned(rows):
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
            for row in rows]


def markdown(rows):
    rows = list(rows)
    rows.insert(1, ("---",) * 4 + ("---:",) * (len(rows[0]) - 5) + ("---",))
    return ["| " + " | ".join(row) + " |" for row in rows]


def replace_table(text, lines, marks):
    """`text` with new lines between two marks; each mark must occur once."""
    if any(text.count(mark) != 1 for mark in marks):
        raise CouldNot(f"--markdown: the file has not each of {' '.join(marks)} once")
    before, rest = text.split(marks[0])
    after = rest.split(marks[1])[1]
    return before + "\n".join([marks[0], *lines, marks[1]]) + after


def survivors(bugs, results, engine="libfuzzer", side="mutator"):
    """The bugs that a run did not find, and those that were not run."""
    def killed(runs):
        return runs and all(run["killer"] for run in runs)
    return [bug["name"] for bug in bugs
            if not killed(results.get(bug["name"], {}).get(TEST if bug["test"] else engine, {})
                          .get(side_for(bug, side)))]
