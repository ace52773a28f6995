#!/usr/bin/env python3
"""Programs that cost too much: the gate rejects each of costly_programs.py, and accepts its neighbour.

usage: costly_test.py GATE [EACH]     (render one of EACH costly programs; default: 1; 0: render nothing)

Jinja2 renders both in a sandbox, in a child with bounds on time and memory: the neighbour has to come out
of it, and most of the others must not, or the list would show nothing. (What only llama.cpp dies of comes
out: rendered_templates.py.) Exit code 0 when all hold, 1 when not, 77 without Jinja2, 2 for trouble.
"""

import os
import resource
import sys

try:
    import jinja2
    import jinja2.sandbox
except ImportError:
    jinja2 = None

from costly_programs import PROGRAMS
from generated_attacks import rules_broken
from generated_programs import CONVERSATIONS

SECONDS = 1           # of processor time, per program
MEMORY = 1 << 30      # bytes of address space
LONGEST = 16 << 20    # characters
MOST_COME_OUT = 0.6   # of the costly ones: refused, or costly only in llama.cpp (measured: 0.46 to 0.51)
TOGETHER = 20         # cheap programs per child, which takes a tenth of a second to start


def make_environment():
    return jinja2.sandbox.SandboxedEnvironment(extensions=["jinja2.ext.loopcontrols"])


def render(environment, texts):
    """Runs in the child: exits with 0 if each program renders, or is refused, within the limits of one."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for text in texts:
        try:
            made = environment.from_string(text).render(**CONVERSATIONS[1])
        except MemoryError:
            return 3
        except Exception:  # refused: no such filter, or another error
            continue
        if len(made) > LONGEST:
            return 3
    return 0


def come_out(environment, texts):
    child = os.fork()
    if child == 0:
        status = 3
        try:
            status = render(environment, texts)
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1] == 0


def lost(environment, texts):
    """The programs that exceed the limits: several share a child and its limits, and each gets a separate one if
    that child is lost."""
    some = [texts[at:at + TOGETHER] for at in range(0, len(texts), TOGETHER)]
    return [text for several in some if not come_out(environment, several)
            for text in several if not come_out(environment, [text])]


def rendering_faults(costly, cheap, each):
    """Renders all cheap programs and one of `each` costly ones."""
    environment = make_environment()
    faults = ["does not come out: " + program[:300] for program in lost(environment, cheap)]
    tried = costly[::each]
    out = sum(come_out(environment, [program]) for program in tried)
    if out > MOST_COME_OUT * len(tried):
        faults.append("%d of %d costly programs come out" % (out, len(tried)))
    print("Jinja2 %s: %d of %d costly programs come out" % (jinja2.__version__, out, len(tried)))
    return faults


def main(arguments):
    if jinja2 is None:
        print("skipped: no Jinja2 (python3-jinja2) to render programs with")
        return 77
    if len(arguments) not in (1, 2) or arguments[0].startswith("-"):
        print(__doc__)
        return 2
    costly = [program for program, _ in PROGRAMS]
    cheap = [program for _, program in PROGRAMS]
    wrong = ["accepted: " + program[:300] for program, rules in zip(costly, rules_broken(arguments[0], costly))
             if not rules]
    wrong += ["rejected by %s: %s" % (sorted(rules), program[:300])
              for program, rules in zip(cheap, rules_broken(arguments[0], cheap)) if rules]
    each = int(arguments[1]) if len(arguments) > 1 else 1
    if each:
        wrong += rendering_faults(costly, cheap, each)
    for sentence in wrong:
        print(sentence)
    print("%d programs, each with a neighbour; %d faults" % (len(costly), len(wrong)))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
