#!/usr/bin/env python3
"""Templates that the gate accepts, in llama.cpp's own engine: each renders or is refused cleanly.

usage: rendered_templates.py GATE RENDER [COUNT [SEED]]     (default: 200 templates, from seed 1)
       rendered_templates.py --walks GATE RENDER [COUNT [SEED]]   only of walking_programs.py
       rendered_templates.py --self-test RENDER

The templates are those of the corpus and of tests/jinja/chat_templates, programs of `generate --templates`,
attacks of attack_programs.py, costly_programs.py, walking_programs.py, and mutants of all of them. GATE judges them; RENDER
(tests/oracles/llama_cpp/render_main.cc) gives those that it accepts to the engine, each in a process of its
own, until COUNT have been rendered or refused. A crash, or more than 5 seconds of processor time or 4 GiB,
fails. Exit code 0 when there is none, 1 when there is one, 77 without the engine, 2 for trouble.

20,000 of them: rendered_templates.py build/release/ggufgate build/release/oracles/render-llama 20000
"""

import json
import os
import random
import struct
import subprocess
import sys
import tempfile

import attack_programs
import costly_programs
from generated_attacks import rules_broken
from generated_programs import generate
from walking_programs import walk

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BATCH = 250
FAMILY = ("template-injection", "template-limit", "template-syntax", "template-type")
FINE = ("rendered", "refused")
KEY = b"tokenizer.chat_template"

# Parts of mutants besides other templates.
PIECES = (
    "{% set ns = namespace(a='', l=[], n=0) %}", "{% for i in range(9) %}{{ i }}{% endfor %}",
    "{% for k, v in {'a': 1, 'b': 'c'}.items() %}{{ k ~ v }}{% else %}-{% endfor %}",
    "{% for m in messages if m.role == 'user' %}{{ loop.index ~ m.content }}{% if loop.last %}.{% endif %}{% endfor %}",
    "{% for m in messages %}{% if loop.first %}{% continue %}{% elif loop.index > 2 %}{% break %}{% endif %}{{ m.role }}{% endfor %}",
    "{% set n2 = namespace(a='', l=[]) %}{% for i in range(20) %}{% set n2.a = n2.a ~ i %}{% set n2.l = n2.l + [i] %}{% endfor %}"
    "{{ n2.l|tojson(indent=2) }}{{ n2.l|join(', ') }}{{ n2.a|length }}",
    "{% macro m9(x, y=1) %}{{ x }}{% if y %}{{ caller() if caller else y }}{% endif %}{% endmacro %}{{ m9(1, y=0) }}{{ m9('a') }}",
    "{% macro w9(s) %}{% for t in s %}{{ t.role }}{% endfor %}{% if s|length > 1 %}{{ w9(s[1:]) }}{% endif %}{% endmacro %}{{ w9(messages) }}",
    "{% macro c9() %}<{{ caller() }}>{% endmacro %}{% call c9() %}x{% endcall %}",
    "{% filter upper %}abc{% endfilter %}", "{% set z %}a{{ 1 }} b{% endset %}{{ z|trim|length }}", "{% if x is defined %}a{% else %}b{% endif %}",
    "{{ messages|selectattr('role', 'equalto', 'user')|list|length }}", "{{ messages|rejectattr('role', 'in', ['user'])|list|tojson }}",
    "{{ [3, '10', 2.5, 1]|sort }}", "{{ ['b', 'a', 'c']|sort(reverse=true)|first }}", "{{ ([1, 2, 3]|map(attribute='a')|list)|tojson }}",
    "{{ 'abc'[::-1] }}", "{{ 'abcdef'[1:-1:2] }}", "{{ [1, 2, 3][::-1] }}", "{{ 7 % 3 }}", "{{ -7 / 2 }}", "{{ 1 / 3 }}", "{{ 'a' * 9 }}",
    "{{ {'a': [1, {'b': none}]}|tojson }}", "{{ messages[0].items()|list|length }}", "{{ messages[-1]['content'].split(' ') }}",
    "{{ 'x'|indent(4, true) }}", "{{ (messages|first).content|replace('H', 'hh') }}", "{{ range(3, 0, -1)|list }}", "{{ x.y.z }}",
    "{{ 'a' in messages }}", "{{ messages|tojson }}", "{{ '{}'.format(1) }}", "{{ dict(a=1) }}", "{{ strftime_now('%Y') }}",
    "{{ 5 is divisibleby(2) }}", "{% set l9 = [] %}{{ l9.append(1) }}{{ l9.pop() }}", "{{ 9999999999999999999 }}", "{{ 1e999 }}",
    "{{ {'b': 1, 'a': 2}|dictsort }}", "{{ 1.5|int }}", "{{ ''|default('b', true)|upper }}", "{{ [[1, 2], [3]]|map('first')|list }}",
    "{% generation %}a{% endgeneration %}", "{{ not not x }}", "{{ (1, 2) + (3,) }}", "{{ 'x' ~ none ~ true }}", "{{ messages|length > 2 and 'y' }}",
    "{{ {1: 2, (1, 2): 3}|length }}", "{{ [none, true, 1]|unique|list }}", "{{ ['a', 'b']|join(d='-') }}", "{{ 'a b'.title().upper().strip('A') }}",
    "{{ messages[99] }}", "{{ messages[0]['x'] }}", "{{ [1, 2]|max }}{{ [[2], [1]]|min }}", "{{ 'a'|int(default=7) }}", "{{ ('%s' % 1)|string }}")

# Arguments that a macro passes to itself: smaller parts of its argument, and parts that only look smaller.
HANDED = ("s[1:]", "s[:-1]", "s[0:]", "s[:]", "s[:9]", "s[::-1]", "s[0]", "s[-1]", "[s][0]", "{'a': s}.a", "s.a", "s.a or s", "s.content",
          "s|first", "[s]|first", "s|list", "s|items", "dict(a=s).a", "{'a': s.a.b}", "[s.a.b][0]", "s.split('@')[0]", "s|trim")
PIECES += tuple("{% macro v9(s) %}{% if s %}{{ v9(" + handed + ") }}{% endif %}{% endmacro %}{{ v9(" + argument + ") }}"
                for handed in HANDED for argument in ("messages", "messages[0]", "messages[0].content"))


def strings_of(path):
    """Chat templates in a file of the corpus, by the offsets of their keys."""
    with open(path, "rb") as file:
        data = file.read()
    at = data.find(KEY)
    while at >= 0:
        begin = at + len(KEY)
        if data[begin:begin + 4] == struct.pack("<I", 8) and len(data) >= begin + 12:
            size = struct.unpack_from("<Q", data, begin + 4)[0]
            text = data[begin + 12:begin + 12 + size] if size < 1 << 20 else b""
            if len(text) == size:
                yield text.decode("utf-8", "replace")
        at = data.find(KEY, begin)


def kept_templates():
    for folder in ("valid", "invalid", "regression"):
        path = os.path.join(TOP, "corpus", folder)
        for name in sorted(os.listdir(path)) if os.path.isdir(path) else ():
            if name.startswith("template-"):
                yield from strings_of(os.path.join(path, name))
    for folder in ("good", "attacks"):
        path = os.path.join(TOP, "tests", "jinja", "chat_templates", folder)
        for name in sorted(os.listdir(path)):
            with open(os.path.join(path, name), encoding="utf-8", errors="replace") as file:
                yield file.read()
    for costly, neighbour in costly_programs.PROGRAMS:
        yield costly
        yield neighbour


def parts_of(template):
    """A template, split at the beginnings and ends of its tags."""
    parts, at = [], 0
    while at < len(template):
        opens = min((p for p in (template.find(s, at) for s in ("{{", "{%", "{#")) if p >= 0), default=len(template))
        if opens > at:
            parts.append(template[at:opens])
            at = opens
            continue
        close = {"{{": "}}", "{%": "%}", "{#": "#}"}[template[at:at + 2]]
        end = template.find(close, at)
        end = len(template) if end < 0 else end + 2
        parts.append(template[at:end])
        at = end
    return parts


def mutant(source, pool):
    """A changed template in which most blocks still match: an engine refuses others immediately."""
    parts = parts_of(source.choice(pool)[:20000])
    others = [part for part in parts_of(source.choice(pool)[:20000]) if not part.startswith("{%") or "=" in part]
    for _ in range(source.randint(1, 6)):
        at = source.randint(0, len(parts))
        how = source.randrange(6)
        plain = [i for i, part in enumerate(parts) if part.startswith("{{")]
        if how == 0:
            parts[at:at] = [source.choice(PIECES)]
        elif how == 1 and others:
            parts[at:at] = [source.choice(others)]
        elif how == 2 and plain:
            del parts[source.choice(plain)]
        elif how == 3 and plain:
            parts[at:at] = [parts[source.choice(plain)]] * source.randint(1, 4)
        elif how == 4 and parts:
            at = min(at, len(parts) - 1)
            word = source.choice(("messages", "x", "0", "1", "'a'", "none", "[]", "{}", "-1", "true", "99", "message"))
            parts[at] = parts[at].replace(source.choice(("messages", "message", "1", "0", "''", "true", "loop", "content")), word)
        else:
            parts[at:at] = [source.choice(PIECES) for _ in range(3)]
    return "".join(parts)


def templates(gate, count, seed):
    """Endless templates: those that are kept, then generated ones and mutants alternately."""
    source = random.Random(seed)
    pool = list(kept_templates())
    source.shuffle(pool)
    yield from pool[:max(count // 4, 50)]
    while True:
        seed += BATCH
        programs = [program["template"] for program in generate(gate, BATCH, seed)]
        for program in programs:
            how = source.randrange(8)
            if how == 0:
                yield program
            elif how == 1:
                yield attack_programs.program(source)[0]
            elif how == 2:
                yield walk(source)
            else:
                yield mutant(source, programs if how < 4 else pool)


def rendered(render, batch):
    """The result for each template of a batch."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.writelines(json.dumps({"template": template}) + "\n" for template in batch)
        file.flush()
        run = subprocess.run([render, file.name], capture_output=True, text=True, check=False)
    if run.returncode == 77:
        print("skipped: " + run.stderr.strip())
        sys.exit(77)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    if len(answers) != len(batch):
        sys.exit("%s told of %d templates of %d: %s" % (render, len(answers), len(batch), run.stderr[-300:]))
    return answers


def rendered_again(render, text, answer):
    """The answer for a template that hung. Processor time grows on a busy machine: only what hangs three times hangs."""
    for _ in range(2):
        if answer["outcome"] == "hung":
            answer = rendered(render, [text])[0]
    return answer


def walks(seed):
    source = random.Random(seed)
    while True:
        yield walk(source)


def accepted(gate, batch):
    broken = rules_broken(gate, batch)
    # Without a text, the engine uses a built-in template, or a model's.
    return [template for template, rules in zip(batch, broken) if template and not rules.intersection(FAMILY)]


def problems_of(gate, render, numbers):
    """The errors in the arguments, one sentence each."""
    for path, target in ((gate, "ggufgate_cli"), (render, "render-llama")):
        if path is not None and not os.access(path, os.X_OK):
            yield ("there is no program %s: run scripts/fetch-reference, then cmake --preset release, then "
                   "cmake --build --preset release --target %s" % (path, target))
    for text in numbers:
        if not text.isdecimal():
            yield "COUNT and SEED must be whole numbers, not '%s'" % text
    if len(numbers) > 2:
        yield "there is one argument too many: '%s'" % numbers[2]


def self_test(render):
    assert list(problems_of(None, render, ["20", "1"])) == []
    assert "there is no program /gone: run scripts/fetch-reference" in next(problems_of("/gone", render, []))
    assert "must be whole numbers, not 'x'" in next(problems_of(None, render, ["x"]))
    dies = "{{ [1]|select('divisibleby', 0)|list }}"
    hangs = "{% for i in range(1000000000) %}{% endfor %}"
    outcomes = [answer["outcome"] for answer in rendered(render, ["{{ messages[0].role }}", "{{ 1 +", dies, hangs])]
    assert outcomes[:3] == ["rendered", "refused", "died"] and outcomes[3] not in FINE, outcomes
    assert "".join(parts_of("a{{ b }}c{% d %}{# e")) == "a{{ b }}c{% d %}{# e"
    assert len(parts_of("a{{ b }}c{% d %}{# e")) == 5
    assert len(list(kept_templates())) > 300
    print("rendered_templates: what dies or hangs is told")


def main(arguments):
    if arguments[:1] == ["--self-test"] and len(arguments) == 2:
        for problem in problems_of(None, arguments[1], []):
            print("rendered_templates: " + problem, file=sys.stderr)
            return 2
        self_test(arguments[1])
        return 0
    walks_only = arguments[:1] == ["--walks"]
    arguments = arguments[walks_only:]
    if len(arguments) < 2 or arguments[0].startswith("-"):
        print(__doc__)
        return 2
    gate, render = arguments[:2]
    for problem in problems_of(gate, render, arguments[2:]):
        print("rendered_templates: " + problem, file=sys.stderr)
        return 2
    count = int(arguments[2]) if len(arguments) > 2 else 200
    seed = int(arguments[3]) if len(arguments) > 3 else 1
    outcomes = dict.fromkeys(FINE, 0)
    made = judged = 0
    wrong, batch = [], []
    for template in walks(seed) if walks_only else templates(gate, count, seed):
        made += 1
        batch.append(template)
        if len(batch) < BATCH and (walks_only or made < count):
            continue
        chosen = accepted(gate, batch)[:count - judged]
        for text, answer in zip(chosen, rendered(render, chosen)):
            answer = rendered_again(render, text, answer)
            outcomes[answer["outcome"]] = outcomes.get(answer["outcome"], 0) + 1
            if answer["outcome"] not in FINE:
                wrong.append(text)
                print("%s, signal %d, accepted:\n%s\n" % (answer["outcome"], answer["signal"], text[:4000]), flush=True)
        judged += len(chosen)
        batch = []
        if judged >= count:
            break
    print("seed %d: %d templates, %d accepted: %s"
          % (seed, made, judged, ", ".join("%d %s" % (number, word) for word, number in outcomes.items())))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
