"""Further forms of an architecture, with tensors that the loader looks up and none of its first forms has.

There are two ways to find them. One adds a tensor that the loader looks up without finding it. The other removes a
tensor, so that the loader looks up replacements (attn_q, attn_k and attn_v for attn_qkv). A form is kept if it decodes.
"""

import itertools
from dataclasses import replace

import learn
import sweep
from fit import BAD
from gguf_file import Tensor
from sweep import pattern_of

ROUNDS = 4          # number of times the loader is asked again for its look-ups
MOST_FORMS = 24     # of one architecture
LAYERS = (7, 8, 12, 24, 32)  # numbers of these that are in sweep.NUMBERS


def _patterns(tensors):
    return {pattern_of(tensor.name) for tensor in tensors}


def _names(model):
    return {tensor.name for tensor in model.tensors}


class Explorer:
    """Searches forms of one architecture with the loader. `looked_up` has all patterns that it has looked up so far."""

    def __init__(self, lab, options):
        self._lab = lab
        self._options = options
        self._last = None  # the answer to the last query
        self._answer = None  # of the loader that ran a model
        self.looked_up = set()
        self.ended = set()  # patterns that crash the loader in a form that runs without them
        self.exchanges = []  # running models with tensors that replace others
        self.crashes = {}    # crashing ones: a text to the model and the answer

    def _ask(self, model):
        answer = self._last = self._lab.learner.ask_model(model)
        self.looked_up |= {pattern_of(one["name"]) for one in answer["tensors_sought"]}
        return answer

    def sought(self, model):
        """Names, by pattern, that the loader looks up without finding them."""
        have, found = _names(model), {}
        for one in self._ask(model)["tensors_sought"]:
            if one["name"] not in have:
                found.setdefault(pattern_of(one["name"]), {})[one["name"]] = None
        return {pattern: tuple(names) for pattern, names in found.items()}

    def built(self, model, names):
        """The model with these tensors in the shapes of the loader; None if it does not create all of them."""
        asked = model.copy()
        asked.tensors = asked.tensors + [Tensor(name, 0, (1,)) for name in names]
        answer = self._ask(asked)
        if not learn.is_built(answer):
            return None
        types = {tensor.name: tensor.type for tensor in model.tensors}
        made = model.copy()
        made.tensors = [replace(one, type=types.get(one.name, learn.type_of(one))) for one in learn.tensors_of(answer)]
        whole = _names(made).issuperset(names)
        return made if whole and all(tensor.fits() for tensor in made.tensors) else None

    def _outcome(self, model):
        answer = self._answer = self._lab.runner.ask_model(model, self._options)
        return "refused" if answer["outcome"] == "ran" and not answer["decoded"] else answer["outcome"]

    def _with_more(self, model, covered):
        """The model with further tensors that no form has, one pattern after another, as long as it runs; also models in
        which such a tensor replaces others."""
        tried, others = set(), []
        for _ in range(ROUNDS):
            new = {pattern: names for pattern, names in self.sought(model).items() if pattern not in tried}
            for pattern, names in new.items():
                tried.add(pattern)
                if pattern in covered and pattern not in _patterns(model.tensors):
                    continue
                made = self.built(model, names)
                outcome = "refused" if made is None else self._outcome(made)
                if outcome in BAD:
                    others += self._fewer(model, names, pattern)
                elif made is not None and not _names(model) <= _names(made):
                    others += [made] if outcome == "ran" else []
                elif outcome == "ran":
                    model = made
                    covered.add(pattern)
            if not new:
                break
        return model, others

    def _fewer(self, model, names, pattern):
        """If all of the tensors together crash the loader, a model that runs with one of them; otherwise the pattern is
        recorded."""
        for name in names if len(names) > 1 else ():
            made = self.built(model, (name,))
            if made is not None and self._outcome(made) == "ran":
                return [made]
        self.ended.add(pattern)
        return []

    def exchanged(self, model, any_outcome=False):
        """Models without one of the tensors, with the replacements that the loader looks up, running or not."""
        before = self.sought(model)
        for pattern in dict.fromkeys(pattern_of(tensor.name) for tensor in model.tensors):
            without = model.with_tensors(lambda tensor: None if pattern_of(tensor.name) == pattern else tensor)
            names = [name for one, names in self.sought(without).items() if one not in before and one != pattern
                     for name in names]
            for some in (names, [name for name in names if name.endswith(".weight")]) if names else ():
                made = self.built(without, some)
                outcome = None if made is None else self._outcome(made)
                if outcome in BAD:
                    self.crashes[f"{' '.join(dict.fromkeys(map(pattern_of, some)))} for {pattern}"] = made, self._answer
                if made is not None and (any_outcome or outcome == "ran"):
                    yield made
                    break

    def forms(self, models):
        """Models of further forms that run."""
        covered = set().union(*(_patterns(model.tensors) for model in models))
        found, bases = [], list(models)
        for base in bases:  # it grows meanwhile
            known = set(covered)
            more, others = self._with_more(base, covered)
            if covered != known:
                found.append(more)
            for other in itertools.chain(others, self.exchanged(base)):
                self.exchanges.append(other)
                if len(bases) < MOST_FORMS and not _patterns(other.tensors) <= covered:
                    covered |= _patterns(other.tensors)
                    found.append(other)
                    bases.append(other)
        return found

    def look_up(self, learned, types):
        """Makes the loader look up names under other values of its keys."""
        for name, model in sweep.key_changes(learned.model, learned.keys, types):
            if not _is_telling(name, model):
                continue
            for _ in range(ROUNDS):
                sought = self.sought(model)
                if learn.is_built(self._last) or not sought:
                    break
                model = model.copy()
                model.tensors += [Tensor(name, 0, (1,)) for names in sought.values() for name in names]


def _is_telling(change, model):
    """Whether a change of a key may affect the look-ups: switches, small numbers and numbers of layers."""
    key = change.split("=", 1)[0]
    value = model.keys.get(key)
    if value is None or isinstance(value.value, (bool, list, str)):
        return True
    return value.value in (0, 1, 2, 3) or key.endswith(".block_count") and value.value in LAYERS
