"""One run: the world, who changes and polls it, what breaks it, and what the database has at the end."""
import json, random, subprocess, time

from breaks import BREAKS
from checker import BOUND
from clients import PAGES, TARGET, Poller, RuleKeepers
from faults import Breaker
from servers import ask, until
from world import World
from writers import WRITERS


class Stage:
    def __init__(self, hearth, folder, history, seed):
        self.history, self.seed, self.careless = history, seed, False
        self.world = World(hearth, folder, history)
        self.writers = [kind(self.world, f"{seed} {kind.page}") for kind in WRITERS]
        self.pollers = [
            Poller(self.world, f"client of {node.name}", node.addresses["public"], node.name, f"{seed} {node.name}")
            for node in self.world.nodes]
        self.pollers.append(
            Poller(self.world, "client of the front", self.world.front_address, "front", f"{seed} front"))

    def begin(self):
        # The nodes first and the front last: what they do not have yet would make nginx leave them alone.
        for poller in self.pollers:
            for page in PAGES:
                until(30, "the first publishes are served",
                      lambda: ask(poller.address, "GET", TARGET.format(page))[0] == 200)
        self.pollers.append(RuleKeepers(self.world, 3, self.careless))
        for thread in self.pollers[:-1] + self.writers:
            thread.start()
        until(30, "the clients of the front have their first pages", self.pollers[-1].have_begun)

    def fail(self, what):
        self.history.add("failure", what=what)

    def end(self):
        for writer in self.writers:
            writer.ends.set()
        for writer in self.writers:
            writer.end()
        try:
            self.world.settle()
        except TimeoutError as error:
            self.fail(str(error))
        # What was answered last is to be polled for as well; and what was scheduled last is to come due.
        time.sleep(BOUND + 3)
        try:
            self.history.add("database", **facts(self.world.primary))
        except subprocess.SubprocessError as error:
            self.fail(f"the database cannot be read at the end: {error}")
        for poller in self.pollers:
            poller.ends.set()
        for poller in self.pollers:
            poller.end()


def facts(server):
    """What the database has, for the checker."""
    ask = lambda sql: json.loads(server.psql(f"SELECT coalesce(json_agg(found), '[]') FROM ({sql}) found"))
    title = """substring(d.document from '"title":"([^"]*)"')"""
    revisions = ask(f"""
        SELECT json_build_array(r.page, r.number, r.kind, r.message, {title}) AS row, r.made_at FROM revisions r
        LEFT JOIN revision_sections s ON s.page = r.page AND s.number = r.number
        LEFT JOIN section_documents d ON d.fingerprint = s.fingerprint ORDER BY r.page, r.number""")
    return {
        "revisions": [one["row"] for one in revisions],
        "scheduled": [one["row"] + [one["made_at"]] for one in revisions if one["row"][2] == "scheduled"],
        "waiting": [one["message"] for one in ask("SELECT message FROM scheduled_publishes")],
        "drafts": {one["page"]: one["title"] for one in ask(
            f"SELECT DISTINCT page, {title} AS title FROM items d")},
        # A raise of the generation goes on far above the numbers that were given before it.
        "gaps": int(server.psql("""
            SELECT count(*) FROM (SELECT action, id - lag(id, 1, 0::bigint) OVER (ORDER BY id) AS step FROM audit) steps
            WHERE step <> 1 AND action <> 'generation.raise'""")),
        "now": time.time(),
    }


def play(hearth, folder, history, seed, seconds, names, breaks):
    stage = Stage(hearth, folder, history, seed)
    try:
        for name in breaks:
            BREAKS[name].before(stage)
        stage.begin()
        history.add("begun")
        end = time.monotonic() + seconds
        if names == []:
            for name in breaks:
                BREAKS[name].during(stage)
            time.sleep(max(0, end - time.monotonic()))
        else:
            breaker = Breaker(stage.world, random.Random(seed), names)
            breaker.play(end)
            for failure in breaker.failures:
                stage.fail(failure)
        stage.end()
        for name in breaks:
            BREAKS[name].after(stage)
    finally:
        stage.world.end()
