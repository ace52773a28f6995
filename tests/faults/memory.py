"""Every allocation of every family fails, one per run: only that one, and all from it on."""

import re
from concurrent.futures import ThreadPoolExecutor

import oracle

# The command repeats a request, or needs less: (family, process, times, reason).
TRIED_AGAIN = [
    ("check .*", r"0\.[2-9]", {1}, "a file for which memory has run out is judged once more, alone"),
    (r"check (folder|jobs-2|shards|json)", r"0\.[2-9].*", {0, 1},
     "the files are judged again, each by a worker of its own"),
    (r"check (folder|jobs-2|shards|json)", "0", {1},
     "the files are judged again, each by a worker of its own"),
    (".*", "0", {1}, "streams that words of help are made with pass over it; nothing else is there to say"),
]


def _comes_after_its_work(usual, family, process, number):
    """The parent makes one more request than usual if the printer, which has all its input, ends first."""
    is_parent = process == "0" and family.name.startswith("check")
    return is_parent and number > usual.calls[process]


def _may_succeed(family, process, times):
    return any(re.fullmatch(one, family.name) and re.fullmatch(where, process) and times in which
               for one, where, which, _ in TRIED_AGAIN)


def _run_one(places, tally, usual, family, process, number, times):
    """False if there is no such allocation."""
    with places.one() as place:
        outcome = place.run_short_of_memory(family, process, number, times)
    if not outcome.faults:
        return False
    may = _may_succeed(family, process, times) or _comes_after_its_work(usual, family, process, number)
    wrong = oracle.judge(family, usual, outcome, may,
                         may_be_silent=times == 0, may_lose_words=may)
    problem = wrong and (f"{family.name}: allocation {number}{' and all after' * (times == 0)} of "
                         f"process {process}: {wrong}")
    tally.add("allocation for ever" if times == 0 else "allocation", outcome, usual, problem)
    return True


def run(places, chosen, tally, stride=1, offset=0):
    """With a stride, only every n-th; in addition, the first allocation and the last two of each process, where a fault
    is easily missed."""
    work, ends = [], []
    for family in chosen:
        if not family.heap:
            continue
        with places.one() as place:
            usual = place.run_short_of_memory(family, "none", 0, 1)
        for process, count in usual.calls.items():
            # A few more than were counted, because threads do not always allocate the same.
            work += [(usual, family, process, number, times)
                     for number in range(1, count + 3) for times in (1, 0)]
            if stride > 1:
                ends += [(usual, family, process, number, 1) for number in {1, count - 1, count}]
    with ThreadPoolExecutor(places.count) as pool:
        for done in [pool.submit(_run_one, places, tally, *one) for one in work[offset::stride] + ends]:
            done.result()
