"""Learns the contracts of a release of llama.cpp: scripts/learn-reference.

RELEASE.contracts is the table: `ggufgate check --contracts` reads it. RELEASE.unexplained.txt has the origin of the
library, and everything that the table lacks: architectures without a form, and crashes.

Exit code: 0 learned, 1 an architecture has no form that decodes, and without_form.txt does not name it; 2 wrong usage.
"""

import argparse
import functools
import multiprocessing
import os
import sys
import time

import main as learning
import names
import recorded
import release
import results
import table
from asker import Server


def read_arguments():
    parser = argparse.ArgumentParser(prog="scripts/learn-reference", description=__doc__.splitlines()[0])
    parser.add_argument("--build", default=os.path.join(learning.ROOT, "build/release"),
                        help="the folder of oracles/ask-llama, learn-llama and judge-models (build/release)")
    parser.add_argument("--library", required=True, help="the folder of libllama")
    parser.add_argument("--headers", help="the folder of llama.h, and of llama-arch.cpp if there is one")
    parser.add_argument("--name", help="the name of the release; otherwise from the metadata of its package")
    parser.add_argument("--source", action="append", default=[], help="a line for the report: the origin of the library")
    parser.add_argument("--output", help="the file to write: NAME.contracts (build/contracts/RELEASE.contracts)")
    parser.add_argument("--update", help="contracts of this release: replace the learned blocks in them")
    parser.add_argument("--tensors", action="store_true", help="with --update: replace only lines about tensors")
    parser.add_argument("--forms", action="store_true", help="only try the forms; write no table")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("architecture", nargs="*", help="only these")
    return parser.parse_args()


def forms_alone(architecture, build):
    """The forms of an architecture, without a block."""
    lab = learning.Lab(build)
    attempts, options = learning.forms.try_all(lab.learner, lab.runner, architecture)
    result = results.Result(architecture, attempts)
    if learning.forms.running(attempts):
        result.text = ""
        results.sort_dropped(lab.judge, result, attempts, [])
    lab.close()
    runs = " ".join(one.letter + (f" (without {one.without})" if one.without else "") for one in attempts if one.runs)
    result.note = ", ".join(filter(None, [f"forms {runs}" if runs else "", options]))
    return result


def compared(blocks, path):
    """For each block, whether it equals that of another table."""
    before = recorded.blocks_of(table.read(path))
    made = recorded.blocks_of("".join(blocks.values()))
    differing, new = [], []
    for name, lines in sorted(made.items()):
        known = before.get(name)
        if known is None:
            new.append(name)
        elif known != lines:
            differing.append(f"{name} (+{len(set(lines) - set(known))} -{len(set(known) - set(lines))})")
    equal = len(made) - len(differing) - len(new)
    return [f"{equal} of {len(made)} blocks equal those of {os.path.relpath(path, learning.ROOT)}",
            "different (lines): " + (", ".join(differing) or "none"), "new: " + (", ".join(new) or "none")]


def learn_all(wish, wanted, default):
    """Tries or learns the architectures in parallel."""
    report, start = results.Report(release.exceptions()), time.monotonic()
    work = functools.partial(forms_alone, build=wish.build)
    if not wish.forms:
        work = functools.partial(learning.learn_one, build=wish.build, shipped=default)
    with multiprocessing.Pool(wish.jobs) as pool:
        for result in pool.imap_unordered(work, sorted(wanted)):
            report.add(result)
            state = getattr(result, "note", "learned") if result.text is not None else "no form of it decodes"
            print(f"{time.monotonic() - start:6.0f} s  {result.architecture}: {state}, "
                  f"{len(result.crashes) + len(result.changes)} unexplained", file=sys.stderr)
    return report


def update(path, name, blocks, tensors):
    """Replaces blocks in the contracts of this release, or adds them. tensors: of blocks that it has, only the lines about
    tensors."""
    known = table.blocks_in(table.read(path))
    if tensors:
        blocks = {one: table.with_tensors_of(known.get(one, block), block) for one, block in blocks.items()}
    table.write(path, name, known | blocks)


def write(path, name, sources, report):
    """Writes the table and the report."""
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    table.write(path, name, report.blocks)
    with open(path.removesuffix(".contracts") + ".unexplained.txt", "w", encoding="utf-8") as file:
        file.write("\n".join([f"release {name}", *sources, report.summary(), *report.lines()]) + "\n")


def main():
    wish = read_arguments()
    library = release.library_in(wish.library)
    os.environ["GGUFGATE_LLAMA"] = os.path.abspath(wish.library)
    # A library that was built elsewhere may not know the folder of its dependencies.
    os.environ["LD_LIBRARY_PATH"] = os.pathsep.join(
        filter(None, [os.path.abspath(wish.library), os.environ.get("LD_LIBRARY_PATH")]))
    name = wish.name or release.name_of(library)
    default = name == release.shipped()
    sources = [f"{os.path.basename(library)} SHA-256 {release.sha256(library)}", *wish.source]
    learner = Server(learning.program(wish.build, "learn-llama"), headers_only=True)
    names.check(learner)
    listed = release.listed_architectures(wish.headers)
    wanted = wish.architecture or names.architectures(library, learner, [*release.known_architectures(), *listed],
                                                      all_ends=not listed and not default)
    learner.close()
    if wish.update and table.release_of(table.read(wish.update)) != name:
        raise ValueError(f"{wish.update} is of {table.release_of(table.read(wish.update))}, not of {name}")
    print(f"learn-reference: {name}, {len(wanted)} architectures", file=sys.stderr)
    report = learn_all(wish, wanted, default)
    if not wish.forms:
        output = wish.output or os.path.join(learning.ROOT, "build/contracts", release.file_name(name) + ".contracts")
        shipped = os.path.join(learning.RELEASES, release.file_name(name))
        print("\n".join(compared(report.blocks, shipped if os.path.exists(shipped) else learning.TABLE)), file=sys.stderr)
        write(output, name, sources, report)
        print(f"learn-reference: wrote {output}", file=sys.stderr)
        if wish.update:
            update(wish.update, name, report.blocks, wish.tensors)
            print(f"learn-reference: updated {wish.update}", file=sys.stderr)
    for line in report.lines(everything=wish.forms):
        print(line)
    print(f"learn-reference: {report.summary()}", file=sys.stderr)
    if report.lost():
        print(f"learn-reference: no form decodes: {' '.join(report.lost())}", file=sys.stderr)
    return 1 if report.lost() else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (ValueError, RuntimeError) as problem:
        print(f"learn-reference: {problem}", file=sys.stderr)
        sys.exit(2)
