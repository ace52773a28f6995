"""The options of fuzz/campaign."""

import argparse
import os
import re

from campaigns.build import SANITIZERS

ENGINES = {"libfuzzer": ("libfuzzer",), "afl": ("afl",), "both": ("libfuzzer", "afl")}

FOOTER = """\
exit code:
  0  all targets ran, no new finding
  1  a new finding: see DIR/findings.md
  2  wrong usage, or a target could not be built or run, or got no time

A campaign in the folder of an earlier one continues with its corpora; earlier findings count as known.
More in docs/campaigns.md.
"""


def _positive(kind):
    def parse(text):
        value = kind(text)
        if not 0 < value < 1e6:
            raise ValueError
        return value
    parse.__name__ = "number"
    return parse


def _programs(text):
    engine, equals, folder = text.partition("=")
    if engine not in ("libfuzzer", "afl") or not equals or not os.path.isdir(folder):
        raise argparse.ArgumentTypeError("wanted: libfuzzer=FOLDER or afl=FOLDER")
    return engine, os.path.abspath(folder)


def _targets(text):
    names = text.split(",")
    for name in names:
        if not re.fullmatch(r"[A-Za-z0-9_]+", name):
            raise argparse.ArgumentTypeError(f"{name!r} is not the name of a target")
    return names


def parse(arguments, root):
    parser = argparse.ArgumentParser(
        prog="fuzz/campaign", description="Fuzzes ggufgate for a given time.", epilog=FOOTER,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", type=_targets, required=True, metavar="T",
                        help="target names separated by commas, or all")
    parser.add_argument("--engine", choices=ENGINES, default="libfuzzer",
                        help="default: libfuzzer")
    parser.add_argument("--minutes", type=_positive(float), required=True, metavar="N",
                        help="the whole campaign, without building; 0.5 is half a minute")
    parser.add_argument("--jobs", type=_positive(int), default=os.cpu_count(), metavar="J",
                        help="parallel fuzzers; default: one per processor")
    parser.add_argument("--sanitizer", choices=SANITIZERS, default="address-undefined",
                        help="sanitizers of the build; default: address-undefined")
    parser.add_argument("--seed", type=_positive(int), default=1, metavar="S",
                        help="of the random numbers; default: 1")
    parser.add_argument("--out", default=os.path.join(root, "build", "campaign"), metavar="DIR",
                        help="corpora, findings and summary; default: build/campaign")
    parser.add_argument("--known", metavar="FILE",
                        help="ids of findings that are known, each with a reason behind it")
    parser.add_argument("--cmplog", action="store_true",
                        help="AFL++ also gets targets that log comparisons (afl-fuzz -c)")
    parser.add_argument("--no-build", action="store_true", help="take the programs that are there")
    parser.add_argument("--programs", type=_programs, action="append", default=[],
                        metavar="ENGINE=FOLDER",
                        help="take the programs of an engine from this folder, and build none of "
                             "them; may be given for each engine")
    parser.add_argument("--grace", type=_positive(float), default=15.0, metavar="SECONDS",
                        help="a fuzzer is killed if it runs this many seconds too long; "
                             "default: 15")
    options = parser.parse_args(arguments)
    options.engines = ENGINES[options.engine]
    options.programs = dict(options.programs)
    options.out = os.path.abspath(options.out)
    return options
