"""The results for one architecture, and the report about everything that the table does not contain."""

import re

import forms
from sweep import pattern_of


class Result:
    """A learned architecture: `text` is its block, None if no form decodes."""

    def __init__(self, architecture, attempts):
        self.architecture, self.text = architecture, None
        self.reasons = [told(one) for one in forms.dropped(attempts)]  # if there is no block
        self.crashes = []  # forms that were built and crashed, without an explanation in the block
        self.dropped = []  # other forms that the block lacks
        self.changes = []  # changes that crashed, and that no condition explains


def told(attempt):
    return f"{attempt.learned.name}: {attempt.reason()}"


def _used_in(line, names):
    """Whether a line "used" requires a tensor that a model lacks in some layer. names: of its tensors."""
    absent, beside, *kind = line.split()[1:]
    for layer in {found[1] for found in (re.search(r"\.(\d+)\.", name) for name in names) if found} or {"0"}:
        def has(pattern, layer=layer):
            return pattern.replace("*", layer) in names
        wanted = all(has(one.removeprefix("!")) != one.startswith("!") for one in kind)
        if has(beside) and wanted and not any(map(has, absent.split("|"))):
            return True
    return False


def forbidden(model, lines):
    """The lines that forbid the tensors of a model: they forbid one of them, or require another one."""
    names = {tensor.name for tensor in model.tensors}
    patterns = {re.sub(r"(?<=\.)\d+(?=\.)", "*", name) for name in names}
    unfit = {name for line in lines if line.startswith("unfit ") for name in line.split()[1:]}
    return ([f"unfit {name}" for name in sorted(patterns & unfit)]
            + [line for line in lines if line.startswith("used ") and _used_in(line, names)])


def _explained(judge, model, lines):
    """The lines that forbid a model, for its tensors or as a condition that it breaks. Conditions of a shift do not: files
    that break them run."""
    slugs = {line.split()[1] for line in lines if line.startswith("condition ") and line.split()[3] != "shift"}
    broken = set(judge.ask_model(model)["broken"])
    return forbidden(model, lines) + [f"condition {slug}" for slug in sorted(slugs & broken)]


def sort_dropped(judge, result, attempts, lines):
    """Records the forms that the block lacks."""
    for one in forms.dropped(attempts):
        reasons = _explained(judge, one.learned.model, lines) if one.built else []
        if one.built and one.crashes and not reasons:
            result.crashes.append(told(one))
        else:
            result.dropped.append(told(one) + (f" (explained by: {'; '.join(reasons)})" if reasons else ""))


def sort_exchanges(judge, result, crashes, lines):
    """Records the models with exchanged tensors that crash although the lines accept them."""
    for text, (model, answer) in crashes.items():
        if not _explained(judge, model, lines):
            words = filter(None, [answer["stage"], answer["signal"] or answer["outcome"], answer["message"]])
            result.crashes.append(f"{result.architecture}, {text}: {', '.join(words)}")


def sort_unfit(result, attempts, lines):
    """Records the lines "unfit" about tensors that may only need others: a form that crashes has them."""
    lost = [one for one in forms.dropped(attempts) if one.built and one.crashes and one.learned.everything
            and not any(other.runs and other.letter == one.letter for other in attempts)]
    for line in lines:
        for name in line.split()[1:] if line.startswith("unfit ") else ():
            many = [one for one in lost if name.replace("*", "#") in {pattern_of(tensor) for tensor in one.tensors()}]
            if many:
                result.changes.append(f"{result.architecture}: is {name} unfit? All forms with more tensors crash")


def sort_unknown(result, lines):
    """Records the tensors that the loader looks up, and that no form has for an unknown reason."""
    for line in lines:
        for name in line.split()[2:] if line.startswith("sought unknown ") else ():
            result.changes.append(f"{result.architecture}: no form has {name}")


class Report:
    """All results of a run."""

    def __init__(self, exceptions):
        self.exceptions = exceptions  # architectures that need no form: name to reason
        self.blocks, self.results = {}, []

    def add(self, result):
        self.results.append(result)
        if result.text is not None:
            self.blocks[result.architecture] = result.text

    def lost(self):
        """Architectures without a form, except for known ones."""
        return sorted(one.architecture for one in self.results
                      if one.text is None and one.architecture not in self.exceptions)

    def lines(self, everything=True):
        """Everything that the table does not contain, sorted; or only the part that needs a review."""
        made = []
        for one in sorted(self.results, key=lambda one: one.architecture):
            if one.text is None:
                known = self.exceptions.get(one.architecture)
                made.append(f"no form: {one.architecture}" + (f" (known: {known})" if known else ""))
                made += [f"  {reason}" for reason in one.reasons]
            made += [f"unexplained crash: {crash}" for crash in one.crashes]
            made += [f"no part of the table: {form}" for form in one.dropped if everything]
            made += [f"unexplained change: {change}" for change in sorted(one.changes)]
        return made

    def summary(self):
        counts = [sum(map(len, (getattr(one, kind) for one in self.results))) for kind in ("crashes", "changes")]
        known = len(self.results) - len(self.blocks) - len(self.lost())
        return (f"{len(self.blocks)} of {len(self.results)} architectures learned; without a form: {len(self.lost())}, "
                f"and {known} known ones; unexplained: {counts[0]} crashes of forms, {counts[1]} of changes")
