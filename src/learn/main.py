"""Learns the contract of one architecture from a loader. command.py does that for all of them.

1. models: learn-llama shows what the loader reads and creates. ask-llama runs each form; those that decode are kept.
2. sweep: ask-llama runs changes of keys and tensor types, one at a time.
3. fit: judge-models finds the conditions that explain the crashes; the unexplained ones are listed.
"""

import os
import re

import again
import company
import divides
import extras
import first_layer
import fit
import forms
import learn
import next_layers
import release
import repacked
import results
import settings
import shapes
import sweep
import table
import together
import unadapted
import used
import vocabularies
from asker import Server
from gguf_file import TYPE_OF, Value, retyped

ROOT = release.ROOT
CONDITIONS = os.path.join(ROOT, "src/check/rules/contract/conditions")
RELEASES = os.path.join(ROOT, "src/format/contracts/releases")
TABLE = os.path.join(RELEASES, release.file_name(release.shipped()))

def _found(name, pattern):
    with open(os.path.join(ROOT, "src/check/rules/contract", name), encoding="utf-8") as file:
        return re.findall(pattern, file.read())


# The rules whose conditions are fitted. A crash that breaks another rule counts as explained.
CONTRACT_RULES = {slug for _, slug in _found("rules.def", r'GGUFGATE_RULE\((\w+), "([^"]+)"')}
CONDITION_RULES = {slug for name, slug in _found("rules.def", r'GGUFGATE_RULE\((\w+), "([^"]+)"')
                   if name in _found("conditions/condition_rules.def", r"GGUFGATE_CONTRACT_RULE\((\w+)\)")}
# The arguments of judge-models: arguments.py sets those of another release.
JUDGE = ()
# Abilities that graphs lack for any file: embeddings, or shifting the context. The learner finds them (forms.py). Tests
# and campaigns use these, of llama.cpp v0.5.0.
OPTIONS = {"qwen4exp": "no-embeddings", "deepseek4": "no-embeddings", "lfm2": "no-shift"}
FOLLOWED = ", tensors follow"  # said of a change
HANGS_AFTER = 0.4  # seconds of processor time; models that ran took at most 0.06
TYPES_TRIED = ("F16", "BF16", "Q8_1", "I16", "I32", "F64", "NVFP4")
# Keys that load_hparams reads in the same way for every architecture: few values are enough.
GENERAL = {"nextn_predict_layers", "expert_group_count", "expert_group_used_count", "pooling_type", "rope.scaling.type",
           "expert_count", "block_count", "embedding_length_out", "classifier.output_labels", "context_length",
           "rope.scaling.finetuned", "rope.scaling.original_context_length", "vocab_size"}
FEW = {0, 1, 2, 3, 7, 16, 33, 64, 65536, 1 << 31, (1 << 32) - 2, (1 << 32) - 1}
FEW_GENERAL = {0, 1, 2, 3, 4, 7, 65, 1025, (1 << 32) - 1}
FEW_AGAIN = {0, 1, 3, 33, (1 << 32) - 2, (1 << 32) - 1}  # from the second form of an architecture on


def options_of(architecture, *more):
    return ",".join(filter(None, [OPTIONS.get(architecture, ""), *more]))


def program(build, name):
    return os.path.join(build, "oracles", name)


def forms_of(asker, runner, architecture):
    """(letter, Learned) of the forms that decode, each set of tensors once."""
    return forms.running(forms.try_all(asker, runner, architecture)[0])


def key_types(runner, learned):
    """The type that the loader requires for each key, and whether it accepts one per layer."""
    prefix, found = learned.architecture + ".", {}
    for key in learned.keys:
        if not key.startswith((prefix, "xielu.")):
            continue
        value = learned.model.keys.get(key)
        answer = runner.ask_model(learned.model.with_key(key, Value("u32", 1)), "no-text,no-embeddings,no-shift")
        wanted = re.search(r"has wrong type u32 but expected type (\w+)", answer["message"])
        word = wanted[1] if wanted else value.type if value is not None and answer["outcome"] != "ran" else "u32"
        layers = learned.model.keys[prefix + "block_count"].value
        answer = runner.ask_model(learned.model.with_key(key, Value("[u32]", [1] * layers)),
                            "no-text,no-embeddings,no-shift")
        found[key.removeprefix(prefix)] = (word, "type arr" not in answer["message"])
    return found


def worth_asking(change, again):
    """Whether a change of a key is one of the few that are enough for every architecture."""
    key, value = change.split("=", 1)
    key = key.split(".", 1)[1]
    number = re.fullmatch(r"(\d+) \(u32\)", value)
    if number and int(number[1]) not in (FEW_AGAIN if again else FEW_GENERAL if key in GENERAL else FEW):
        return False
    return "u64" not in value and not value.startswith(("0.5 (", "1e-30 (", "1e+30 ("))


def key_changes(learned, types, again):
    for name, model in sweep.key_changes(learned.model, learned.keys, types):
        if worth_asking(name, again):
            yield name, model
    yield from sweep.pair_changes(learned.model, learned.keys)
    yield from sweep.width_changes(learned.model, learned.keys)
    yield from sweep.default_changes(learned.model)
    yield from sweep.mixed_changes(learned.model)
    yield from sweep.untied_changes(learned.model)


def tensor_changes(learned):
    for name, model in sweep.tensor_changes(learned.model):
        if learned.fresh is not None and sweep.pattern_of(name.split(": ")[0]) not in learned.fresh:
            continue
        if name.rsplit(": ", 1)[1] in TYPES_TRIED + ("absent",) or ": rows=" in name:
            yield name, model


class Lab:
    """The programs that are queried about one architecture."""

    def __init__(self, build):
        self.learner = Server(program(build, "learn-llama"), headers_only=True)
        self.runner = Server(program(build, "ask-llama"), "--seconds", str(HANGS_AFTER), "--memory", "4096")
        self.judge = Server(program(build, "judge-models"), *JUDGE)
        self.ignored = CONDITION_RULES  # rules of the gate that do not explain a crash

    def follow(self, model):
        """The model with the tensors that the loader makes from its keys."""
        return learn.reshaped(model, self.learner.ask_model(model))

    def close(self):
        for server in (self.learner, self.runner, self.judge):
            server.close()


def made_of(lab, model):
    """The tensors that the loader makes from a model's keys; None if it stops before."""
    answer = lab.learner.ask_model(model)
    return learn.tensors_of(answer) if learn.is_built(answer) else None


def with_its_tensors(lab, model, answer):
    """If the loader refused the model for its shapes, the model in the shapes that it makes from the keys."""
    misfit = re.search(r"wrong shape|tensor '.*' not found|wrong number of tensors", answer["message"])
    return learn.reshaped(model, lab.learner.ask_model(model)) if misfit else model


def observe(lab, architecture, letter, name, model, missing=None):
    """The outcome of a change that was not refused, and the conditions that it breaks. `missing` gets the keys without
    which a model was refused. If necessary, a change of a key includes the tensors that follow from it."""
    changed = None
    answer = lab.runner.ask_model(model, options_of(architecture, "no-text"))
    if answer["outcome"] == "refused" and missing is not None:
        follows = with_its_tensors(lab, model, answer)
        if follows is not model:
            name, changed = name + FOLLOWED, follows
            answer = lab.runner.ask_model(follows, options_of(architecture, "no-text"))
    if answer["outcome"] == "refused":
        found = re.search(r"key not found in model: (\S+)", answer["message"])
        if missing is not None and found and name == f"{found[1]}=absent":
            missing.append(found[1])
        return None
    asked = model if changed is None else changed
    said = lab.judge.ask_model(asked)
    by_rules = set(said["llama.cpp"]["errors"]) - lab.ignored
    rows = None
    if set(said["broken"]) & set(fit.OF_ROTATED_ROWS):
        rows = lab.runner.ask_model(asked, options_of(architecture, "no-text", "no-shift", "rotations"))["odd_rows"]
    return fit.Seen(architecture, letter, name, answer, said["broken"], bool(by_rules), rows, changed)


def sweep_keys(lab, architecture, forms, types):
    """The outcome of each change of a key that was not refused, and for each form the required keys."""
    seen, missing = [], {}
    for number, (letter, learned) in enumerate(forms):
        missing[letter] = []
        seen += [observe(lab, architecture, letter, name, model, missing[letter])
                 for name, model in key_changes(learned, types, number > 0)]
    return [one for one in seen if one is not None], missing


def sweep_together(lab, architecture, forms):
    """The outcomes of combined changes, and the models that ran with patterns of tensors that no form has."""
    seen, ran = [], []
    known = set().union(*(learned.patterns() for _, learned in forms))
    for letter, learned in forms:
        for name, model in together.changes(learned, lab.follow):
            one = observe(lab, architecture, letter, name, model)
            seen += [one] if one is not None else []
            patterns = sweep.patterns_of(model.tensors)
            if one is not None and one.outcome == "ran" and not patterns <= known:
                ran.append(model)
                known |= patterns
    return seen, ran


def sweep_next(lab, architecture, forms):
    """The crashes of models with layers that predict further tokens."""
    letter, learned = forms[0]
    key, options = architecture + ".nextn_predict_layers", options_of(architecture, "no-text", "no-shift")
    seen = [observe(lab, architecture, letter, f"{key}={model.keys[key].value} (u32)", model)
            for model in next_layers.models(lab.runner, options, learned)]
    return [one for one in seen if one is not None and one.bad]


def sweep_tensors(lab, architecture, forms):
    """The outcomes of types and shapes, and for each form the tensors without which the loader crashed."""
    seen, shapes, dead, known = [], [], [], set()
    for letter, learned in forms:
        dead.append([])
        for name, model in tensor_changes(learned):
            # fit.roles() uses the first answer, except for these.
            if name in known and not name.endswith((": absent", ": NVFP4")):
                continue
            if ": rows=" in name:
                shapes.append(observe(lab, architecture, letter, name, model))
                continue
            answer = lab.runner.ask_model(model, options_of(architecture, "no-text", "no-shift"))
            one = fit.Seen(architecture, letter, name, answer)
            if one.outcome != "refused":
                seen.append(one)
                known.add(name)
            if one.bad and used.absent_in(name):
                dead[-1].append(used.absent_in(name))
    return seen, [one for one in shapes if one is not None], dead


def used_after_all(lab, architecture, forms, options, lines):
    """The outcomes of types of tensors that run with any type according to the roles in `lines`, in models that use
    them after all."""
    takes_any = {name.replace("*", "#") for line in lines if line.startswith("role any ") for name in line.split()[2:]}
    return again.seen(lambda model: lab.runner.ask_model(model, options), architecture, forms, takes_any, TYPES_TRIED)


def company_lines(lab, explorer, options, models):
    def ask(model):
        return lab.runner.ask_model(model, options)["outcome"]
    return sorted(company.lines(ask, explorer.built, lab.follow, models))


def forms_of_keys(explorer, forms, more, types, ran):
    """Forms with other values of keys, for tensors that none of the others has. ran: models of sweep_together."""
    first, known = forms[0][1], set().union(*(one.patterns() for _, one in forms + more))
    of_ran = set().union(*(sweep.patterns_of(model.tensors) for model in ran))
    explorer.ended -= of_ran
    models, covered = list(ran), known | of_ran
    for _, learned in forms:
        models += explorer.look_up(learned, types, covered)
    for _, learned in forms:
        models += explorer.predicting(learned, covered)
    found = []
    for model in models:
        one = learn.Learned(first.architecture, first.experts, True, {}, model, first.keys, first.required)
        one.fresh = one.patterns() - known
        known |= one.fresh
        found += [("k", one)] if one.fresh else []
    return found


def unmeasured(explorer, lines, tried, fresh):
    """The lines of the tensors without a role: "sought" with the reason, and "unfit"."""
    named = {name.replace("*", "#") for line in lines if line.startswith("role ") for name in line.split()[2:]}
    reasons = {pattern: explorer.reason(pattern) or "unknown" for pattern in explorer.looked_up - tried - fresh - explorer.ended}
    reasons |= {pattern: "unread" for pattern in fresh - named}
    made = [f"sought {word} " + " ".join(sorted(pattern.replace("#", "*") for pattern, one in reasons.items() if one == word))
            for word in sorted(set(reasons.values()))]
    rest = sorted(pattern.replace("#", "*") for pattern in explorer.ended - tried - fresh)
    return made + (["unfit " + " ".join(rest)] if rest else [])


def learn_tensors(lab, architecture, forms, types, ran):
    """The lines of the tensors of one architecture, the outcomes of changes of their shapes, and the models with exchanged
    tensors that crash. types: of keys; ran: models with other keys that ran, with further tensors."""
    quiet = options_of(architecture, "no-text", "no-shift")
    explorer = extras.Explorer(lab, quiet)
    first = forms[0][1]
    more = [("x", learn.Learned(architecture, first.experts, True, {}, model, first.keys, first.required))
            for model in explorer.forms([learned.model for _, learned in forms])]
    of_keys = forms_of_keys(explorer, forms, more, types, ran)
    all_forms = forms + more + of_keys
    seen, rows, dead = sweep_tensors(lab, architecture, all_forms)
    tried = set().union(*(learned.patterns() for _, learned in forms + more))
    asked = [(letter, learned.model) for letter, learned in forms + more] + [("x", model) for model in explorer.exchanges]
    others = [(letter, learned.model) for letter, learned in of_keys]
    lines = fit.roles(seen, tried)
    lines = fit.roles(seen + used_after_all(lab, architecture, asked + others, quiet, lines), tried)
    lines += unmeasured(explorer, lines, tried, set().union(*(learned.fresh for _, learned in of_keys)))
    models = [learned.model for _, learned in forms]
    replaced = repacked.lines(lab.runner, quiet, models)
    lines += replaced + unadapted.lines(lab.runner, quiet, models, {name for line in replaced for name in line.split()[1:]})
    lines += divides.lines(lab.runner, quiet, models)
    free = {one.change.split(": rows=")[0] for one in rows if one.outcome == "ran"}
    lines += first_layer.lines(lambda model: made_of(lab, model), [learned for _, learned in forms])
    keys = {key.removeprefix(architecture + ".") for model in models for key in model.keys}
    lines += shapes.lines([shapes.of_form(learned, lambda model: made_of(lab, model)) for _, learned in all_forms], free, keys)
    lines += sorted({*used.lines(lab.runner, quiet, [learned for _, learned in forms],
                                 [learned for _, learned in more + of_keys], dead),
                     *company_lines(lab, explorer, quiet, [model for _, model in asked])})
    lines += next_layers.lines(lab.runner, quiet, first)
    return lines, rows, explorer.crashes


def learn_one(architecture, build, shipped=False):
    """Learns one architecture. shipped: of the release that the gate's contracts describe. Then a crash is explained if
    the gate rejects the file for any reason other than a condition; otherwise contracts are no reason."""
    lab = Lab(build)
    attempts, OPTIONS[architecture] = forms.try_all(lab.learner, lab.runner, architecture)
    found, result = forms.running(attempts), results.Result(architecture, attempts)
    if not found:
        lab.close()
        return result
    lab.ignored = CONDITION_RULES if shipped else CONTRACT_RULES
    types = key_types(lab.runner, found[0][1])
    keys, missing = sweep_keys(lab, architecture, found, types)
    several, ran = sweep_together(lab, architecture, found)
    several += sweep_next(lab, architecture, found)
    lines, rows, exchanges = learn_tensors(lab, architecture, found, types, ran)
    conditions, unexplained = fit.conditions(keys + several + rows, fit.condition_slugs(CONDITIONS))
    with_settings = settings.lines(lab.runner, options_of(architecture, "no-text"), [one.model for _, one in found])
    lines = table.required(architecture, missing) + conditions + with_settings + lines
    result.text = table.block(architecture, vocabularies.kind_for(architecture),
                              {letter: table.Form(one.model, one.required) for letter, one in found}, set(), lines)
    result.changes = [f"{architecture} {one.base} {one.change}: {one.outcome} {one.stage} {one.message[:100]}"
                      for one in unexplained if one.model is None or not results.forbidden(one.model, lines)]
    results.sort_dropped(lab.judge, result, attempts, lines)
    results.sort_exchanges(lab.judge, result, exchanges, lines)
    results.sort_unfit(result, attempts, lines)
    results.sort_unknown(result, lines)
    lab.close()
    return result
