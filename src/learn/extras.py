"""Further forms of an architecture, with tensors that the loader looks up and none of its first forms has.

There are two ways to find them. One adds a tensor that the loader looks up without finding it. The other removes a
tensor, so that the loader looks up replacements (attn_q, attn_k and attn_v for attn_qkv). A form is kept if it decodes.
"""

import collections
import itertools
from dataclasses import replace

import learn
import messages
import next_layers
import sweep
import used
from fit import BAD
from gguf_file import Tensor
from sweep import pattern_of, patterns_of

ROUNDS = 4          # number of times the loader is asked again for its look-ups
MOST_FORMS = 24     # of one architecture
MOST_TRIES = 4      # changes of keys that are run for a pattern
LAYERS = (7, 8, 12, 24, 32)  # numbers of these that are in sweep.NUMBERS


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
        self.sizeless = set()  # patterns that the loader wants with a dimension of 0
        self.refused = set()  # patterns with which a model was refused or crashed
        self.instead = set()  # patterns that it looks up without another tensor
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
        if not _names(made).issuperset(names):
            made = self._fitted(made, names)
        return made if made is not None and all(tensor.fits() for tensor in made.tensors) else None

    def _fitted(self, model, names):
        """The model with tensors that learn-llama does not show, in the shapes that the loader asks for."""
        asked, absent = model.copy(), [name for name in names if name not in _names(model)]
        asked.tensors = asked.tensors + [Tensor(name, 0, (1,)) for name in absent]
        made, added, answer = messages.completed(lambda one: self._lab.runner.ask_model(one, self._options), asked, absent)
        shape = messages.expected(answer)
        if shape is not None and shape[0] in absent and 0 in shape[1]:
            self.sizeless.add(pattern_of(shape[0]))
        return made if added == absent and answer["outcome"] != "refused" else None

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
                if pattern in covered and pattern not in patterns_of(model.tensors):
                    continue
                made = self.built(model, names)
                outcome = "refused" if made is None else self._outcome(made)
                self.refused |= {pattern} if outcome == "refused" else set()
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
            new = {one: names for one, names in self.sought(without).items() if one not in before and one != pattern}
            self.instead |= set(new)
            names = [name for names in new.values() for name in names]
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
        covered = set().union(*(patterns_of(model.tensors) for model in models))
        found, bases = [], list(models)
        for base in bases:  # it grows meanwhile
            known = set(covered)
            more, others = self._with_more(base, covered)
            if covered != known:
                found.append(more)
            for other in itertools.chain(others, self.exchanged(base)):
                self.exchanges.append(other)
                if len(bases) < MOST_FORMS and not patterns_of(other.tensors) <= covered:
                    covered |= patterns_of(other.tensors)
                    found.append(other)
                    bases.append(other)
        return found

    def predicting(self, learned, covered):
        """A model with a layer that predicts further tokens, if it runs with patterns outside of `covered`, which grows."""
        if self.looked_up <= covered:
            return []
        made = next_layers.form(self._lab.runner, self._options, learned, self.sought, covered)
        if made is None or patterns_of(made.tensors) <= covered:
            return []
        covered |= patterns_of(made.tensors)
        return [made]

    def reason(self, pattern):
        """Why no form has a pattern that the loader looks up; None if that is unknown."""
        if pattern in self.sizeless:
            return "sizeless"
        if used.stem(pattern) + ".weight" in self.ended:
            return "beside"
        if pattern in self.instead:
            return "instead"
        return "refused" if pattern in self.refused else None

    def look_up(self, learned, types, covered):
        """Makes the loader look up names under other values of its keys. Models with those values that run with
        patterns outside of `covered`, which grows."""
        found, tries = [], collections.Counter()
        changes = [model for name, model in sweep.key_changes(learned.model, learned.keys, types) if _is_telling(name, model)]
        for model in [*sweep.projections(learned.model, learned.keys), *changes]:
            new = self._sought_under(model) - covered
            if any(tries[pattern] < MOST_TRIES for pattern in new):
                tries.update(new)
                made = self._form_under(model, covered)
                found += [] if made is None else [made]
        return found

    def _sought_under(self, model):
        """The patterns that the loader looks up for a model, with all tensors that it misses."""
        patterns = set()
        for _ in range(ROUNDS):
            sought = self.sought(model)
            patterns |= set(sought) | patterns_of(learn.tensors_of(self._last))
            if learn.is_built(self._last) or not sought:
                break
            model = model.copy()
            model.tensors += [Tensor(name, 0, (1,)) for names in sought.values() for name in names]
        return patterns

    def _form_under(self, model, covered):
        """A model with these keys and with patterns outside of `covered`, if it runs."""
        ended, base = set(self.ended), self._lab.follow(model)
        if self._outcome(base) != "ran":
            self.refused |= self._sought_under(model) - covered
            return None
        known = set(covered)
        names = [name for pattern, names in self.sought(base).items() if pattern not in covered for name in names]
        whole = self.built(base, names) if names else None  # some fit only together
        base = whole if whole is not None and self._outcome(whole) == "ran" else base
        covered |= patterns_of(base.tensors)
        more, _ = self._with_more(base, covered)
        self.ended = ended  # a crash with these keys says nothing about other forms
        return more if covered != known else None


def _is_telling(change, model):
    """Whether a change of a key may affect the look-ups: switches, small numbers and numbers of layers."""
    key = change.split("=", 1)[0]
    value = model.keys.get(key)
    if value is None or isinstance(value.value, (bool, list, str)):
        return True
    return value.value in (0, 1, 2, 3) or key.endswith(".block_count") and value.value in LAYERS
