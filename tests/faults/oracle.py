"""Reports the errors of a run with a fault."""

import families


def _left_behind(family, usual, outcome):
    """Files that should not exist, or that have changed."""
    expected = {} if not family.output else usual.made
    for name, content in outcome.made.items():
        mine = family.output and (name == family.output or name.startswith(family.output + "/"))
        if not mine:
            return f"left behind: {name}"
        if outcome.code == usual.code:
            continue  # compared with the rest of the output
        if family.output.endswith(".json") and families.is_whole_report(content, False):
            continue  # about an undecided file
        return f"exit code {outcome.code}, but {name} is there ({len(content)} bytes)"
    if outcome.code == usual.code and set(outcome.made) != set(expected):
        return "exit code as usual, but the output is not there"
    return None


def _passed_on(usual, outcome):
    """The output of a pass-through is the beginning of its input, for every failure; usually it is complete."""
    if not usual.out.startswith(outcome.out):
        return "something else was passed on than came"
    if outcome.code == 1 and outcome.out == usual.out:
        return "all was passed on of what is rejected"
    return None


def wrong_ending(outcome):
    if outcome.hung:
        return "it hung"
    if outcome.outlived:
        return "processes outlived the command: " + ", ".join(outcome.outlived)
    if outcome.code < 0:
        return f"ended by signal {-outcome.code}"
    return None


def _message_is_there(usual, outcome):
    return bool(outcome.error.strip()) and outcome.error != usual.error or b"undecided" in outcome.out


def judge(family, usual, outcome, may_succeed, may_be_silent=False, may_lose_words=False):
    """None, or the error. `usual` is the run without a fault. `may_succeed` tells whether the fault may be harmless,
    `may_be_silent` whether no output is possible any more, and `may_lose_words` whether standard error may be
    incomplete."""
    wrong = wrong_ending(outcome) or _left_behind(family, usual, outcome)
    if family.name == f"check {families.PASSING}":
        wrong = wrong or _passed_on(usual, outcome)
    if wrong:
        return wrong
    if outcome.said() == usual.said():
        # A rejected file, and a file that is undecided anyway, keep their results.
        return None if may_succeed or usual.code != 0 else "exit code 0 as if nothing had been"
    if may_lose_words and outcome.said(words=False) == usual.said(words=False):
        return None
    if outcome.code == 0:
        return "exit code 0, but not what is said without a fault"
    if outcome.code == usual.code == 1:
        return None if b"reject" in outcome.out + outcome.error else "rejected without a word"
    if outcome.code not in family.codes:
        return f"exit code {outcome.code}"
    if family.name.startswith("run") and outcome.out:
        return "the loader was run"
    if outcome.code == 1:  # for a truncated file whose end does not show that
        return None if b"reject" in outcome.out + outcome.error else "rejected without a word"
    return None if may_be_silent or _message_is_there(usual, outcome) else f"exit code {outcome.code} without a word"
