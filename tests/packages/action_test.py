"""action.yml, the component for GitLab and the hook for pre-commit, run here like by their services."""

import glob
import hashlib
import json
import os
import re
import shutil
import tempfile
import time
import unittest

import yaml
from support import BAD, BUILD, GOOD, TOP, Case, archive, need, run


def read(*path):
    with open(os.path.join(TOP, *path), encoding="utf-8") as file:
        return file.read()


def sha256(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Runner:
    """The parts of GitHub's runner that a composite action needs."""

    def __init__(self, folder):
        self.action = yaml.safe_load(read("action.yml"))
        self.folder, self.outputs, self.path = folder, {}, os.environ["PATH"]
        self.log = ""

    def file(self, name):
        path = os.path.join(self.folder, name)
        with open(path, "a", encoding="utf-8"):
            return path

    def value(self, expression, inputs):
        match = re.fullmatch(r"\$\{\{ (.*) \}\}", expression)
        if not match:
            return expression
        where, *names = match[1].split(".")
        return inputs[names[0]] if where == "inputs" else self.outputs[names[0]].get(names[-1], "")

    def run(self, inputs, folder=TOP):
        """Runs the steps until one fails, and returns its exit code. Steps with other actions are checked, not run."""
        given = {name: what.get("default", "") for name, what in self.action["inputs"].items()} | inputs
        for number, step in enumerate(self.action["runs"]["steps"]):
            if "run" not in step:
                continue
            output = self.file(f"output-{number}")
            environment = {"PATH": self.path, "HOME": self.folder, "RUNNER_TEMP": self.folder,
                           "GITHUB_ACTION_PATH": TOP, "GITHUB_OUTPUT": output,
                           "GITHUB_PATH": self.file("path"), "GITHUB_STEP_SUMMARY": self.file("summary")}
            environment |= {name: self.value(value, given) for name, value in step.get("env", {}).items()}
            done = run("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"],
                       env=environment, cwd=folder)
            self.log += done.stdout
            if done.returncode:
                return done.returncode
            with open(output, encoding="utf-8") as file:
                self.outputs[step.get("id", number)] = dict(line.rstrip("\n").split("=", 1) for line in file)
            with open(self.file("path"), encoding="utf-8") as file:
                self.path = ":".join([*file.read().split(), os.environ["PATH"]])
        return 0

    def summary(self):
        with open(self.file("summary"), encoding="utf-8") as file:
            return file.read()


class Action(Case):
    def setUp(self):
        need("jq", "curl")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.runner = Runner(folder.name)
        self.inputs = {"archive": archive(), "sha256": sha256(archive())}

    def test_accepts(self):
        began = time.monotonic()
        self.assertEqual(self.runner.run(self.inputs | {"paths": GOOD}), 0, self.runner.log)
        self.way("action", began)
        self.assertEqual(self.runner.outputs["check"]["verdict"], "accept")
        self.assertIn("1 accepted, 0 not", self.runner.summary())

    def test_rejects_after_the_report_was_written(self):
        paths = f"\n  {GOOD}\n{BAD}\n"
        self.assertEqual(self.runner.run(self.inputs | {"paths": paths, "options": "--data=full\n--sha256"}), 1)
        outputs = self.runner.outputs["check"]
        self.assertEqual(outputs["verdict"], "reject")
        with open(outputs["sarif"], encoding="utf-8") as file:
            results = json.load(file)["runs"][0]["results"]
        self.assertIn("tensor-data-bounds", {result["ruleId"] for result in results})
        self.assertIn("| reject | tensor-data-bounds ", self.runner.summary())

    def test_what_is_not_there_is_undecided(self):
        self.assertEqual(self.runner.run(self.inputs | {"paths": "no-such-file.gguf"}), 2)
        self.assertEqual(self.runner.outputs["check"]["verdict"], "undecided")

    def test_a_name_is_no_markup_and_no_option(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("<img src=x>|`a`[b](c).gguf", "--help"):
                shutil.copy(BAD, os.path.join(folder, name))
            code = self.runner.run(self.inputs | {"paths": "<img src=x>|`a`[b](c).gguf\n--help"}, folder)
        self.assertEqual(code, 1, self.runner.log)
        self.assertIn("0 accepted, 2 not", self.runner.summary())
        self.assertNotIn("<img", self.runner.summary())
        self.assertNotRegex(self.runner.summary(), r"\[b\]\(")

    def test_another_archive_is_not_unpacked(self):
        for wrong in ("0" * 64, "", "sha256"):
            self.assertEqual(self.runner.run(self.inputs | {"sha256": wrong, "paths": GOOD}), 2)
            self.assertFalse(glob.glob(os.path.join(self.runner.folder, "ggufgate/bin/*")))

    def test_what_is_wrong_with_the_archive_is_said(self):
        digest = self.inputs["sha256"]
        for wrong, said in (({"archive": "gone.tar.gz"}, "there is no archive gone.tar.gz"),
                            ({"sha256": ""}, "sha256 is ''; it must be the 64"),
                            ({"sha256": digest.upper()}, "lower-case"),
                            ({"sha256": "0" * 64}, f"has the SHA-256 {digest}, not {'0' * 64}: it was not unpacked"),
                            ({"version": "1"}, "version is '1'; it must be three numbers")):
            self.runner.log = ""
            self.assertEqual(self.runner.run(self.inputs | wrong | {"paths": GOOD}), 2)
            self.assertIn("::error title=ggufgate::", self.runner.log)
            self.assertIn(said, self.runner.log)

    def test_the_report_is_uploaded_whatever_the_verdict(self):
        upload = next(step for step in self.runner.action["runs"]["steps"] if "uses" in step)
        self.assertIn("!cancelled()", upload["if"])
        names = [step["name"] for step in self.runner.action["runs"]["steps"]]
        self.assertLess(names.index(upload["name"]), names.index("Verdict"))


class Schemas(Case):
    """Checks action.yml and the workflows like github.com does."""

    SCRIPT = """const {validateAction, validateWorkflow} = require(process.argv[1]);
        const fs = require('fs');
        const errors = process.argv.slice(2).flatMap(path => {
          const judge = path.includes('workflows/') ? validateWorkflow : validateAction;
          // A right that is younger than the schema.
          const text = fs.readFileSync(path, 'utf8').replace(/^ *attestations: write\\n/m, '');
          return judge(text).errors.map(error => [path, error]);
        });
        console.log(JSON.stringify(errors));"""

    def judged(self, *paths):
        need("node")
        validator = os.path.join(TOP, "build/schemas/actions/package/action_validator.js")
        if not os.path.exists(validator):
            self.skipTest("scripts/fetch-reference fetches the validator")
        return json.loads(self.ok("node", "-e", self.SCRIPT, validator, *paths))

    def test_everything_fits(self):
        workflows = sorted(glob.glob(os.path.join(TOP, ".github/workflows/*.yml")))
        self.assertEqual(self.judged(os.path.join(TOP, "action.yml"), *workflows), [])

    def test_what_does_not_fit_is_told(self):
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
            file.write(read("action.yml").replace("using: composite", "using: compost"))
            file.flush()
            self.assertNotEqual(self.judged(file.name), [])


class GitLab(Case):
    def test_the_job_runs(self):
        header, body = re.split(r"(?m)^---$", read("templates/ggufgate.yml"))
        inputs = {name: what.get("default", "") for name, what in yaml.safe_load(header)["spec"]["inputs"].items()}
        inputs |= {"archive": archive(), "sha256": sha256(archive())}
        for paths, code in ((GOOD, 0), (f"{GOOD} {BAD}", 1)):
            inputs["paths"] = paths
            text = re.sub(r"\$\[\[ inputs\.([\w-]+) \]\]", lambda match: inputs[match[1]], body)
            self.assertNotIn("$[[", text)
            job = yaml.safe_load(text)["ggufgate"]
            with tempfile.TemporaryDirectory() as folder:
                script = "\n".join([*job["before_script"], *job["script"]])
                self.ok("sh", "-e", "-c", script, cwd=folder, code=code,
                        env={"PATH": os.environ["PATH"], **{name: str(value) for name, value in job["variables"].items()}})
                self.assertTrue(os.path.exists(os.path.join(folder, job["artifacts"]["reports"]["codequality"])))


class Hook(Case):
    def test_a_commit_with_a_bad_model_is_stopped(self):
        need("pre-commit", "git")
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(os.path.join(BUILD, "ggufgate-static"), os.path.join(folder, "ggufgate"))
            hook = yaml.safe_load(read(".pre-commit-hooks.yaml"))[0]
            tree = os.path.join(folder, "tree")
            environment = {"PATH": folder + ":" + os.environ["PATH"], "HOME": folder,
                           "PRE_COMMIT_HOME": os.path.join(folder, "cache")}
            self.ok("git", "init", "--quiet", tree, env=environment)
            with open(os.path.join(tree, ".pre-commit-config.yaml"), "w", encoding="utf-8") as file:
                yaml.safe_dump({"repos": [{"repo": "local", "hooks": [hook]}]}, file)
            for name, model, code in (("good.gguf", GOOD, 0), ("bad.gguf", BAD, 1), ("pointer.gguf", None, 1)):
                path = os.path.join(tree, name)
                if model:
                    shutil.copy(model, path)
                else:
                    with open(path, "w", encoding="utf-8") as file:
                        file.write("version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 9\n")
                self.ok("git", "-C", tree, "add", "--all", env=environment)
                said = self.ok("pre-commit", "run", "--files", name, cwd=tree, code=code, env=environment)
                if model is None:
                    self.assertIn("Git LFS", said)
                os.remove(path)


class Container(Case):
    def test_builds_and_judges(self):
        need("buildah")
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            self.ok(os.path.join(TOP, "packaging/container/build"), archive(), os.path.join(folder, "image.tar"), "--check")
        self.way("container", began)


if __name__ == "__main__":
    unittest.main()
