"""A list of files divided among the tasks of an array: Slurm, Kubernetes, or a loop.

    python3 -m ggufgate.shards judge models.txt --output results --tasks 20 --task 3
    python3 -m ggufgate.shards merge models.txt --output results

Each task judges its pieces of the list and keeps them in the folder, which all tasks share; a task that is run again
goes on where it was ended. `--task` is by default JOB_COMPLETION_INDEX (Kubernetes) or SLURM_ARRAY_TASK_ID, from 0.
`merge` writes results.jsonl once no piece is missing.

Exit code: 0 all files are accepted, 1 one is rejected, 2 one is undecided, pieces are missing, or the command was
wrong; of `judge` for its pieces. With `--always-zero` that of `judge` is 0 once all its pieces are kept, for those who
start again what did not give 0.
"""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any, Dict, List, Optional

from ._errors import PolicyError
from ._check import Policy
from ._job import Job, JobError, read_list
from ._scan import Settings, judge_all

_TASK_VARIABLES = ("JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID")


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python3 -m ggufgate.shards", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("judge", "merge"):
        command = commands.add_parser(name)
        command.add_argument("list", help="a text file with a path or an address in each line")
        command.add_argument("--output", required=True, help="folder of the results")
        command.add_argument("--piece-files", type=int, default=100, help="files in a piece; default 100")
        command.add_argument("--policy", help="a policy file")
        command.add_argument("--profile", help="gate, llama.cpp, spec or diffusion")
        command.add_argument("--data", choices=("none", "scales", "full"))
        command.add_argument("--fail-on", choices=("error", "warning", "note"))
        command.add_argument("--sha256", action="store_true", help="also compute the SHA-256 of each file, which reads the whole file")
        if name == "merge":
            command.add_argument("--parquet", action="store_true", help="also write results.parquet; needs pyarrow")
            continue
        command.add_argument("--tasks", type=int, required=True, help="the number of tasks that share the work")
        command.add_argument("--task", type=int, help="the number of this task, from 0")
        command.add_argument("--always-zero", action="store_true", help="exit with 0 if all results are stored, for any verdicts")
        command.add_argument("--threads", type=int, default=8, help="files that are checked at the same time; default 8")
        command.add_argument("--retries", type=int, default=3)
        command.add_argument("--timeout", type=float, default=30.0, help="seconds to wait for an answer of a server")
        command.add_argument("--allow-http", action="store_true", help="also http://, without encryption")
        command.add_argument("--allow-private", action="store_true", help="also servers at private addresses")
    return parser


def _settings(given: argparse.Namespace) -> Settings:
    told: Dict[str, Any] = {"data": given.data, "fail_on": given.fail_on, "sha256": given.sha256}
    if given.policy:
        told["policy"] = Policy.from_file(given.policy, profile=given.profile)
    else:
        told["profile"] = given.profile
    if given.command == "judge":
        told.update(retries=given.retries, timeout=given.timeout, allow_http=given.allow_http,
                    allow_private=given.allow_private)
    return Settings(**told)


def _task(given: argparse.Namespace) -> int:
    if given.task is None:
        found = next((os.environ[name] for name in _TASK_VARIABLES if name in os.environ), None)
        if found is None or not found.isdecimal():
            raise ValueError(f"--task is missing, and none of {', '.join(_TASK_VARIABLES)} is a number")
        given.task = int(found)
    if not 0 <= given.task < given.tasks:
        raise ValueError(f"task is {given.task}; must be 0 to {given.tasks - 1}")
    return given.task


def _code(counts: Dict[str, int]) -> int:
    return 2 if counts["undecided"] else 1 if counts["reject"] else 0


def _judge(given: argparse.Namespace) -> int:
    task = _task(given)
    settings = _settings(given)
    job = Job(given.output, read_list(given.list), settings.judged_by(), given.piece_files)
    counts = {"accept": 0, "reject": 0, "undecided": 0}
    kept = 0
    for number in range(task, job.pieces, given.tasks):
        if not job.is_done(number):
            job.keep(number, judge_all(job.piece(number), given.threads, settings))
        kept += 1
        for result in job.results_of(number):
            counts[result["verdict"]] += 1
    print(f"task {task} of {given.tasks}: {kept} of {job.pieces} pieces, " + _said(counts))
    return 0 if given.always_zero else _code(counts)


def _merge(given: argparse.Namespace) -> int:
    settings = _settings(given)
    job = Job(given.output, read_list(given.list), settings.judged_by(), given.piece_files)
    counts = job.merge(parquet=given.parquet)
    print(f"{len(job.sources)} files, " + _said(counts))
    return _code(counts) if job.sources else 2  # an empty list is not a success


def _said(counts: Dict[str, int]) -> str:
    return f"{counts['accept']} ok, {counts['reject']} rejected, {counts['undecided']} undecided"


def main(arguments: Optional[List[str]] = None) -> int:
    given = _arguments().parse_args(arguments)
    try:
        return _judge(given) if given.command == "judge" else _merge(given)
    except (JobError, OSError, PolicyError, ValueError) as error:
        print(f"ggufgate.shards: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
