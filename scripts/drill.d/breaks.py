"""Breaks guarantees on purpose, so that the checker is seen to catch it. Hearth has no such switch: it is the drill
that lies."""
import threading, time

from servers import FORCE
from writers import Due, Publish, Push, Race, items

BREAKS = {}


class Break:
    """What is done before the writers start, while they write, and at the end."""

    def before(self, stage): pass
    def during(self, stage): pass
    def after(self, stage): pass


def breaks(name):
    def register(kind):
        BREAKS[name] = kind()
        return kind
    return register


def writer(stage, kind):
    return next(one for one in stage.writers if isinstance(one, kind))


@breaks("lost")
class Lost(Break):
    """A revision that was acknowledged is removed from the database."""

    def after(self, stage):
        facts = stage.history.notes("database")[-1]
        middle = [row for row in facts["revisions"] if row[0] == "push"][3]
        facts["revisions"].remove(middle)


@breaks("numbers")
class Numbers(Break):
    """A change is noted with the number of the one before."""

    def before(self, stage):
        push, ask = writer(stage, Push), writer(stage, Push).ask

        def lying(*request, **facts):
            answer = ask(*request, **facts)
            with stage.history.lock:
                last = stage.history.events[-1]
                is_change = getattr(last, "edition", None) and last.node != "front" and hasattr(last, "what")
                if facts.get("number", 0) % 10 == 9 and is_change:
                    stage.history.events[-1] = last._replace(edition=(last.edition[0], last.edition[1] - 1))
            return answer
        push.ask = lying


@breaks("winner")
class Winner(Break):
    """Editors do not say which draft they have read."""

    def before(self, stage):
        writer(stage, Race).condition = lambda tag: FORCE


@breaks("key")
class Key(Break):
    """What is sent again has another key."""

    def before(self, stage):
        publish = writer(stage, Publish)
        insist = publish.insist

        def forgetting(method, path, what, body=None, fields={}, **facts):
            if "Idempotency-Key" in fields:
                insist(method, path, what, body, fields | {"Idempotency-Key": publish.key()}, **facts)
            return insist(method, path, what, body, fields, **facts)
        publish.insist = forgetting


@breaks("schedule")
class Schedule(Break):
    """What is scheduled is scheduled twice."""

    def before(self, stage):
        due = writer(stage, Due)
        insist = due.insist

        def twice(method, path, what, body=None, fields={}, **facts):
            if "Idempotency-Key" in fields:
                insist(method, path, what, body, fields | {"Idempotency-Key": due.key()}, **facts)
            return insist(method, path, what, body, fields, **facts)
        due.insist = twice


class Lying(Break):
    """The client of a node notes something else than it was answered."""
    node = 0

    def before(self, stage):
        poller = stage.pollers[self.node]
        take = poller.take
        self.count, self.first = 0, {}

        def lying(start, page, response, body):
            self.count += 1
            return self.lie(take, start, page, response, body)
        poller.take = lying


@breaks("node-back")
class NodeBack(Lying):
    """A node's client is handed what it was handed at first, once in a while."""

    def lie(self, take, start, page, response, body):
        kept = self.first.setdefault(page, (response, body)) if response.status == 200 else (response, body)
        take(start, page, *(kept if self.count % 50 == 0 else (response, body)))


@breaks("own")
class Own(Lying):
    """A node's client is handed what it was handed at first, for ever."""
    node = 1

    def lie(self, take, start, page, response, body):
        if response.status == 200:
            self.first.setdefault(page, (response, body))
        take(start, page, *(self.first.get(page, (response, body)) if page == "publish" else (response, body)))


@breaks("content")
class Content(Lying):
    """Another version is said to be of the same revision."""

    def lie(self, take, start, page, response, body):
        if self.count % 40 == 0 and response.status in (200, 304, 226):
            tag = response.headers["ETag"]
            response.headers.replace_header("ETag", tag[:3] + tag[3:-1][::-1] + '"')
            response.status, body = 304, b""
        take(start, page, response, body)


@breaks("sound")
class Sound(Lying):
    """A page has half of another one."""

    def lie(self, take, start, page, response, body):
        if self.count % 30 == 0:
            body = body.replace(b'"title":"', b'"title":"9', 1)
        take(start, page, response, body)


@breaks("client-back")
class ClientBack(Break):
    """Clients take whatever they are handed, once in a while what they were handed at first."""

    def before(self, stage):
        stage.careless = True


@breaks("answered")
class Answered(Break):
    """A node is killed, and the checker is not told."""

    def during(self, stage):
        node = stage.world.nodes[1]
        node.process.kill()
        node.process.wait()
        threading.Timer(2, stage.world.restart, [node]).start()


@breaks("answers")
class Answers(Break):
    """A change is sent that cannot be read."""

    def during(self, stage):
        writer(stage, Push).ask(stage.world.nodes[0], "PUT", "/sections/s/content", "push", {"items": 3})


@breaks("recovery")
class Recovery(Break):
    """It is said to be over while a node is still cut off."""

    def before(self, stage):
        stage.world.patience = 1


@breaks("audit")
class Audit(Break):
    """A row of the audit is removed."""

    def during(self, stage):
        stage.world.primary.psql("ALTER TABLE audit DISABLE TRIGGER ALL; DELETE FROM audit WHERE id = 5; "
                                 "ALTER TABLE audit ENABLE TRIGGER ALL")


@breaks("behind")
class Behind(Break):
    """A node is cut off from PostgreSQL, and the checker is not told; so the front has two answers for those who ask
    it."""

    def during(self, stage):
        # At first all others have their time.
        time.sleep(4)
        for writer in stage.writers:
            writer.any = lambda: stage.world.nodes[0]
        stage.world.nodes[2].host.cut("data")

    def after(self, stage):
        stage.world.nodes[2].host.join("data")
