"""Tells how many of the mutants that `ggufgate mutate --mode consistent` makes of tiny models load in llama.cpp, and how
many decode. Exit code: 0 all architectures were asked, 1 fewer load or decode than --loads and --decodes say.
"""

import collections
import json
import os
import subprocess
import sys
import tempfile

import learner  # pylint: disable=unused-import
import arguments
import main as learning
from asker import Server


def mutants_of(program, architecture, number, wish, folder):
    """(path, line of the manifest) of mutants of an architecture's tiny model."""
    seed, made = os.path.join(folder, "seed.gguf"), os.path.join(folder, "made")
    whole = [] if subprocess.run([program, "generate", "--architecture", architecture, "--output", seed],
                                 capture_output=True, check=False).returncode == 0 else ["--optional"]
    if whole:
        subprocess.run([program, "generate", "--architecture", architecture, *whole, "--output", seed], check=True)
    room = max(1 << 22, 4 * os.path.getsize(seed))  # more would take longer to allocate than to fill
    subprocess.run([program, "mutate", seed, "--mode", wish.mode, "--count", str(wish.each), "--seed", str(number),
                    "--max-size", str(room), "--output-dir", made], check=True, capture_output=True)
    with open(os.path.join(made, "manifest.jsonl"), encoding="utf-8") as file:
        for line in file:
            told = json.loads(line)
            yield os.path.join(made, told["file"]), told


def main():
    parser = arguments.parser_of("scripts/attack-models --consistent", __doc__.splitlines()[0])
    parser.add_argument("--each", type=arguments.at_least(1), default=10, help="mutants of each architecture (10)")
    parser.add_argument("--mode", default="consistent")
    parser.add_argument("--loads", type=float, default=0.95, help="the least share of files that load (0.95)")
    parser.add_argument("--decodes", type=float, default=0.8, help="the same of those that decode (0.8)")
    parser.add_argument("--tell", action="store_true", help="tell of each file that does not run")
    parser.add_argument("--guard", action="store_true", help="with a guard page behind every block; slower")
    wish, forms = arguments.parse(parser)
    architectures = wish.architecture or sorted(forms)
    runner = Server(learning.program(wish.build, "ask-llama"), *arguments.limits(wish.guard))
    judge = Server(learning.program(wish.build, "judge-models"), *learning.JUDGE)
    total, of_moves, whole = collections.Counter(), collections.defaultdict(collections.Counter), 0
    of_rules = collections.Counter()  # that reject files that run
    for number, architecture in enumerate(architectures, 1000 * wish.seed):
        with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
            made = list(mutants_of(os.path.join(wish.build, "ggufgate"), architecture, number, wish, folder))
            files = []
            for path, _ in made:
                with open(path, "rb") as file:
                    files.append(file.read())
        options = learning.options_of(architecture)
        answers = runner.ask_all([(contents, options) for contents in files])
        said = judge.ask_all([(contents, "") for contents in files])
        here = collections.Counter()
        for (_, told), answer, verdict in zip(made, answers, said):
            loads = answer["stage"] != "load"
            outcomes = ["made"] + ["loads"] * loads + ["decodes"] * answer["decoded"]
            outcomes += ["bad"] * (answer["outcome"] in ("died", "hung", "memory")) + ["rejected"] * bool(verdict["gate"]["errors"])
            here.update(outcomes)
            if answer["outcome"] == "ran":
                here["ran"] += 1
                here["ran and rejected"] += bool(verdict["gate"]["errors"])
                of_rules.update(verdict["gate"]["errors"])
            for move in set(told["mutations"]):
                of_moves[move].update(outcomes)
            if wish.tell and (answer["outcome"] != "ran" or verdict["gate"]["errors"]):
                print(f"{architecture} {'+'.join(told['mutations'])}: {answer['outcome']} {answer['stage']} "
                      f"{answer['message'][:120]} {verdict['gate']['errors']}")
        total += here
        whole += here["loads"] >= 0.95 * here["made"] and here["decodes"] >= 0.8 * here["made"]
    runner.close()
    judge.close()
    for move, one in sorted(of_moves.items()):
        print(f"{move:<24} made {one['made']:5}  loads {one['loads'] / one['made']:6.1%}  decodes {one['decodes'] / one['made']:6.1%}"
              f"  bad {one['bad']}  rejected {one['rejected']}")
    print(f"{total['ran']} ran, {total['ran and rejected']} of them are rejected: "
          f"{', '.join(f'{rule} {count}' for rule, count in of_rules.most_common()) or 'none'}")
    print(f"{len(architectures)} architectures, {total['made']} mutants: {total['loads'] / total['made']:.1%} load, "
          f"{total['decodes'] / total['made']:.1%} decode, {total['bad']} end the loader, {total['rejected']} are rejected; "
          f"both bars are met by {whole} architectures")
    return 0 if total["loads"] >= wish.loads * total["made"] and total["decodes"] >= wish.decodes * total["made"] else 1


if __name__ == "__main__":
    sys.exit(main())
