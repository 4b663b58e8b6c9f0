"""config/chart: what Helm makes of it, what Kubernetes would take of that, and what the program does with it."""

import copy
import http.client
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import helm_python
import kubernetes_validate
import yaml
from kubernetes_validate.utils import all_versions

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts/shared.d"))
from ports import free_port  # noqa: E402
from servers import PostgreSQL, ask, run_hearth, until  # noqa: E402

CHART = str(ROOT / "config/chart")
HEARTH = os.path.abspath(os.environ["BINARY_UNDER_TEST"])
ADDRESS = "postgresql://hearth@db.example.com/hearth?sslmode=verify-full"
LEAST = {"database": {"address": ADDRESS}}
# Everything that can be set, set to something else than it is by default.
ALL = {
    "image": {"repository": "registry.example.com/hearth", "tag": "0.2.0", "pullPolicy": "Always",
              "pullSecrets": ["registry"]},
    "nodes": 5,
    "database": {"address": ADDRESS, "passwordSecret": "db", "passwordKey": "word", "authorityConfigMap": "authority"},
    "settings": {"attributes": {"country": {"type": "text"}}, "retention": {"days": 7}},
    "kinds": (ROOT / "config/kinds.yaml").read_text(),
    "secrets": {"signingKeysSecret": "signing", "signingKeysKey": "both", "clientKeySecret": "apps",
                "clientKeyKey": "one"},
    "admin": {"hosts": ["console.example.com"]},
    "ingress": {"enabled": True, "className": "nginx", "host": "home.example.com", "tlsSecret": "certificate",
                "annotations": {"a.example.com/b": "c"}},
    "probes": {"startSeconds": 100, "periodSeconds": 7, "timeoutSeconds": 4, "unreadyAfter": 3, "deadAfter": 9},
    "leaveSeconds": 8, "drainSeconds": 65, "settleSeconds": 30, "unavailableMax": 2,
    "storage": {"size": "3Gi", "className": "fast"},
    "resources": {"requests": {"cpu": "2", "memory": "1Gi"}, "limits": {"memory": "2Gi"}},
    "podLabels": {"team": "home"}, "podAnnotations": {"prometheus.io/scrape": "true"},
    "nodeSelector": {"disk": "ssd"},
    "tolerations": [{"key": "home", "operator": "Exists", "effect": "NoSchedule"}],
}


def manifests(values):
    """What an install would send, by its kind and name."""
    with helm_python.Chart.load(CHART) as chart:
        chart.validate_schema(values)
        files = chart.render(values, name="home", namespace="apps")
    found = [one for name, text in files.items() if name.endswith(".yaml") for one in yaml.safe_load_all(text) if one]
    return {(one["kind"], one["metadata"]["name"]): one for one in found}


def pod(values):
    return manifests(values)["StatefulSet", "home-hearth"]["spec"]["template"]["spec"]


def leaves(values, path=()):
    """The path of each value, and the value; an empty map is one."""
    if isinstance(values, dict) and values:
        return [leaf for name, value in values.items() for leaf in leaves(value, (*path, name))]
    return [(path, values)]


class RenderingTest(unittest.TestCase):
    def test_helm_finds_nothing_to_say(self):
        for values in (LEAST, ALL):
            report = helm_python.lint(CHART, values, strict=True)
            self.assertEqual([one for one in report["messages"] if one["severity"] > 1], [])

    def test_kubernetes_would_take_it(self):
        minimum = tuple(map(int, re.search(r"kubeVersion: .>=(\d+)\.(\d+)", Path(CHART, "Chart.yaml").read_text())
                            .groups()))
        versions = [".".join(version.split(".")[:2]) for version in all_versions()]
        versions = {one for one in versions if tuple(map(int, one.split("."))) >= minimum}
        self.assertGreater(len(versions), 8)
        for values in (LEAST, ALL, ALL | {"kinds": "", "database": LEAST["database"] | {"authoritySecret": "ca"}}):
            for manifest in manifests(values).values():
                for version in versions:
                    kubernetes_validate.validate(manifest, version, strict=True)
        # The schemas refuse what is wrong: otherwise the lines above say nothing.
        wrong = manifests(LEAST)["StatefulSet", "home-hearth"]
        wrong["spec"]["template"]["spec"]["containers"][0]["livenesProbe"] = {}
        with self.assertRaises(kubernetes_validate.ValidationError):
            kubernetes_validate.validate(wrong, "1.37", strict=True)

    def test_what_is_there(self):
        self.assertEqual(sorted(manifests(LEAST)), [
            ("ConfigMap", "home-hearth"), ("PodDisruptionBudget", "home-hearth"), ("Service", "home-hearth"),
            ("Service", "home-hearth-admin"), ("Service", "home-hearth-nodes"), ("StatefulSet", "home-hearth")])
        every = manifests(ALL)
        self.assertIn(("Ingress", "home-hearth"), every)
        # Every selector finds the pods, and no version is part of one: it could never change.
        labels = every["StatefulSet", "home-hearth"]["spec"]["template"]["metadata"]["labels"]
        for (kind, name), one in every.items():
            selector = one["spec"].get("selector") if kind != "ConfigMap" else None
            if selector:
                selector = selector.get("matchLabels", selector)
                self.assertLessEqual(selector.items(), labels.items(), (kind, name))
                self.assertNotIn("app.kubernetes.io/version", selector)
        # The front leads to apps' listener alone.
        path, = every["Ingress", "home-hearth"]["spec"]["rules"][0]["http"]["paths"]
        self.assertEqual(path["backend"]["service"]["name"], "home-hearth")
        self.assertEqual([one["targetPort"] for one in every["Service", "home-hearth"]["spec"]["ports"]], ["public"])

    def test_every_value_is_explained_and_changes_something(self):
        text = Path(CHART, "values.yaml").read_text()
        defaults = yaml.safe_load(text)
        lines = text.splitlines()
        for number, line in enumerate(lines):
            if re.match(r" *[a-zA-Z]+:", line) and not re.match(r" {4}", line):
                before = lines[number - 1].strip()
                section = line.endswith(":") and lines[number + 1].lstrip().startswith("#")
                # A comment stands before each; two that belong together share one.
                shared = line.strip().startswith(("authorityConfigMap", "podAnnotations", "tolerations", "requests",
                                                  "limits"))
                self.assertTrue(before.startswith("#") or section or shared, line)
        usual = manifests(ALL)
        for path, value in leaves(defaults):
            place = other = copy.deepcopy(ALL)
            for name in path[:-1]:
                place = place[name]
            if path == ("database", "authoritySecret"):
                other["database"] |= {"authoritySecret": "ca", "authorityConfigMap": ""}
            elif path[-1] == "address":
                place["address"] = ADDRESS + "&connect_timeout=2"
            elif path == ("ingress", "host"):
                place["host"] = "other.example.com"
            else:
                place[path[-1]] = value
            if path[0] == "ingress" and path[-1].startswith("nginx.ingress"):
                continue
            self.assertTrue(manifests(other) != usual, path)

    def test_what_is_wrong_is_said(self):
        def refused(values, part):
            with self.assertRaises(helm_python.HelmError) as caught:
                manifests(values)
            self.assertIn(part, str(caught.exception))
        refused({}, "database.address must say where PostgreSQL is")
        refused(LEAST | {"nodez": 3}, "nodez")
        refused(LEAST | {"nodes": "three"}, "/nodes")
        refused(LEAST | {"unavailableMax": 0}, "/unavailableMax")
        refused({"database": {"address": "postgresql://hearth:word@db/hearth"}}, "has a password")
        refused({"database": {"address": "host=db password=word"}}, "has a password")
        refused({"database": LEAST["database"] | {"authoritySecret": "a", "authorityConfigMap": "b"}}, "name one")
        refused(LEAST | {"ingress": {"enabled": True}}, "ingress.host must say")

    def test_secrets_are_named_and_never_written(self):
        variables = {one["name"]: one for one in pod(ALL)["containers"][0]["env"]}
        for name, secret in {"PGPASSWORD": ("db", "word"), "HEARTH_SIGNING_KEYS": ("signing", "both"),
                             "HEARTH_PUBLIC_CLIENT_KEY": ("apps", "one")}.items():
            self.assertEqual(variables[name]["valueFrom"]["secretKeyRef"], dict(zip(("name", "key"), secret)))
        self.assertNotIn("Secret", {kind for kind, _ in manifests(ALL)})

    def test_other_settings_replace_the_nodes(self):
        def annotations(values):
            return manifests(values)["StatefulSet", "home-hearth"]["spec"]["template"]["metadata"]["annotations"]
        self.assertNotEqual(annotations(LEAST), annotations(LEAST | {"settings": {"retention": {"days": 7}}}))
        self.assertNotEqual(annotations(LEAST), annotations(LEAST | {"kinds": ALL["kinds"]}))
        self.assertEqual(annotations(LEAST), annotations(LEAST | {"nodes": 4}))

    def test_a_pod_has_the_time_that_the_program_takes(self):
        for values in (LEAST, ALL):
            one = pod(values)
            container = one["containers"][0]
            drain = next(int(other["value"]) for other in container["env"] if other["name"] == "HEARTH_DRAIN_GRACE")
            leave = int(container["lifecycle"]["preStop"]["exec"]["command"][1])
            self.assertGreaterEqual(one["terminationGracePeriodSeconds"], leave + drain + 15)
        probe = pod(LEAST)["containers"][0]["startupProbe"]
        # A migration may take ten minutes.
        self.assertGreater(probe["periodSeconds"] * probe["failureThreshold"], 600)

    def test_it_is_of_the_program(self):
        chart = yaml.safe_load(Path(CHART, "Chart.yaml").read_text())
        version = subprocess.run([HEARTH, "version"], check=True, capture_output=True, text=True).stdout
        self.assertEqual(version.split()[1], chart["appVersion"])
        image = (ROOT / "Dockerfile").read_text()
        self.assertIn(f"USER {pod(LEAST)['securityContext']['runAsUser']}\n", image)
        self.assertIn('ENTRYPOINT ["hearth"]', image)


class Pod:
    """A node as its pod runs it: the container's arguments, variables, files, probes and end, on this machine."""

    def __init__(self, values, name, folder, place):
        spec = pod(values)
        self.container, self.grace = spec["containers"][0], spec["terminationGracePeriodSeconds"]
        self.ports = {port["name"]: free_port() for port in self.container["ports"]}
        listens = {port["containerPort"]: self.ports[port["name"]] for port in self.container["ports"]}
        self.folder = f"{folder}/{name}"
        os.makedirs(f"{self.folder}/settings")
        shutil.copy(ROOT / "config/kinds.yaml", f"{self.folder}/settings")
        for file, text in manifests(values)["ConfigMap", "home-hearth"]["data"].items():
            Path(self.folder, "settings", file).write_text(text)
        # What differs on this machine: names of secrets, the database, where folders are, ports, and the host's name.
        environment = {one["name"]: re.sub(r":(80\d\d)$", lambda found: f":{listens[int(found[1])]}", one["value"])
                       for one in self.container["env"] if "value" in one and not one["name"].startswith("PG")}
        self.environment = environment | {
            "HEARTH_DATABASE": place, "HEARTH_SNAPSHOT_FOLDER": self.folder, "HEARTH_NODE_NAME": name,
            "HEARTH_CONFIG": f"{self.folder}/settings"}

    def run(self, *words):
        return subprocess.run([HEARTH, *words], capture_output=True, text=True, env=os.environ | self.environment)

    def start(self):
        with open(f"{self.folder}/log", "a") as log:
            self.process = subprocess.Popen([HEARTH, *self.container["args"]], env=os.environ | self.environment,
                                            stdout=log, stderr=log)
        return self

    def passes(self, probe):
        """As the kubelet asks: by the pod's address, which stands in `Host`."""
        asked = self.container[probe]["httpGet"]
        port = self.ports[asked["port"]]
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=self.container[probe]["timeoutSeconds"])
        try:
            connection.request("GET", asked["path"], headers={"Host": f"10.1.2.3:{port}"})
            return 200 <= connection.getresponse().status < 400
        except OSError:
            return False
        finally:
            connection.close()

    def end(self):
        self.process.terminate()
        return self.process.wait(self.grace)

    def kill(self):
        self.process.kill()
        self.process.wait()

    def said(self):
        return Path(self.folder, "log").read_text()


class PodsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="hearth-chart-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        os.chmod(self.folder, 0o755)

    def test_the_program_knows_every_setting(self):
        for values in (LEAST, ALL):
            node = Pod(values, f"of{values['database'].get('passwordSecret')}", self.folder, ADDRESS)
            printed = node.run("serve", "--print-config")
            self.assertEqual(printed.returncode, 0, printed.stderr)
            # HEARTH_CONFIG alone is no setting.
            self.assertEqual(printed.stdout.count("# environment"), len(node.environment) - 1, printed.stdout)
        self.assertRegex(printed.stdout, r"retention\.days +7 ")
        self.assertEqual(Pod(ALL, "valid", self.folder, ADDRESS).run("validate").returncode, 0)

    def test_three_pods_start_at_once_serve_and_are_replaced_while_older_ones_are_refused(self):
        server = PostgreSQL(f"{self.folder}/postgresql").make()
        self.addCleanup(server.end)
        # On an empty database, all at once: one of them makes the tables.
        nodes = [Pod(LEAST, f"home-hearth-{number}", self.folder, server.place).start() for number in range(3)]
        self.addCleanup(lambda: [node.kill() for node in nodes])
        for node in nodes:
            until(60, node.said(), lambda: node.passes("startupProbe"))
            self.assertTrue(node.passes("readinessProbe") and node.passes("livenessProbe"))
        token = run_hearth(HEARTH, server.place, self.folder, "token", "create", "--name", "a", "--role", "admin")
        run_hearth(HEARTH, server.place, self.folder, "demo")
        admin = f"127.0.0.1:{nodes[0].ports['admin']}"
        # By the name of the Service, as from within the cluster; not by a stranger's.
        fields = {"Authorization": f"Bearer {token}", "Host": "home-hearth-admin.apps.svc:8081"}
        until(30, "all are listed", lambda: ask(admin, "GET", "/admin/v1/nodes", fields=fields)[2]["alive"] == 3)
        status = ask(admin, "GET", "/admin/v1/nodes", fields=fields | {"Host": "home.example.com"})[0]
        self.assertEqual(status, 421)

        def polled(node):
            return ask(f"127.0.0.1:{node.ports['public']}", "GET", "/v1/home?locale=en")[0]
        until(30, "all serve the demo", lambda: {polled(node) for node in nodes} == {200})

        # A pod is replaced: it ends by itself, within its time.
        self.assertEqual(nodes[2].end(), 0, nodes[2].said())
        nodes[2].start()
        until(60, "it is back", lambda: nodes[2].passes("readinessProbe"))

        # A program that a migration does not allow any more never becomes ready, and the others go on.
        server.psql("INSERT INTO migrations SELECT max(number) + 1, 'of a newer program', '', 0, max(number) + 1"
                    " FROM migrations")
        self.assertEqual(nodes[2].end(), 0)
        nodes[2].start()
        self.assertEqual(nodes[2].process.wait(60), 78, nodes[2].said())
        self.assertTrue(all(node.passes("readinessProbe") and polled(node) == 200 for node in nodes[:2]))
        # They stay what they were when PostgreSQL is gone.
        server.stop()
        self.assertTrue(all(node.passes("readinessProbe") and node.passes("livenessProbe") for node in nodes[:2]))
        self.assertEqual([node.end() for node in nodes[:2]], [0, 0])


if __name__ == "__main__":
    unittest.main()
