#!/usr/bin/env python3
"""Generated programs: what `generate --templates` makes is rendered by Jinja2 without an error, and the
gate finds nothing wrong with it; of what `--broken` makes, it names the rule.

usage: generated_programs.py GATE [COUNT [SEED]]     (default: 1,000 programs, from seed 1)
       generated_programs.py --self-test

Jinja2 renders in a child with bounds on time and memory, sandboxed, with what llama.cpp and transformers
give to templates: each program with each conversation, with and without trim_blocks and lstrip_blocks.
Exit code 0 when all agree, 1 when not, 77 without Jinja2 (python3-jinja2), 2 for trouble.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile

try:
    import jinja2
    import jinja2.sandbox
except ImportError:
    jinja2 = None

from generated_attacks import gguf, rules_broken

BATCH = 500
SECONDS = 60          # of processor time, per batch
MEMORY = 1 << 30      # bytes of address space
LONGEST = 16 << 20    # characters that a program may make
# The remark if the gate gives up: docs/chat-templates.md.
NOT_FOLLOWED = "more than is followed"
FAMILY = ("template-injection", "template-limit", "template-syntax", "template-type")

CALL = {"id": "c1", "type": "function",
        "function": {"name": "weather", "arguments": {"city": "Z\u00fcrich", "days": 3}}}
TOOL = {"type": "function",
        "function": {"name": "weather", "description": "The weather.",
                     "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}}
CONVERSATIONS = (
    {"messages": [{"role": "user", "content": "Hello there"}], "add_generation_prompt": True},
    {"messages": [{"role": "system", "content": "Be <b>brief</b>. {{ no code }}"},
                  {"role": "user", "content": "Hi"}, {"role": "assistant", "content": ""},
                  {"role": "user", "content": "\u00c0 la carte\n\n\U0001f600 'quoted' \"twice\""}],
     "add_generation_prompt": False, "tools": None},
    {"messages": [{"role": "user", "content": "What is the weather in Z\u00fcrich?"},
                  {"role": "assistant", "content": "", "tool_calls": [CALL]},
                  {"role": "tool", "content": "{\"degrees\": 21}", "name": "weather"},
                  {"role": "assistant", "content": "21 degrees </think>"}],
     "add_generation_prompt": True, "tools": [TOOL, TOOL], "documents": [], "enable_thinking": False},
)


def environments():
    """The environments of transformers and of plain Jinja2."""
    def refuse(message):
        raise jinja2.TemplateError(message)

    def plain_json(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
        return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators,
                          sort_keys=sort_keys)

    for trimmed in (True, False):
        environment = jinja2.sandbox.ImmutableSandboxedEnvironment(
            trim_blocks=trimmed, lstrip_blocks=trimmed, extensions=["jinja2.ext.loopcontrols"])
        environment.globals["raise_exception"] = refuse
        environment.globals["strftime_now"] = lambda form: "2026-11-24"
        if trimmed:
            environment.filters["tojson"] = plain_json
        yield environment


def fault_of(template, every):
    """The error when Jinja2 renders the program; None without an error."""
    for environment in every:
        try:
            compiled = environment.from_string(template)
            for conversation in CONVERSATIONS:
                made = compiled.render(bos_token="<s>", eos_token="</s>", **conversation)
                if len(made) > LONGEST:
                    return "%d characters" % len(made)
        except Exception as error:  # any error
            return "%s: %s" % (type(error).__name__, error)
    return ""


def render_all(path):
    """Runs in the child: prints a line for each program of the file."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    every = list(environments())
    with open(path, encoding="utf-8") as file:
        for line in file:
            print(json.dumps(fault_of(json.loads(line)["template"], every)), flush=True)


def faults_of(programs):
    """Jinja2's result for each; if the child crashes, the crash is that of its current program."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        file.writelines(json.dumps(program) + "\n" for program in programs)
        file.flush()
        child = subprocess.run([sys.executable, __file__, "--render", file.name],
                               capture_output=True, text=True, check=False)
    faults = [json.loads(line) for line in child.stdout.splitlines()]
    if len(faults) < len(programs):
        faults.append("the child ended with %d: %s" % (child.returncode, child.stderr[-300:]))
    return faults


def words_on(gate, template):
    with tempfile.NamedTemporaryFile(suffix=".gguf") as file:
        file.write(gguf(template.encode()))
        file.flush()
        return subprocess.run([gate, "check", file.name], capture_output=True, text=True,
                              check=False).stdout


def generate(gate, count, seed, *more):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "programs.jsonl")
        subprocess.run([gate, "generate", "--templates", str(count), "--seed", str(seed),
                        "--output", path, *more], check=True)
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]


def batches(gate, count, seed, *more):
    for begin in range(0, count, BATCH):
        yield generate(gate, min(BATCH, count - begin), seed + begin, *more)


def wrong_among(gate, count, seed):
    """Messages about programs on which Jinja2, the gate and the generator do not agree."""
    for programs in batches(gate, count, seed):
        for program, fault in zip(programs, faults_of(programs)):
            if fault:
                yield "does not render: seed %d: %s\n%s" % (program["seed"], fault, program["template"])
        broken = rules_broken(gate, [program["template"] for program in programs])
        for program, rules in zip(programs, broken):
            if rules.intersection(FAMILY) and NOT_FOLLOWED not in words_on(gate, program["template"]):
                yield "harmless, and rejected by %s: seed %d\n%s" % (
                    sorted(rules), program["seed"], program["template"])
    for programs in batches(gate, count // 4, seed, "--broken"):
        broken = rules_broken(gate, [program["template"] for program in programs])
        for program, rules in zip(programs, broken):
            if program["rule"] not in rules:
                yield "breaks %s, and is rejected by %s: seed %d\n%s" % (
                    program["rule"], sorted(rules), program["seed"], program["template"])


def self_test():
    every = list(environments())
    assert fault_of("{{ messages[0].role }}", every) == ""
    assert fault_of("{{ none + 1 }}", every).startswith("TypeError")
    assert fault_of("{% if %}", every).startswith("TemplateSyntaxError")
    assert fault_of("{{ raise_exception('x') }}", every) == "TemplateError: x"
    assert fault_of("{{ messages.append(1) }}", every).startswith("SecurityError")
    assert fault_of("{{ 'x' * 20000000 }}", every) == "20000000 characters"
    seen = faults_of([{"template": "a"}, {"template": "{{ 'x' * 3000000000 }}"}, {"template": "b"}])
    assert seen[0] == "" and seen[1] != "", seen
    print("generated_programs: what does not render is told")


def main(arguments):
    if jinja2 is None:
        print("skipped: no Jinja2 (python3-jinja2) to render programs with")
        return 77
    if arguments[:1] == ["--self-test"]:
        self_test()
        return 0
    if arguments[:1] == ["--render"]:
        render_all(arguments[1])
        return 0
    if not arguments or arguments[0].startswith("-"):
        print(__doc__)
        return 2
    count = int(arguments[1]) if len(arguments) > 1 else 1000
    seed = int(arguments[2]) if len(arguments) > 2 else 1
    wrong = list(wrong_among(arguments[0], count, seed))
    for sentence in wrong[:20]:
        print(sentence)
    print("Jinja2 %s, seed %d: %d programs and %d broken ones, %d disagreements"
          % (jinja2.__version__, seed, count, count // 4, len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
