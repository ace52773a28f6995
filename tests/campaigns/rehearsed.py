"""Compares rehearsals with the oracle of the campaigns (ask-llama), for models that the gate accepts.

The models are tiny ones of each architecture, and mutants that `ggufgate mutate --mode consistent` makes of them. Each
that the oracle runs or refuses must do the same in `ggufgate rehearse --stage decode`; if it ends the loader, the
rehearsal must say so at the same stage.

Exit code: 0 no difference, 1 differences, 2 wrong usage.
"""

import collections
import json
import os
import subprocess
import sys
import tempfile

import learner  # pylint: disable=unused-import
import arguments
import consistent
import main as learning
import release
from asker import Server

OUTCOMES = {"ran": "runs", "refused": "refuses", "died": "crashes", "hung": "hangs", "memory": "exceeds-memory"}
# Stages of the oracle, whose names differ from those of a rehearsal.
STAGES = {"getters": "load", "tokens": "vocabulary", "pieces": "vocabulary", "tokenize": "vocabulary",
          "detokenize": "vocabulary", "sample": "logits", "decode-next": "logits", "restore": "state"}
OPTIONS = "no-embeddings,no-shift"  # as with --stage decode


def rehearsed(program, library, folder):
    """{file name: what its rehearsal ended with} of the models in a folder."""
    done = subprocess.run([program, "rehearse", "--stage", "decode", "--format", "json", "--accept-refusal", "--loader",
                           library, folder], check=False, capture_output=True, text=True)
    if not done.stdout:
        raise RuntimeError(done.stderr)
    return {os.path.basename(file["path"]): file for file in json.loads(done.stdout)["files"]}


def accepted(judge, made):
    """(path, kinds of change) of the models that the gate accepts without a warning."""
    for path, told in made:
        said = judge.ask_file(path)
        if not said["gate"]["errors"] and not said["llama.cpp"]["errors"] and not said["gate"]["warnings"]:
            yield path, "+".join(told["mutations"])
        else:
            os.unlink(path)


def agree(answer, file):
    if file["outcome"] != OUTCOMES[answer["outcome"]]:
        return False
    return answer["outcome"] != "died" or file["stage"] == STAGES.get(answer["stage"], answer["stage"])


def compare(lab, architecture, number, wish):
    """(outcomes counted, differences told) of the models of one architecture."""
    program, library, runner, judge = lab
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        made = list(consistent.mutants_of(program, architecture, number, wish, folder))
        seed = os.path.join(folder, "seed.gguf")
        os.rename(seed, os.path.join(folder, "made", "seed.gguf"))
        made.append((os.path.join(folder, "made", "seed.gguf"), {"mutations": ["unchanged"]}))
        asked = {os.path.basename(path): (change, runner.ask_file(path, learning.options_of(architecture, OPTIONS)))
                 for path, change in accepted(judge, made)}
        if not asked:
            return collections.Counter(), []
        files = rehearsed(program, library, os.path.join(folder, "made"))
    tally, told = collections.Counter(), []
    for name, (change, answer) in asked.items():
        file = files[name]
        tally[file["outcome"] if change != "unchanged" else "unchanged " + file["outcome"]] += 1
        if not agree(answer, file):
            told.append(f"{architecture} {change}: the oracle {answer['outcome']} {answer['stage']} {answer['message'][:100]}; "
                        f"the rehearsal {file['outcome']} {file['stage']} {file.get('reason', '')[:100]}")
    return tally, told


def main():
    parser = arguments.parser_of("scripts/attack-models --rehearsals", __doc__.splitlines()[0])
    parser.add_argument("--each", type=arguments.at_least(1), default=10, help="mutants of each architecture (10)")
    wish, forms = arguments.parse(parser)
    wish.mode = "consistent"
    folder = wish.library or os.path.join(learning.ROOT, "build/reference/package/bins/linux-x64")
    runner = Server(learning.program(wish.build, "ask-llama"), "--seconds", "60", "--memory", "4096")
    judge = Server(learning.program(wish.build, "judge-models"), *learning.JUDGE)
    lab = os.path.join(learning.ROOT, "build/release/ggufgate"), release.library_in(folder), runner, judge
    total, differences = collections.Counter(), 0
    for number, architecture in enumerate(wish.architecture or sorted(forms), 1000 * wish.seed):
        tally, told = compare(lab, architecture, number, wish)
        total += tally
        differences += len(told)
        for line in told:
            print(line, flush=True)
    runner.close()
    judge.close()
    print("  ".join(f"{outcome} {count}" for outcome, count in sorted(total.items())) + f"  differences {differences}")
    return 1 if differences or not total["runs"] else 0


if __name__ == "__main__":
    sys.exit(main())
