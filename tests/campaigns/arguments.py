"""Arguments of the programs of scripts/attack-models.

The script calls a program twice: with --only-arguments before it builds anything, and then for the work.
"""

import argparse
import difflib
import os
import sys

import learner  # pylint: disable=unused-import
import main as learning
import recorded
import release
import table


def at_least(least, kind=int):
    """A type for argparse: a number of at least `least`."""

    def number(text):
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not value >= least:
            raise argparse.ArgumentTypeError(f"must be a number of at least {least}, not '{text}'")
        return value

    return number


def parser_of(program, description):
    parser = argparse.ArgumentParser(prog=program, description=description, allow_abbrev=False,
                                     usage=f"{program} [OPTION...] [ARCHITECTURE...]")
    parser.add_argument("--build", default=os.path.join(learning.ROOT, "build/release"))
    parser.add_argument("--seed", type=at_least(0), default=1)
    parser.add_argument("--library", help="the folder of libllama, if it is of another release; the gate judges by its contracts")
    parser.add_argument("--only-arguments", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("architecture", nargs="*", help="only these")
    return parser


def limits(guard):
    """The options of ask-llama for a run, with a guard page behind every block or without."""
    return ("--seconds", "20", "--memory", "16384", "--guard") if guard else ("--seconds", "5", "--memory", "4096")


def add_runs(parser):
    """How the models are run."""
    parser.add_argument("--options", default="", help="of each run besides, as `ask-llama` has them")
    parser.add_argument("--jobs", type=at_least(1), default=os.cpu_count())


def add_ways(parser):
    """Adds the ways and forms in which models are run."""
    parser.add_argument("--guard", action="store_true", help="with a guard page behind every block; slower")
    parser.add_argument("--shards", action="store_true", help="each model in two files, cut somewhere")
    add_runs(parser)


def unknown_architectures(wanted, known):
    """An error message about names without a contract; None if each has one."""
    unknown = sorted(set(wanted) - set(known))
    if not unknown:
        return None
    near = difflib.get_close_matches(unknown[0], known, 1)
    hint = f"did you mean {near[0]}?" if near else "'ggufgate generate --list' has the names"
    return f"unknown architecture {' '.join(map(repr, unknown))}; {hint}"


def judge_by(folder):
    """Runs the library in a folder, and judges by the contracts of its release."""
    os.environ["GGUFGATE_LLAMA"] = os.environ["LD_LIBRARY_PATH"] = os.path.abspath(folder)
    name = release.file_name(release.name_of(release.library_in(folder)))
    made = os.path.join(learning.ROOT, "build/contracts")
    known = [os.path.join(learning.RELEASES, name), os.path.join(made, name + table.SUFFIX)]
    learning.TABLE = next(filter(os.path.exists, known), None)
    if learning.TABLE is None:
        sys.exit(f"there are no contracts of this release: {name}; run scripts/learn-reference")
    text = table.read(learning.TABLE)
    os.makedirs(made, exist_ok=True)
    whole = os.path.join(made, f"attacked_{name}{table.SUFFIX}")  # judge-models reads one file
    table.write(whole, table.release_of(text), table.blocks_in(text))
    learning.JUDGE = ("--contracts", whole)


def parse(parser, words=None):
    """The arguments, and the forms of all architectures. Exits on a wrong argument."""
    wish = parser.parse_args(words)
    if wish.library:
        judge_by(wish.library)
    forms = recorded.forms_in(learning.table.read(learning.TABLE))
    if wrong := unknown_architectures(wish.architecture, sorted(forms)):
        parser.error(wrong)
    if wish.only_arguments:
        sys.exit(0)
    return wish, forms
