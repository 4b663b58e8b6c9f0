"""Rounds of scripts/race over several nodes of one PostgreSQL."""
import random, time
from concurrent.futures import ThreadPoolExecutor

from cluster import Cluster
from servers import FORCE, must
from watcher import Watcher


class Race:
    def __init__(self, cluster, counts, draw):
        self.cluster, self.counts, self.draw, self.violations = cluster, counts, draw, cluster.violations
        self.server, self.nodes, self.token = cluster.server, cluster.nodes, cluster.token
        self.threads = ThreadPoolExecutor(24)

    def play(self, rounds):
        watchers = [Watcher(node, 0.02, self.violations) for node in self.nodes]
        for self.number in range(rounds):
            self.editors()
            self.one_key()
            self.publishes()
            self.pushes()
            live = int(self.server.psql("SELECT live FROM pages WHERE id = 'home'"))
            for watcher in watchers:
                watcher.wait(live)
            if self.violations:
                break
        for watcher in watchers:
            watcher.end()
            self.counts["polls"] += watcher.polls
        gaps = self.server.psql("SELECT count(*) - max(id) FROM audit")
        if gaps != "0":
            self.violations.append(f"the audit's numbers have gaps: {gaps}")

    def wrong(self, what):
        self.violations.append(f"round {self.number}: {what}")

    def last(self):
        newest = must(self.nodes[0].ask(self.token, "GET", "/pages/home/revisions?limit=1"))["revisions"][0]
        return int(newest["revision"])

    def editors(self):
        """20 editors change one draft at the same moment, all with the tag that they have read."""
        _, fields, _ = self.draw.choice(self.nodes).ask(self.token, "GET", "/pages/home/draft")
        last = self.server.psql("SELECT max(id) FROM audit")
        sections = ["otc", "wallet", "middleAd", "localService"]
        moves = [(self.draw.choice(self.nodes), self.draw.choice(sections), {self.draw.choice(["first", "last"]): True})
                 for _ in range(20)]
        act = lambda node, section, place: node.ask(
            self.token, "POST", f"/pages/home/sections/{section}/move", place, {"If-Match": fields["ETag"]})[0]
        answers = list(self.threads.map(lambda move: act(*move), moves))
        # A move to where the section is already changes nothing, so that its tag stays good.
        others = [status for status in answers if status not in (200, 412)]
        changes = int(self.server.psql(f"SELECT count(*) FROM audit WHERE id > {last} AND page = 'home'"))
        if others or changes > 1 or 200 not in answers:
            self.wrong(f"{changes} editors won, answers {sorted(answers)}")
        self.counts["races of 20 editors"] += 1

    def one_key(self):
        """One request with one key goes to all nodes at the same moment: it happens once, and its answer is true
        everywhere."""
        key = {"Idempotency-Key": "%032x" % self.draw.getrandbits(128), **FORCE}
        self.cluster.touch(self.nodes[-1], f"{self.number}/key")
        before = self.last()

        def publish(node):
            while True:
                status, _, body = node.ask(self.token, "POST", "/pages/home/publish", {}, key)
                # Another request with this key runs on this node.
                if status != 409:
                    return status, body
                time.sleep(0.01)
        answers = list(self.threads.map(publish, self.nodes * 2))
        made = {body.get("revision") for _, body in answers}
        if made != {before + 1} or self.last() != before + 1:
            self.wrong(f"one key made {made} after {before}, and {self.last()} is the last: {answers}")
        self.counts["keys on all nodes"] += 1

    def publishes(self):
        """All nodes publish at the same moment, while what is scheduled comes due."""
        at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 2))
        due_before = self.due()
        must(self.nodes[0].ask(self.token, "POST", "/pages/home/scheduled", {"at": at}, FORCE))
        body = {"waiting": "leave"}
        answers = list(self.threads.map(
            lambda node: node.ask(self.token, "POST", "/pages/home/publish", body, FORCE), self.nodes * 4))
        made = [body.get("revision") for _, _, body in answers]
        if len(made) != len(set(made)) or any(status != 200 for status, _, _ in answers):
            self.wrong(f"publishes made {made}: {[status for status, _, _ in answers]}")
        while must(self.nodes[-1].ask(self.token, "GET", "/pages/home/scheduled"))["scheduled"]:
            time.sleep(0.05)
        if self.due() != due_before + 1:
            self.wrong(f"what was scheduled went live {self.due() - due_before} times")
        self.counts["publishes"] += len(made)
        self.counts["scheduled publishes"] += 1

    def due(self):
        return int(self.server.psql("SELECT count(*) FROM revisions WHERE kind = 'scheduled'"))

    def pushes(self):
        """Sources put the content of the same section live on all nodes: what each was answered is a revision of its
        own."""
        content = must(self.nodes[0].ask(self.token, "GET", "/pages/home/sections/middleNav/content"))

        def push(pair):
            number, node = pair
            first, *others = content["items"]
            mine = {"items": [{**first, "action": {"url": f"app://push/{self.number}/{number}"}}, *others]}
            return node.ask(self.token, "PUT", "/pages/home/sections/middleNav/content?publish=true", mine)
        answers = list(self.threads.map(push, enumerate(self.nodes * 2)))
        editions = [fields["Hearth-Revision"] for _, fields, _ in answers]
        if any(status != 200 for status, _, _ in answers) or len(set(editions)) != len(editions):
            self.wrong(f"pushes made {editions}: {[status for status, _, _ in answers]}")
        self.counts["pushes"] += len(answers)


def race(hearth, count, rounds, seed, counts, violations, is_pooled):
    with Cluster(hearth, count, violations, is_pooled) as cluster:
        Race(cluster, counts, random.Random(seed)).play(rounds)
