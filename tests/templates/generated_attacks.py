#!/usr/bin/env python3
"""Generated attacks: programs of Jinja that reach an internal name under Jinja2, none of which the
gate may accept.

usage: generated_attacks.py GATE [COUNT [SEED]] [--foreign]

Makes programs until COUNT of them were seen to ask an object for an internal name when Jinja2
renders them, and has GATE judge those. In a third of them, or in all with --foreign, names are written in
characters beyond ASCII that Python reads as others. Exit code 0 when it rejects all of them for an error of
template-injection or template-limit, 1 when not, 77 without Jinja2 (python3-jinja2), 2 for trouble.
"""

import json
import os
import random
import struct
import subprocess
import sys
import tempfile

try:
    import jinja2
except ImportError:
    jinja2 = None

import attack_programs

BATCH = 500
RULES = ("template-injection", "template-limit")


def reaches(template, name):
    """Whether rendering reads the attribute or item of this name from the object `x`."""
    asked = []

    class Probe:
        def __getattribute__(self, attribute):
            asked.append(attribute)
            if attribute in ("__class__", "__html__"):
                return object.__getattribute__(self, attribute)
            return 1

    environment = jinja2.Environment(extensions=["jinja2.ext.loopcontrols"])
    try:
        environment.from_string(template).render(x=Probe(), messages=[])
    except Exception:  # any later error of a program
        pass
    return name in asked


# Words of Jinja that Python never compiles as names, so they have only one form.
RESERVED = frozenset("""if elif else endif for in endfor recursive set endset macro endmacro call endcall with endwith
    filter endfilter block endblock is not and or true false none True False None""".split())


def attack(source, foreign):
    """A program, and the name that it may reach; with foreign, always one with non-ASCII names."""
    template, name = attack_programs.program(source)
    if foreign or source.randrange(3) == 0:
        template = attack_programs.disguised(source, template, RESERVED)
    return ("" if foreign and template.isascii() else template), name


def gguf(template):
    def text(data):
        return struct.pack("<Q", len(data)) + data

    out = b"GGUF" + struct.pack("<IQQ", 3, 0, 2)
    for key, value in ((b"general.architecture", b"llama"), (b"tokenizer.chat_template", template)):
        out += text(key) + struct.pack("<I", 8) + text(value)
    return out


def rules_broken(gate, templates):
    """For each template, the rules with an error."""
    broken = [set() for _ in templates]
    with tempfile.TemporaryDirectory() as folder:
        for i, template in enumerate(templates):
            with open(os.path.join(folder, "%04d.gguf" % i), "wb") as file:
                file.write(gguf(template.encode()))
        run = subprocess.run([gate, "check", "--format", "jsonl", folder], capture_output=True)
        files = [json.loads(line) for line in run.stdout.decode().splitlines()]
        if len(files) != len(templates):
            sys.exit("%s judged %d files of %d: %s" % (gate, len(files), len(templates), run.stderr))
        for file in files:
            broken[int(os.path.basename(file["path"])[:4])].update(
                finding["rule"] for finding in file.get("findings", []) if finding["severity"] == "error")
    return broken


def judge(gate, templates):
    """The templates that the gate does not reject for their behaviour."""
    return [template for template, rules in zip(templates, rules_broken(gate, templates))
            if not rules.intersection(RULES)]


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    if jinja2 is None:
        print("skipped: no Jinja2 (python3-jinja2) to see what a program reaches")
        return 77
    numbers = [word for word in sys.argv[2:] if word != "--foreign"]
    foreign = len(numbers) < len(sys.argv) - 2
    count = int(numbers[0]) if numbers else 1000
    seed = int(numbers[1]) if len(numbers) > 1 else 1
    source = random.Random(seed)
    made = reached = beyond = 0
    missed = []
    batch = []
    while reached < count:
        template, name = attack(source, foreign)
        made += 1
        if made > 100 * count:
            print("only %d of %d programs reach anything" % (reached, made))
            return 2
        if not reaches(template, name):
            continue
        reached += 1
        beyond += not template.isascii()
        batch.append(template)
        if len(batch) == BATCH or reached == count:
            missed += judge(sys.argv[1], batch)
            batch = []
    for template in missed[:20]:
        print("accepted: " + template)
    print("Jinja2 %s, seed %d: %d programs, %d reach an internal name, %d with names beyond ASCII, %d accepted"
          % (jinja2.__version__, seed, made, reached, beyond, len(missed)))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
