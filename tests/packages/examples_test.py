"""The examples for Kubernetes, compose and systemd: results of validators, and their effects."""

import json
import os
import re
import shlex
import subprocess
import tempfile
import unittest

import yaml
from support import BAD, BUILD, GOOD, TOP, Case, need, run

EXAMPLES = os.path.join(TOP, "packaging/examples")
SCHEMAS = os.path.join(TOP, "build/schemas")


def read(name):
    with open(os.path.join(EXAMPLES, name), encoding="utf-8") as file:
        return file.read()


class Kubernetes(Case):
    def setUp(self):
        self.objects = list(yaml.safe_load_all(read("kubernetes.yaml")))

    def test_the_gate_stands_before_the_server(self):
        pod = self.objects[0]["spec"]["template"]["spec"]
        gate, server = pod["initContainers"][0], pod["containers"][0]
        self.assertEqual(gate["args"][0], "check")
        model = gate["args"][-1]
        self.assertIn(model, server["args"])
        for container in (gate, server):
            self.assertTrue(all(mount["readOnly"] for mount in container["volumeMounts"]))
            self.assertEqual(container["securityContext"]["capabilities"]["drop"], ["ALL"])
            self.assertFalse(container["securityContext"]["allowPrivilegeEscalation"])
        self.assertTrue(pod["securityContext"]["runAsNonRoot"])

    def test_fits_what_kubernetes_says(self):
        need("node")
        if not os.path.isdir(os.path.join(SCHEMAS, "kubernetes")):
            self.skipTest("scripts/fetch-reference fetches the schemas")
        script = os.path.join(os.path.dirname(__file__), "kubernetes.js")

        def judged(objects):
            return run("node", script, SCHEMAS, stdin=None, input=json.dumps(objects))
        self.assertEqual(judged(self.objects).stdout, "")
        wrong = json.loads(json.dumps(self.objects))
        wrong[0]["spec"]["template"]["spec"]["initContainers"][0]["args"] = "check"
        self.assertEqual(judged(wrong).returncode, 1)


class KubernetesScan(Case):
    def test_fits_what_kubernetes_says(self):
        objects = list(yaml.safe_load_all(read("kubernetes-scan.yaml")))
        pod, spec = objects[0]["spec"]["template"]["spec"], objects[0]["spec"]
        self.assertEqual(spec["completionMode"], "Indexed")
        command = pod["containers"][0]["command"]
        self.assertEqual(command[command.index("--tasks") + 1], str(spec["completions"]))
        need("node")
        if not os.path.isdir(os.path.join(SCHEMAS, "kubernetes")):
            self.skipTest("scripts/fetch-reference fetches the schemas")
        script = os.path.join(os.path.dirname(__file__), "kubernetes.js")
        self.assertEqual(run("node", script, SCHEMAS, stdin=None, input=json.dumps(objects)).stdout, "")


class Compose(Case):
    def test_fits_its_schema(self):
        file = os.path.join(SCHEMAS, "compose/package/lib/compose-spec/schema/compose-spec.json")
        if not os.path.exists(file):
            self.skipTest("scripts/fetch-reference fetches the schema")
        import jsonschema  # from Debian
        with open(file, encoding="utf-8") as schema:
            validator = jsonschema.Draft7Validator(json.load(schema))
        composed = yaml.safe_load(read("compose.yaml"))
        self.assertEqual([error.message for error in validator.iter_errors(composed)], [])
        composed["services"]["gate"]["comand"] = []
        self.assertFalse(validator.is_valid(composed))

    def test_the_server_waits_for_an_accept(self):
        services = yaml.safe_load(read("compose.yaml"))["services"]
        self.assertEqual(services["server"]["depends_on"]["gate"]["condition"], "service_completed_successfully")
        self.assertEqual(services["gate"]["volumes"], services["server"]["volumes"])


class Systemd(Case):
    """The units, with a stand-in for the server that prints its arguments."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.server = os.path.join(self.folder.name, "llama-server")
        with open(self.server, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\nhead -c 4 "$2"\necho " served"\n')
        os.chmod(self.server, 0o755)

    def unit(self, name, model):
        text = read(name).replace("/usr/bin/ggufgate", os.path.join(BUILD, "ggufgate-static"))
        text = text.replace("/usr/bin/llama-server", self.server).replace("/srv/models/model.gguf", model)
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path, {key: shlex.split(value) for key, value in re.findall(r"(?m)^(Exec\w+)=(.*)$", text)}

    def test_systemd_has_nothing_to_say(self):
        need("systemd-analyze")
        for name in ("llama-server.service", "llama-server-run.service"):
            path, _ = self.unit(name, GOOD)
            self.assertEqual(self.ok("systemd-analyze", "verify", "--man=no", path), "")
            with open(path, "a", encoding="utf-8") as file:
                file.write("[Service]\nExecStrat=/bin/true\n")
            self.assertNotEqual(run("systemd-analyze", "verify", "--man=no", path).stdout, "")

    def test_a_bad_model_ends_the_service_for_good(self):
        # systemd applies RestartPreventExitStatus only to the main process, that of ExecStart.
        final = re.search(r"(?m)^RestartPreventExitStatus=(.*)$", read("llama-server.service"))[1].split()
        _, commands = self.unit("llama-server.service", GOOD)
        self.assertEqual(list(commands), ["ExecStart"])
        self.assertTrue(self.ok(*commands["ExecStart"]).endswith("GGUF served\n"))
        for model in (BAD, os.path.join(self.folder.name, "none.gguf")):
            _, commands = self.unit("llama-server.service", model)
            done = run(*commands["ExecStart"])
            self.assertIn(str(done.returncode), final, model)
            self.assertNotIn("served", done.stdout)
        # The exit code of the server is not final.
        with open(self.server, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexit 1\n")
        _, commands = self.unit("llama-server.service", GOOD)
        self.assertNotIn(str(run(*commands["ExecStart"]).returncode), final)

    def test_the_server_gets_what_was_judged(self):
        with tempfile.NamedTemporaryFile(suffix=".gguf", delete=False) as file:  # owned by this user, for the lease
            with open(GOOD, "rb") as good:
                file.write(good.read())
        self.addCleanup(os.remove, file.name)
        _, commands = self.unit("llama-server-run.service", file.name)
        served = self.ok(*commands["ExecStart"], stderr=subprocess.DEVNULL)
        self.assertEqual(served, "GGUF served\n")
        _, commands = self.unit("llama-server-run.service", BAD)
        self.assertNotIn("served", self.ok(*commands["ExecStart"], code=1))


if __name__ == "__main__":
    unittest.main()
