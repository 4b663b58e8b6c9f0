"""What is broken: each fault breaks one thing for some seconds, and mends it."""
import contextlib, os, signal, subprocess, threading, time

from history import Fault
from servers import ROOT, ask, until

FAULTS = {}


def fault(name, weight=2, of="node"):
    """Of what it breaks one thing at a time: a node, PostgreSQL, or all of it."""
    def register(function):
        FAULTS[name] = (function, weight, of)
        return function
    return register


class Breaker:
    """Breaks what a seed says, one or two things at a time, and waits in between until all is well."""

    def __init__(self, world, draw, names=None):
        self.world, self.draw, self.history = world, draw, world.history
        self.faults = {name: FAULTS[name] for name in names or FAULTS}
        self.failures, self.began = [], time.monotonic()

    def play(self, end):
        # Each once in an order of the seed, and then what the seed draws: a short run has all of them too, as far as it
        # gets.
        queue = list(self.faults)
        self.draw.shuffle(queue)
        while time.monotonic() < end and not self.failures:
            name = queue.pop() if queue else self.choose(self.faults)
            others = [other for other in self.faults
                      if {self.faults[other][2], self.faults[name][2]} == {"node", "database"}]
            names = [name]
            if others and self.draw.random() < 0.25:
                names.append(queue.pop(queue.index(other)) if (other := self.draw.choice(others)) in queue else other)
            self.break_(names)
            time.sleep(self.draw.uniform(1, 2.5))

    def choose(self, faults):
        return self.draw.choices(list(faults), [faults[name][1] for name in faults])[0]

    def break_(self, names):
        start, away, behind = time.monotonic(), set(), set()
        # Whatever is drawn is drawn here, and not in a thread, so that a seed draws the same again.
        breaks = [self.faults[name][0](self.world, self.draw, away, behind) for name in names]
        threads = [threading.Thread(target=self.run, args=(name, steps)) for name, steps in zip(names, breaks)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        mended = time.monotonic()
        try:
            recovery = self.world.settle()
        except TimeoutError as error:
            self.failures.append(f"after {' and '.join(names)}: {error}")
            recovery = time.monotonic() - mended
        print(f"{time.monotonic() - self.began:6.0f} s  {' and '.join(names)} ({', '.join(sorted(away | behind))}); "
              f"well again {recovery:.1f} s after it was over", flush=True)
        for name in names:
            fault = Fault(start, time.monotonic(), name, tuple(sorted(away)), tuple(sorted(behind)), recovery)
            self.history.append(fault)

    def run(self, name, steps):
        try:
            for step in steps:
                step()
        except Exception as error:
            logs = "\n".join(f"{server.name}:\n{server.log()}" for server in (self.world.primary, self.world.standby))
            self.failures.append(f"{name}: {type(error).__name__}: {error} {getattr(error, 'stderr', '')}\n{logs}")


# A fault is a list of steps, one after the other; what a seed decides is drawn before the first of them.


def pausing(draw, least, most):
    seconds = draw.uniform(least, most)
    return lambda: time.sleep(seconds)


def everybody(world):
    return {node.name for node in world.nodes}


# Nodes


@fault("a node is killed", 4)
def node_killed(world, draw, away, behind):
    node, pause = draw.choice(world.nodes), pausing(draw, 0, 2)
    away.add(node.name)
    return [node.process.kill, node.process.wait, pause, lambda: world.restart(node)]


@fault("a node is stopped and goes on", 3)
def node_stopped(world, draw, away, behind):
    node, pause = draw.choice(world.nodes), pausing(draw, 1, 12)
    away.add(node.name)
    return [lambda: node.process.send_signal(signal.SIGSTOP), pause, lambda: node.process.send_signal(signal.SIGCONT)]


@fault("nodes are upgraded one by one")
def rolling_upgrade(world, draw, away, behind):
    nodes = draw.sample(world.nodes, len(world.nodes))
    away.update(everybody(world))

    def upgrade(node):
        node.process.terminate()
        status = node.process.wait(40)
        if status != 0:
            world.history.add("crash", node=node.name, line=f"ended with {status} after SIGTERM")
        world.restart(node)
        until(60, f"{node.name} is ready", lambda: world.well(node) is None)
        # The front passes over one that failed for ten seconds.
        time.sleep(0.5)
    return [lambda node=node: upgrade(node) for node in nodes]


@fault("all nodes are killed")
def nodes_killed(world, draw, away, behind):
    pause = pausing(draw, 0, 2)
    away.update(everybody(world))

    def kill():
        for node in world.nodes:
            node.process.kill()
        for node in world.nodes:
            node.process.wait()

    def start():
        threads = [threading.Thread(target=world.restart, args=(node,)) for node in world.nodes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return [kill, pause, start]


@fault("a node is cut off from PostgreSQL", 3)
def node_cut_off(world, draw, away, behind):
    node, pause = draw.choice(world.nodes), pausing(draw, 1, 10)
    behind.add(node.name)
    return [lambda: node.host.cut("data"), pause, lambda: node.host.join("data")]


@fault("a node is cut off from the front")
def node_out_of_sight(world, draw, away, behind):
    node, pause = draw.choice(world.nodes), pausing(draw, 1, 8)
    away.add(node.name)
    return [lambda: node.host.cut("web"), pause, lambda: node.host.join("web")]


@fault("a node's link to PostgreSQL is slow")
def node_slow(world, draw, away, behind):
    node, pause, rate = draw.choice(world.nodes), pausing(draw, 3, 8), draw.choice(["32kbit", "128kbit"])
    behind.add(node.name)
    return [lambda: node.host.slow("data", rate), pause, lambda: node.host.fast("data")]


@fault("a node's disk is full")
def node_full(world, draw, away, behind):
    node, pause = draw.choice(world.nodes), pausing(draw, 2, 5)
    behind.add(node.name)
    return [node.disk.fill, pause, node.disk.clear]


@fault("a node's clock jumps")
def node_clock(world, draw, away, behind):
    node, pause = draw.choice(world.nodes), pausing(draw, 3, 6)
    # Beyond what is due soon, beyond what keys are kept for, and beyond what retention keeps.
    seconds = draw.choice([-7_200, -3, 3, 7_200, 90_000, 3_456_000])

    def move(to):
        world.move_clock(node, to)
    return [lambda: move(seconds), pause, lambda: move(0)]


# PostgreSQL


@fault("PostgreSQL is killed", 3, "database")
def server_killed(world, draw, away, behind):
    pause = pausing(draw, 0, 6)
    behind.update(everybody(world))
    return [lambda: world.primary.kill(), pause, lambda: world.primary.start()]


@fault("PostgreSQL is stopped and goes on", 3, "database")
def server_stopped(world, draw, away, behind):
    pause = pausing(draw, 1, 12)
    behind.update(everybody(world))
    return [lambda: world.primary.send(signal.SIGSTOP), pause, lambda: world.primary.send(signal.SIGCONT)]


@fault("PostgreSQL is restarted", 2, "database")
def server_restarted(world, draw, away, behind):
    how, pause = draw.choice([signal.SIGINT, signal.SIGQUIT]), pausing(draw, 0, 2)
    behind.update(everybody(world))
    return [lambda: world.primary.stop(how), pause, lambda: world.primary.start()]


@fault("the primary is lost and the standby promoted", 3, "database")
def failover(world, draw, away, behind):
    pause = pausing(draw, 0, 3)
    behind.update(everybody(world))
    return [lambda: world.primary.kill(), pause, world.promote, world.follow]


@fault("the primary is cut off and the standby promoted", 2, "database")
def failover_by_a_cut(world, draw, away, behind):
    # It lives on where nobody sees it, and is ended before it is seen again.
    lost, pause = world.primary, pausing(draw, 1, 6)
    behind.update(everybody(world))
    return [lambda: (lost.host.cut("data"), lost.host.cut("copy")), pause, world.promote, pause, lost.kill,
            lambda: (lost.host.join("data"), lost.host.join("copy")), world.follow]


@fault("the standby is lost", 1, "database")
def standby_killed(world, draw, away, behind):
    pause = pausing(draw, 0, 4)
    behind.update(everybody(world))
    return [lambda: world.standby.kill(), pause, lambda: world.standby.start()]


@fault("the standby is cut off, and then the primary is lost", 2, "database")
def standby_cut_off(world, draw, away, behind):
    # What commits meanwhile is on the primary alone, and must not be acknowledged.
    lost, pause = world.primary, pausing(draw, 2, 8)
    behind.update(everybody(world))
    return [lambda: world.standby.host.cut("copy"), pause, lost.kill, lambda: world.standby.host.join("copy"),
            world.promote, world.follow]


@fault("PostgreSQL's disk is full", 1, "database")
def server_full(world, draw, away, behind):
    server, pause = world.primary, pausing(draw, 3, 6)
    behind.update(everybody(world))

    def mend():
        server.disk.clear()
        # It ends itself where not even its log can be written.
        if server.process.poll() is not None or not server.answers():
            with contextlib.suppress(OSError):
                server.kill()
            server.start()
    return [server.disk.fill, pause, mend]


@fault("all connections to PostgreSQL are ended", 2, "database")
def connections_ended(world, draw, away, behind):
    times = draw.randrange(1, 4)
    behind.update(everybody(world))
    end = lambda: world.primary.psql(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'hearth'", "postgres")
    return [end, lambda: time.sleep(0.7)] * times


@fault("nobody is notified", 2, "database")
def notifications_off(world, draw, away, behind):
    # The row is read every second all the same: nobody is behind by more than the bound.
    pause = pausing(draw, 4, 8)
    turn = lambda word: world.primary.psql(f"SET lock_timeout = '20s'; ALTER TABLE changes {word} TRIGGER ALL")
    return [lambda: turn("DISABLE"), pause, lambda: turn("ENABLE")]


@fault("the kinds are what no node can read", 1, "all")
def kinds_unreadable(world, draw, away, behind):
    # As a newer program writes them. Nothing can be published meanwhile, and what comes due stays.
    pause = pausing(draw, 3, 6)
    behind.update(everybody(world))

    def write(document):
        world.primary.psql(f"UPDATE kinds SET hash = reverse(hash), document = {document}, changed = changed + 1; "
                           "UPDATE changes SET number = number + 1")
    return [lambda: write("'{\"newer\": ' || document || '}'"), pause,
            lambda: write("substr(document, 11, length(document) - 11)")]


@fault("an old backup is restored, and the generation raised", 1, "all")
def backup_restored(world, draw, away, behind):
    before, after = pausing(draw, 2, 4), pausing(draw, 2, 4)
    behind.update(everybody(world))
    path, facts = f"{world.folder}/backup", {}

    def dump():
        # What is acknowledged from here on may be cut.
        facts["since"] = time.monotonic()
        with open(path, "wb") as file:
            words = ["pg_dump", "-h", world.primary.folder, "-U", "hearth", "-Fc", "hearth"]
            subprocess.run(words, check=True, stdout=file)

    def restore():
        psql = lambda sql: world.primary.psql(sql, "postgres")
        psql("CREATE DATABASE restored")
        with open(path, "rb") as file:
            words = ["pg_restore", "-h", world.primary.folder, "-U", "hearth", "-d", "restored"]
            subprocess.run(words, check=True, stdin=file)
        psql("ALTER DATABASE hearth ALLOW_CONNECTIONS false")
        psql("DROP DATABASE hearth WITH (FORCE)")
        psql("ALTER DATABASE restored RENAME TO hearth")
        facts["restored"] = time.monotonic()

    def is_refused(node):
        status, _, body = ask(node.addresses["admin"], "POST", "/admin/v1/pages/race/publish", {},
                              {"Authorization": f"Bearer {world.token}", "If-Match": "*"})
        return status == 409 and body["code"] == "history-cut"

    def raise_generation():
        until(30, "every node knows that history was cut", lambda: all(map(is_refused, world.nodes)))
        facts["known"] = time.monotonic()
        after()
        done = subprocess.run(
            [world.hearth, "generation", "raise", "--reason", "a drill", "--config", f"{ROOT}/config"],
            capture_output=True, text=True, env=os.environ | {
                "HEARTH_DATABASE": world.primary.place, "HEARTH_SNAPSHOT_FOLDER": f"{world.folder}/command"})
        assert done.returncode == 0, done.stderr
        world.history.add("cut", **facts, until=time.monotonic())

    def release():
        # All that is scheduled is held, until somebody has decided (docs/recover.md).
        node = world.nodes[0]
        path = "/pages/due/scheduled"
        for one in node.ask(world.token, "GET", path)[2]["scheduled"]:
            if one.get("held"):
                status, _, body = node.ask(world.token, "POST", f"{path}/{one['id']}/release", {})
                assert status == 200, body
    return [dump, before, restore, raise_generation, release]


# The front


@fault("the front is restarted", 1)
def front_restarted(world, draw, away, behind):
    def restart():
        world.front.terminate()
        world.front.wait(20)
        world.front = subprocess.Popen(world.front_words)
        until(20, "the front answers", world.front_answers)
    away.add("front")
    return [restart]
