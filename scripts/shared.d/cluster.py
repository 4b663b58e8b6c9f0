"""Nodes of Hearth with the demo, on a PostgreSQL of their own or on what is named."""
import os, shutil, tempfile

from servers import FORCE, Node, PgBouncer, PostgreSQL, make_hearth, must, run_hearth


class Cluster:
    """Use it in a `with`: at its end all is gone."""

    def __init__(self, hearth, count, violations, is_pooled=False):
        self.hearth, self.count, self.violations, self.nodes = os.path.abspath(hearth), count, violations, []
        self.is_pooled, self.pooler = is_pooled, None

    def __enter__(self):
        self.folder = tempfile.mkdtemp(prefix="hearth-nodes-")
        os.chmod(self.folder, 0o755)
        self.server = PostgreSQL(f"{self.folder}/postgresql")
        try:
            self.server.make()
            if self.is_pooled:
                self.pooler = PgBouncer(self.server, f"{self.folder}/pooler")
            place = (self.pooler or self.server).place
            self.token = make_hearth(self.hearth, place, f"{self.folder}/command", "nodes")
            run_hearth(self.hearth, place, f"{self.folder}/command", "demo")
            for number in range(self.count):
                self.nodes.append(Node(self.hearth, place, f"{self.folder}/node{number}", says=self.heard).start())
        except BaseException:
            self.__exit__()
            raise
        return self

    def heard(self, line):
        if " error " in line or "Fatal" in line:
            self.violations.append(f"a node says: {line.strip()}")

    def __exit__(self, *_):
        for node in self.nodes:
            if node.process.poll() is None and (status := node.end()) != 0:
                self.violations.append(f"{node.name} ended with {status}")
        if self.pooler:
            self.pooler.end()
        self.server.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def touch(self, node, number):
        """Changes the draft of the home."""
        content = must(node.ask(self.token, "GET", "/pages/home/sections/middleNav/content"))
        content["items"][0]["action"] = {"url": f"app://nodes/{number}"}
        must(node.ask(self.token, "PUT", "/pages/home/sections/middleNav/content", content, FORCE))
