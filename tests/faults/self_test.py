"""The driver finds planted bugs, and finds nothing without one."""

import families
import system_calls

BUGS = {
    "sound": None,
    "swallow": "exit code 0 as if nothing had been",
    "abort": "ended by signal 6",
    "mute": "exit code 2 without a word",
    "leave": "left behind: left",
    "hang": "it hung",
    "other-code": "exit code 3",
    "short": "exit code 0, but not what is said without a fault",
}


def run(places, program):
    """Exit code 0 if every bug is found and classified correctly."""
    missed = 0
    for place in places.all:
        place.program, place.seconds = program, 2
    for bug, expected in BUGS.items():
        family = families.Family(f"planted {bug}", (families.MODEL, bug))
        tally = system_calls.Tally(quiet=True)
        system_calls.run(places, [family], tally, stride=5 if bug == "hang" else 1)
        found = [problem for problem in tally.problems if expected and problem.endswith(expected)]
        if bool(found) != bool(expected) or expected is None and tally.problems:
            print(f"{bug}: wanted {expected!r}, found {tally.problems[:3]}")
            missed += 1
    print(f"self-test: {len(BUGS) - missed} of {len(BUGS)} as planted")
    return 1 if missed else 0
