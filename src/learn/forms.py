"""Tries the forms of an architecture: which of them decode, and why the others do not.

A form that the loader builds and that then crashes is a finding. One of the optional tensors may be the reason: the form
with all of them is tried again without each. Otherwise the block would lack optional tensors, and tensors that only fit
together would seem unfit (the dense layers of step35).
"""

import learn
import recipes
from fit import BAD
from sweep import pattern_of
from table import FORMS

# Some graphs cannot compute embeddings, or cannot shift the context, for any file. A form is tried with each option in
# this order. The first one that lets it run is used for all changes of the architecture.
OPTIONS = ("", "no-embeddings", "no-shift", "no-embeddings,no-shift")


class Attempt:
    """One form, and its outcome."""

    def __init__(self, letter, learned):
        self.letter, self.learned = letter, learned
        self.answer = learned.answer    # of the loader: as it built the form, or as it ran it
        self.runs = False
        self.without = None             # the optional tensor, by name or pattern, without which the form runs
        self.twin = False               # an earlier form has the same tensors

    @property
    def built(self):
        return self.learned.model is not None

    @property
    def crashes(self):
        return self.answer["outcome"] in BAD

    def tensors(self):
        return frozenset(tensor.name for tensor in self.learned.model.tensors)

    def reason(self):
        """The outcome in words: stage if it was built, signal, message."""
        words = [self.answer.get("stage", "building"), self.answer["signal"] or self.answer["outcome"]]
        if self.answer["outcome"] == "ran":
            words[1] = "nothing was decoded"
        return ", ".join(words + ([self.answer["message"]] if self.answer["message"] else []))


def _ask(runner, attempt, options):
    attempt.answer = runner.ask_model(attempt.learned.model, options)
    attempt.runs = attempt.answer["outcome"] == "ran" and attempt.answer["decoded"]
    return attempt.runs


def _run_all(runner, attempts, options):
    """Runs the forms. Of forms with the same tensors, only the first that runs counts."""
    seen = set()
    for attempt in attempts:
        attempt.runs = False
        attempt.twin = attempt.built and attempt.tensors() in seen
        if attempt.built and not attempt.twin and _ask(runner, attempt, options):
            seen.add(attempt.tensors())
    return bool(seen)


def _fewer(learner, runner, attempt, options, changes):
    """If the tensors of one name make the form crash, or one of them (in one layer), the form without it."""
    learned = attempt.learned
    optional = [tensor.name for tensor in learned.model.tensors if tensor.name not in learned.required]
    for name in dict.fromkeys([pattern_of(name) for name in optional] + optional):
        again = Attempt(attempt.letter, learn.learn(learner, learned.architecture, learned.experts, True, without={name},
                                                    changes=changes))
        if again.built and _ask(runner, again, options):
            again.without = name
            return again
    return None


def _retried(learner, runner, attempts, options, changes):
    """The forms with optional tensors that crash: each without one optional tensor."""
    made = []
    for crashed in attempts:
        if not (crashed.learned.everything and crashed.built and crashed.crashes and not crashed.twin):
            continue
        again = _fewer(learner, runner, crashed, options, changes)
        if again is not None and again.tensors() not in [one.tensors() for one in attempts + made if one.runs]:
            made.append(again)
    return made


def _tried(learner, runner, architecture, changes=None):
    attempts = [Attempt(letter, learn.learn(learner, architecture, *form, changes=changes)) for form, letter in FORMS.items()]
    chosen = next((options for options in OPTIONS if _run_all(runner, attempts, options)), "")
    if not any(one.runs for one in attempts):
        _run_all(runner, attempts, "")  # for the reasons
    return attempts + _retried(learner, runner, attempts, chosen, changes), chosen


def try_all(learner, runner, architecture):
    """(the attempts, the options that the forms need)."""
    attempts, chosen = _tried(learner, runner, architecture)
    asked = {key.removeprefix(architecture + ".") for one in attempts for key in one.learned.keys}
    for changes in recipes.ALTERNATIVES:
        if any(one.runs for one in attempts) or not asked & set(changes):
            continue
        others, options = _tried(learner, runner, architecture, changes)
        if any(one.runs for one in others):
            return others, options
    return attempts, chosen


def running(attempts):
    """(letter, Learned) of the forms that decode, in the order of FORMS."""
    order = list(FORMS.values())
    return sorted(((one.letter, one.learned) for one in attempts if one.runs), key=lambda form: order.index(form[0]))


def as_tabled(learner, runner, architecture, form, accepts, options=OPTIONS):
    """(arguments of learn.learn(), the options that it needs) of a form as the table has it; ({}, None) if it does not run.
    changes: other values, if the form does not run without them or the gate does not accept it. without: the name
    without which a form with optional tensors runs, if it crashes with all of them."""
    for changes in (None, *recipes.ALTERNATIVES):
        attempt = Attempt(FORMS[form], learn.learn(learner, architecture, *form, changes=changes))
        if not attempt.built:
            continue
        words = next((words for words in options if _ask(runner, attempt, words)), None)
        if words is not None and accepts(attempt.learned.model):
            return {"changes": changes}, words
        again = _fewer(learner, runner, attempt, options[0], changes) if attempt.learned.everything and attempt.crashes else None
        if again is not None and accepts(again.learned.model):
            return {"changes": changes, "without": {again.without}}, options[0]
    return {}, None


def dropped(attempts):
    """The forms that are no part of the block; of forms with the same tensors and outcome, the first."""
    found = {}
    for one in attempts:
        if not one.runs and not one.twin:
            found.setdefault((one.tensors(), one.reason()) if one.built else one, one)
    return list(found.values())
