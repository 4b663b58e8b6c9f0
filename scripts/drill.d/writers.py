"""Who changes pages: each writer has one, and writes down what was acknowledged, and what is not known."""
import http.client, random, threading, time
from concurrent.futures import ThreadPoolExecutor

from history import Write, edition
from servers import FORCE, ask

# Longer than any change may take.
TIMEOUT = 70
# Answers after which it is known what happened. Of all others it is not.
KNOWN = {200, 201, 204, 304, 400, 401, 403, 404, 409, 412, 413, 415, 422, 428, 429}


def items(number, count=5):
    return [{"id": f"i{index}", "kind": "navigation", "content": {"title": str(number)},
             "action": {"url": f"app://{number}"}} for index in range(count)]


class Writer(threading.Thread):
    page, pause = None, 0.05

    def __init__(self, world, seed):
        super().__init__(daemon=True)
        self.world, self.history, self.draw, self.number = world, world.history, random.Random(seed), 0
        self.ends, self.path = threading.Event(), f"/pages/{self.page}"
        self.setup()

    def ask(self, node, method, path, what, body=None, fields={}, number=None, group=None):
        """One request, in the history with its answer; the status is 0 when none came."""
        start, head = time.monotonic(), {"Authorization": f"Bearer {self.world.token}", **fields}
        try:
            status, fields, answer = ask(
                node.addresses["admin"], method, f"/admin/v1{self.path}{path}", body, head, TIMEOUT)
        except (OSError, http.client.HTTPException, ValueError):
            status, fields, answer = 0, {}, {}
        answer = answer if isinstance(answer, dict) else {}
        revision = edition(fields.get("Hearth-Revision"))
        if method != "GET":
            self.history.append(Write(start, time.monotonic(), node.name, self.page, what, number, group, status,
                                      answer.get("code"), revision))
        return status, fields, answer

    def insist(self, *request, **facts):
        """Asks one node after the other until it is known what happened."""
        while not self.ends.is_set():
            answer = self.ask(self.any(), *request, **facts)
            if answer[0] in KNOWN and not (answer[0] == 409 and answer[2].get("code") == "history-cut"):
                return answer
            self.ends.wait(0.2)
        return 0, {}, {}

    def any(self):
        return self.draw.choice(self.world.nodes)

    def key(self):
        return "%032x" % self.draw.getrandbits(128)

    def setup(self):
        node = self.world.nodes[0]
        head = {"Authorization": f"Bearer {self.world.token}"}
        for path, body in (("", {"title": self.page, "defaultLocale": "en", "locales": ["en"], "pollInterval": 1}),
                           ("/sections/s", {"kind": "middleNav", "items": items(0)})):
            status, _, answer = ask(node.addresses["admin"], "PUT", f"/admin/v1{self.path}{path}", body,
                                    head | ({"If-None-Match": "*"} if not path else FORCE))
            assert 200 <= status < 300, answer
        self.ask(node, "POST", "/publish", "publish", {}, FORCE, 0, self.key())

    def run(self):
        while not self.ends.wait(self.pause):
            self.number += 1
            self.write()

    def end(self):
        self.ends.set()
        self.join(60)


class Push(Writer):
    """Content that goes live at once, sent once: what is not acknowledged may have happened."""
    page = "push"

    def write(self):
        self.ask(self.any(), "PUT", "/sections/s/content?publish=true", "push", {"items": items(self.number)},
                 number=self.number)


class Publish(Writer):
    """Publishes and rolls back with an Idempotency-Key, sent until an answer says what happened."""
    page = "publish"

    def setup(self):
        self.made = []
        super().setup()

    def write(self):
        key = self.key()
        fields = FORCE | {"Idempotency-Key": key} | ({"Prefer": "wait=3"} if self.draw.random() < 0.5 else {})
        if len(self.made) > 2 and self.draw.random() < 0.25:
            revision, number = self.draw.choice(self.made[-5:])
            body, what = {"revision": revision, "message": key}, "rollback"
        else:
            status, _, _ = self.insist("PUT", "/sections/s/content", "edit", {"items": items(self.number)}, FORCE)
            if status != 200:
                return
            number, body, what = self.number, {"message": key}, "publish"
        status, _, answer = self.insist("POST", f"/{what}", what, body, fields, number=number, group=key)
        if status == 200:
            self.made.append((answer["revision"], number))
            if (nodes := answer.get("nodes")) and nodes["serving"] == nodes["of"] == len(self.world.nodes):
                self.history.add("served by all", page=self.page, key=key)
            if self.draw.random() < 0.3:
                # The same request once more, to another node: the same answer.
                self.insist("POST", f"/{what}", what, body, fields, number=number, group=key)
        elif status == 404:
            # It was of a history that has been cut.
            self.made.clear()


class Race(Writer):
    """Editors on all nodes who have read the same draft: one of them wins. What the winner wrote is published."""
    page, pause = "race", 0.3

    def setup(self):
        self.pool, self.count = ThreadPoolExecutor(6), 0
        super().setup()

    def write(self):
        status, fields, _ = self.ask(self.any(), "GET", "/sections/s/content", "read")
        if status != 200:
            return
        # A tag of the content may come again with it: the numbers of the titles make each a new one.
        tag, editors = fields["ETag"], []
        for node in self.world.nodes * 2:
            self.count += 1
            editors.append(self.pool.submit(
                self.ask, node, "PUT", "/sections/s/content", "race", {"items": items(self.count)}, self.condition(tag),
                number=self.count, group=tag))
        for editor in editors:
            editor.result()
        self.ask(self.any(), "POST", "/publish", "publish", {}, FORCE)

    def condition(self, tag):
        return {"If-Match": tag}


class Due(Writer):
    """Publishes that come due some seconds later: each happens once, and not before its time."""
    page, pause = "due", 0.5

    def write(self):
        status, _, _ = self.insist("PUT", "/sections/s/content", "edit", {"items": items(self.number)}, FORCE)
        if status != 200:
            return
        at, key = int(time.time()) + self.draw.randrange(2, 6), self.key()
        body = {"at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at)), "message": key}
        status, _, answer = self.insist("POST", "/scheduled", "schedule", body, FORCE | {"Idempotency-Key": key},
                                        number=self.number, group=key)
        if status in (200, 201):
            self.history.add("scheduled", key=key, at=at, number=self.number, id=answer["id"], noted=time.monotonic())


WRITERS = [Push, Publish, Race, Due]
