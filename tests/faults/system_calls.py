"""Every system call of every family fails, one per run, in every possible way."""

import collections
import re
import threading
from concurrent.futures import ThreadPoolExecutor

import calls
import oracle

Case = collections.namedtuple("Case", "family process call way for_ever")


class Tally:
    """Counts by kind of call, and keeps the errors."""

    def __init__(self, quiet=False):
        self.quiet = quiet
        self.lock = threading.Lock()
        self.rows = collections.defaultdict(collections.Counter)
        self.problems = []

    def say(self, problem):
        self.problems.append(problem)
        if not self.quiet:
            print("WRONG:", problem, flush=True)

    def add(self, kind, outcome, usual, problem):
        with self.lock:
            row = self.rows[kind]
            row["faults"] += 1
            if problem:
                self.say(problem)
                row["wrong"] += 1
            elif outcome.code == usual.code:
                row["unharmed"] += 1
            else:
                row[f"exit {outcome.code}"] += 1

    def table(self):
        columns = ["faults", "exit 1", "exit 2", "other code", "unharmed", "wrong"]
        lines = ["| kind | " + " | ".join(columns) + " |", "|---|" + "---:|" * len(columns)]
        total = collections.Counter()
        for kind in sorted(self.rows):
            row = self.rows[kind]
            cells = {column: row[column] for column in columns}
            cells["other code"] = sum(count for name, count in row.items()
                                      if name.startswith("exit ") and name not in columns)
            total.update(cells)
            lines.append(f"| {kind} | " + " | ".join(f"{cells[c]:,}" for c in columns) + " |")
        lines.append("| all | " + " | ".join(f"{total[c]:,}" for c in columns) + " |")
        return "\n".join(lines)


def census(places, chosen, tally):
    """The runs without a fault, twice: results that differ between them prove nothing."""
    usual = {}
    for family in chosen:
        with places.one() as place:
            first, second = place.run(family), place.run(family)
        if first.said() != second.said():
            tally.say(f"{family.name}: two runs do not say the same")
        unknown = {call for _, call in first.calls} - calls.CANNOT_FAIL - set(calls.WAYS)
        if unknown:
            tally.say(f"{family.name}: not in calls.py: {sorted(unknown)}")
        usual[family.name] = first
    return usual


def _cases(chosen, usual):
    for family in chosen:
        for process, call in sorted(usual[family.name].calls):
            for way in calls.WAYS.get(call, ()):
                yield Case(family, process, call, way, False)
            for way in calls.FOR_EVER.get(call, ()):
                yield Case(family, process, call, way, True)


def _run_one(places, tally, usual, case, number):
    """False if the call was not reached."""
    times = 0 if case.for_ever else 1
    with places.one() as place:
        outcome = place.run(case.family, [f"{case.process} {case.call} {number} {times} {case.way}"])
    # The faults of case.family.base are those of openat(".").
    hits = [hit for hit in outcome.faults if hit[:2] == (case.process, case.call)
            and not (case.family.base and hit[1] == "openat" and hit[3] == ".")]
    if not hits:
        return False
    _, _, written, path = hits[0]
    usually = usual[case.family.name]
    unwritten = usually.calls.get((case.process, "write"), 0) - written
    may = calls.is_harmless(case, path, unwritten, case.for_ever)
    words = case.call == "write" and bool(re.fullmatch(calls.WORDS, path))
    wrong = oracle.judge(case.family, usually, outcome, may,
                         may_be_silent=words or case.for_ever and case.call.startswith("write"),
                         may_lose_words=words)
    problem = wrong and (f"{case.family.name}: {case.call}({path}) number {number} of process "
                         f"{case.process}, {case.way}{' for ever' * case.for_ever}: {wrong}")
    tally.add(case.call, outcome, usually, problem)
    return True


def run(places, chosen, tally, stride=1, offset=0):
    """All calls; with a stride, every n-th of those in the census."""
    usual = census(places, chosen, tally)
    cases = list(_cases(chosen, usual))
    if stride > 1:
        work = [(case, number) for case in cases
                for number in range(1, usual[case.family.name].calls[case.process, case.call] + 1)]
        work = work[offset::stride]
        jobs = [lambda c=case, n=number: _run_one(places, tally, usual, c, n)
                for case, number in work]
    else:
        def through(case):
            number = 1
            while _run_one(places, tally, usual, case, number):
                number += 1
        jobs = [lambda c=case: through(c) for case in cases]
    with ThreadPoolExecutor(places.count) as pool:
        for done in [pool.submit(job) for job in jobs]:
            done.result()
