"""Common arguments of the programs behind scripts/attack-models.

The script calls a program twice: with --only-arguments before it builds anything, and again for the work.
"""

import argparse
import difflib
import os
import sys

import main as learning
import recorded


def at_least(least, kind=int):
    """A type for argparse: a number that is at least `least`."""

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
    parser.add_argument("--only-arguments", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("architecture", nargs="*", help="only these")
    return parser


def add_runs(parser):
    """The options for running models."""
    parser.add_argument("--options", default="", help="of each run besides, as `ask-llama` has them")
    parser.add_argument("--jobs", type=at_least(1), default=os.cpu_count())


def add_ways(parser):
    """The options for running models, and the form of each."""
    parser.add_argument("--guard", action="store_true", help="with a guard page behind every block; slower")
    parser.add_argument("--shards", action="store_true", help="each model in two files, cut somewhere")
    add_runs(parser)


def unknown_architectures(wanted, known):
    """A message about the names that have no contract; None if each has one."""
    unknown = sorted(set(wanted) - set(known))
    if not unknown:
        return None
    near = difflib.get_close_matches(unknown[0], known, 1)
    hint = f"did you mean {near[0]}?" if near else "'ggufgate generate --list' has the names"
    return f"unknown architecture {' '.join(map(repr, unknown))}; {hint}"


def parse(parser, words=None):
    """The arguments, and the forms of all architectures. Exits the program after a wrong argument."""
    wish = parser.parse_args(words)
    forms = recorded.forms_in(learning.table.read(learning.TABLE))
    if wrong := unknown_architectures(wish.architecture, sorted(forms)):
        parser.error(wrong)
    if wish.only_arguments:
        sys.exit(0)
    return wish, forms
