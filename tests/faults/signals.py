"""A signal at every system call: to the command, and to each process that it starts."""

import signal
from concurrent.futures import ThreadPoolExecutor

import oracle

ENDING = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE, signal.SIGKILL]
# Outputs that appear complete or not at all. `mutate` makes a folder: without a manifest it is not complete.
FAMILIES = ["check plain", "check output", "check output-replaced", "check output-named", "inspect",
            "dequantize", "generate", "policy print", "repair", "repair replaced"]


def _expected(family, usual, outcome, number, to):
    """None, or the error."""
    if outcome.hung or outcome.outlived:
        return oracle.wrong_ending(outcome)
    if outcome.code == -number and to == "outer":
        if not outcome.made:
            return None
        # A replaced file needs another name between two calls: documented.
        if number == signal.SIGKILL and outcome.faults[0][1] == "renameat" \
                and all(name.startswith(".ggufgate-") for name in outcome.made):
            return None
        # It came when everything was done except the exit.
        whole = usual.said()[3] == outcome.said()[3]
        return None if whole else "left behind: " + ", ".join(outcome.made)
    _, _, written, _ = outcome.faults[0]
    process = outcome.faults[0][0]
    late = written >= usual.calls.get((process, "write"), 0)
    may = to == "outer" or late and process not in ("0", "0.1")
    return oracle.judge(family, usual, outcome, may, may_be_silent=process == "0.1")


def _run_one(places, tally, usual, family, process, nth, number, to):
    with places.one() as place:
        outcome = place.run(family, [f"{process} any {nth} 1 signal={number},{to}"])
    if not outcome.faults[len(family.base):]:
        return
    outcome.faults = outcome.faults[len(family.base):]
    wrong = _expected(family, usual, outcome, number, to)
    name = signal.Signals(number).name
    problem = wrong and f"{family.name}: {name} at call {nth} of process {process}: {wrong}"
    tally.add(f"{name} to {'the command' if to == 'outer' else 'a child'}", outcome, usual, problem)


def run(places, chosen, tally, stride=1, offset=0):
    work = []
    for family in (one for one in chosen if one.name in FAMILIES):
        with places.one() as place:
            usual = place.run(family)
        made = {}
        for (process, _), count in usual.calls.items():
            made[process] = made.get(process, 0) + count
        for process, count in sorted(made.items()):
            for nth in range(1, count + 1):
                numbers = ENDING if process == "0" else [signal.SIGKILL]
                for number in numbers:
                    # A temporary name remains, if the file needs one: documented.
                    if family.base and number == signal.SIGKILL and process == "0":
                        continue
                    to = "outer" if process == "0" else "self"
                    work.append((usual, family, process, nth, int(number), to))
    with ThreadPoolExecutor(places.count) as pool:
        for done in [pool.submit(_run_one, places, tally, *one) for one in work[offset::stride]]:
            done.result()
