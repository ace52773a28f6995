#!/usr/bin/env python3
"""Files that other machines run can be parsed, request minimal rights, and agree with the tests here: workflows,
action.yml, and the recipes for OSS-Fuzz and ClusterFuzzLite.

usage: integrations.py [--self-test]    exit code 1 if something does not hold
"""

import glob
import os
import re
import subprocess
import tempfile

import yaml

from support.checks import TOP, main

WORKFLOWS = ".github/workflows/*.yml"
RECIPES = ("fuzz/oss-fuzz/Dockerfile.in", ".clusterfuzzlite/Dockerfile")
# The modes of ClusterFuzzLite: infra/cifuzz of google/oss-fuzz.
MODES = {"code-change", "batch", "prune", "coverage"}
SANITIZERS = {"address", "undefined", "memory", "coverage"}
RIGHTS = {"contents": {"read"}, "actions": {"read"}}
# Write permissions are granted per job, and only these.
WRITERS = {"scorecard.yml": {"security-events"}, "release.yml": {"contents", "id-token", "attestations"}}
MADE_FOR = ("https://example.org/some-one/ggufgate", "some.one@example.org")
PINNED = r"[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)*"


def steps_of(workflow):
    for job in (workflow.get("jobs") or {}).values():
        yield from job.get("steps") or ()


def check_pins(text):
    """Every third-party action is pinned by its commit, with the version next to it."""
    return [f"{line.strip()}: not pinned by a commit, with its version behind it"
            for line in re.findall(r"uses: *(.*)", text)
            if not re.fullmatch(PINNED, line.strip()) and not line.startswith("./")]


def check_rights(workflow, name):
    rights = workflow.get("permissions")
    problems = []
    if not isinstance(rights, dict) or any(
            level not in RIGHTS.get(right, ()) for right, level in rights.items()):
        problems.append("permissions are not stated, or more than reading")
    for job in (workflow.get("jobs") or {}).values():
        for right, level in (job.get("permissions") or {}).items():
            if level not in RIGHTS.get(right, ()) and right not in WRITERS.get(name, ()):
                problems.append(f"a job has {right}: {level}")
    return problems


def check_workflow(text, exists, name="x.yml"):
    """The problems of one workflow. `exists` tells whether a file of the project exists."""
    try:
        workflow = yaml.safe_load(text)
    except yaml.YAMLError as error:
        return [f"no YAML: {error}".split("\n", maxsplit=1)[0]]
    problems = check_rights(workflow, name) + check_pins(text)
    if True not in workflow and "on" not in workflow:  # YAML 1.1 parses `on` as true
        problems.append("nothing starts it")
    if not list(steps_of(workflow)):
        problems.append("no steps")
    for step in steps_of(workflow):
        uses, given = step.get("uses", ""), step.get("with") or {}
        if "checkout" in uses and given.get("persist-credentials") is not False:
            problems.append("the checkout keeps its credentials")
        for key, known in (("mode", MODES), ("sanitizer", SANITIZERS)):
            value = given.get(key)
            if value and value not in known and not value.startswith("${{ matrix."):
                problems.append(f"{key} {value} is not known")
        run = step.get("run", "")
        if "${{" in run:
            problems.append("an expression inside a script: pass it through env")
        problems += [f"{path} is not there" for path in re.findall(r"\b(?:scripts|packaging)/[\w/-]+", run)
                     if not exists(path)]
    return problems


def check_action(text):
    """The problems of action.yml."""
    action = yaml.safe_load(text)
    problems = check_pins(text)
    for step in action["runs"]["steps"]:
        if "run" in step and "${{" in step["run"]:
            problems.append("an expression inside a script: pass it through env")
        if "run" in step and "shell" not in step:
            problems.append("a script without a shell")
    return problems


def clones(dockerfile):
    """The repositories that a recipe clones, without the project itself."""
    return sorted(line for line in dockerfile.splitlines()
                  if line.startswith("RUN git clone") and not line.endswith("/ggufgate"))


def made(repository, contact):
    """The files of fuzz/oss-fuzz/make by their names; None if it refuses."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([os.path.join(TOP, "fuzz/oss-fuzz/make"), "--repository", repository, "--contact", contact,
                              "--output", folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return None if run.returncode else {name: read(folder, name) for name in os.listdir(folder)}


def check_made(files, repository, contact):
    """The files for OSS-Fuzz name the repository and the maintainer, and have no placeholders left."""
    if files is None or set(files) != {"project.yaml", "Dockerfile", "build.sh"}:
        return ["fuzz/oss-fuzz/make does not write project.yaml, Dockerfile and build.sh"]
    problems = [f"{name} of OSS-Fuzz has a gap: {gap}" for name, text in sorted(files.items())
                for gap in re.findall(r"@[A-Z]+@|\bOWNER\b|\bCONTACT\b", text)]
    project = yaml.safe_load(files["project.yaml"])
    wanted = {"homepage": repository, "main_repo": repository + ".git", "primary_contact": contact}
    problems += [f"project.yaml: {key} is not {value}" for key, value in wanted.items() if project.get(key) != value]
    if f"RUN git clone --depth 1 {repository} $SRC/ggufgate\n" not in files["Dockerfile"]:
        problems.append("the Dockerfile does not clone the repository")
    return problems


def check_recipes(first, second):
    problems = []
    if clones(first) != clones(second):
        problems.append("the recipes clone different libraries")
    images = [re.search(r"^FROM (\S+)$", text, re.MULTILINE) for text in (first, second)]
    if not all(images) or images[0][1] != images[1][1]:
        problems.append("the recipes build in different images")
    problems += [f"not pinned: {line}" for line in clones(first) + clones(second)
                 if " --branch " not in line]
    return problems + ([] if clones(first) else ["no libraries"])


def check_project(text):
    project = yaml.safe_load(text)
    missing = {"homepage", "main_repo", "primary_contact", "language", "sanitizers"} - set(project)
    return [f"project.yaml has no {key}" for key in sorted(missing)]


def read(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return file.read()


def self_test():
    good = ("name: x\non: push\npermissions:\n  contents: read\njobs:\n  a:\n    steps:\n"
            f"      - uses: actions/checkout@{'0' * 40} # v4\n        with:\n          persist-credentials: false\n"
            f"      - run: scripts/test\n      - uses: a/b@{'1' * 40} # v1.2\n        with:\n          mode: batch\n"
            "          sanitizer: ${{ matrix.sanitizer }}\n")
    assert check_workflow(good, lambda path: True) == []
    assert check_workflow(good, lambda path: False) == ["scripts/test is not there"]
    edits = [("contents: read", "contents: write"), ("permissions:\n  contents: read\n", ""),
             ("on: push\n", ""), ("0" * 40, "main"), ("@" + "0" * 40, ""), (" # v4", ""),
             ("  a:\n", "  a:\n    permissions:\n      contents: write\n"), ("mode: batch", "mode: bath"),
             ("persist-credentials: false", "fetch-depth: 1"), ("name: x", "name: [x"),
             ("${{ matrix.sanitizer }}", "adress"), ("scripts/test", "echo ${{ github.head_ref }}"),
             ("permissions:\n  contents: read", "permissions: read-all")]
    for old, new in edits:
        assert old in good and check_workflow(good.replace(old, new, 1), lambda path: True), (old, new)
    recipe = "FROM a:1\nRUN git clone u/ggufgate\nRUN git clone --branch 1 u/a\nRUN git clone --branch 2 u/b\n"
    assert check_recipes(recipe, recipe) == []
    wrong = [recipe.replace("2", "3"), recipe.replace("--branch 2 ", ""), "", recipe.replace("a:1", "a:2")]
    for text in wrong:
        assert check_recipes(recipe, text), text
    assert check_project("language: c++\n")
    files = {"project.yaml": 'homepage: "https://a/b"\nmain_repo: "https://a/b.git"\nprimary_contact: "c@d.e"\n',
             "Dockerfile": "RUN git clone --depth 1 https://a/b $SRC/ggufgate\n", "build.sh": "#!/bin/bash\n"}
    assert check_made(files, "https://a/b", "c@d.e") == []
    gaps = [("project.yaml", "https://a/b.git", "https://a/OWNER.git"), ("project.yaml", "c@d.e", "@CONTACT@"),
            ("Dockerfile", "https://a/b", "https://a/c"), ("build.sh", "bash", "@REPOSITORY@")]
    for name, old, new in gaps:
        assert check_made({**files, name: files[name].replace(old, new)}, "https://a/b", "c@d.e"), (name, new)
    assert check_made(None, "https://a/b", "c@d.e")
    for repository, contact in (("http://a/b", "c@d.e"), ("https://a/b.git", "c@d.e"), ("https://a/b", "c"), ("", "")):
        assert made(repository, contact) is None, (repository, contact)
    action = "runs:\n  steps:\n    - run: x\n      shell: bash\n"
    assert check_action(action) == []
    bad = [action.replace("x", "${{ inputs.x }}"), action.replace("      shell: bash\n", ""),
           action + "    - uses: a/b@v1\n"]
    for text in bad:
        assert check_action(text), text
    print(f"integrations: {len(bad) + len(edits) + len(wrong) + len(gaps) + 2} planted faults found")


def judge():
    problems = check_recipes(*(read(TOP, path) for path in RECIPES))
    problems += check_project(read(TOP, "fuzz/oss-fuzz/project.yaml.in"))
    problems += check_made(made(*MADE_FOR), *MADE_FOR)
    workflows = sorted(glob.glob(os.path.join(TOP, WORKFLOWS)))
    for path in workflows:
        problems += [f"{os.path.basename(path)}: {problem}" for problem in check_workflow(
            read(path), lambda name: os.path.isfile(os.path.join(TOP, name)), os.path.basename(path))]
    problems += [f"action.yml: {problem}" for problem in check_action(read(TOP, "action.yml"))]
    if not workflows:
        problems.append("no workflows")
    return problems, f"integrations: {len(workflows)} workflows, {len(problems)} problems"


if __name__ == "__main__":
    main(judge, self_test)
