"""Stages of a run: commands that go side by side, each with a log of its own that is told when it ends."""
import os, re, signal, subprocess, sys, time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LOGS = f"{ROOT}/.build/test"
# Lines by which Swift Testing, pytest, node, unittest and scripts/faults name a test that failed.
NAMES = re.compile(r'✘ Test (?!run).* failed after|(?:FAILED|ERROR) |✖ .*ms\)|(?:FAIL|ERROR): |\| .*\| FAILED: ')


class Stage:
    """A command, and how its tests are counted.

    count: takes the log's text and the exit status, and returns how many passed, failed and were skipped.
    cores: how much of the machine it takes; what is started together takes two cores more than there are, since most
        stages wait half of their time.
    after: names of stages that have to pass before.
    then: what it makes possible: returns more stages, once it has passed.
    nice: by how much it leaves the processors to others.
    tells: whether its log is told although it passed.
    again: whether it is run once more, alone, if it failed beside others.
    """

    def __init__(self, name, command, count, cores=1, after=(), then=None, environment={}, nice=0, tells=True,
                 again=True):
        self.name, self.command, self.count, self.cores, self.after = name, list(command), count, cores, after
        self.then, self.environment, self.nice, self.tells, self.again = then, environment, nice, tells, again
        self.seconds, self.status, self.process = 0.0, None, None
        self.processor = 0.0  # seconds of processors that it and what it has waited for took
        self.passed = self.failed = self.skipped = 0
        self.tests = []  # (seconds, name) of each test that was timed
        self.names = []  # what its log says of each test that failed

    @property
    def log(self):
        return f"{LOGS}/{self.name.replace(' ', '-').replace('/', '-')}.log"

    def start(self):
        self.began = time.monotonic()
        # What works behind a server's loops has niceness 10 (docs/decisions/0038); tests and browsers have about that.
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                ["nice", "-n", str(self.nice + 9), *self.command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT, env=os.environ | self.environment, start_new_session=True)
        try:
            # Where each session is a group of its own to the scheduler, only what the group leaves to others counts.
            with open(f"/proc/{self.process.pid}/autogroup", "w") as group:
                group.write(str(self.nice))
        except OSError:
            pass

    def has_ended(self):
        ended, status, used = os.wait4(self.process.pid, os.WNOHANG)
        if not ended:
            return False
        self.status = self.process.returncode = os.waitstatus_to_exitcode(status)
        self.seconds, self.processor = time.monotonic() - self.began, used.ru_utime + used.ru_stime
        with open(self.log, errors="replace") as log:
            text = log.read()
        self.passed, self.failed, self.skipped = self.count(self, text)
        if self.status != 0 and self.failed == 0:
            self.failed = 1
        if self.status == 0 and self.passed + self.failed + self.skipped == 0:
            self.failed, text = 1, text + "\nno test was counted\n"
        self.names = [line.strip()[:300] for line in text.splitlines() if NAMES.match(line)] if self.failed else []
        self.tell(text)
        return True

    def tell(self, text):
        mark = "✘" if self.failed else "✔"
        counts = f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"
        print(f"{mark} {self.name}: {counts}, {self.seconds:.1f} s", flush=True)
        if self.failed:
            print(f"  ended with {self.status}; all of it is in {self.log}")
        if self.failed or self.tells:
            # What passed is counted; what happened to the rest is what a reader looks for.
            known = ("◇ ", "✔ Test ", "✔ Suite ", "↳ ")
            lines = [line for line in text.splitlines() if not line.startswith(known)]
            print("".join(f"  {line}\n" for line in lines[-400:]), end="", flush=True)

    def end(self):
        """Ends it and all that it has started, as an interrupt does."""
        for number in (signal.SIGINT, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, number)
                self.process.wait(20)
                return
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue


def run(stages, room):
    """Runs stages side by side, and returns all of them. They begin in their order: one that has no room yet keeps
    those behind it waiting. One whose stages before have failed has failed."""
    os.makedirs(LOGS, exist_ok=True)
    # Also where a shell has started it in the background, which has it ignore interrupts.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, interrupted)
    waiting, running, done = list(stages), [], {}
    stages = list(stages)
    try:
        while waiting or running:
            for stage in [stage for stage in running if stage.has_ended()]:
                running.remove(stage)
                done[stage.name] = stage
                if stage.then and not stage.failed:
                    more = stage.then()
                    stages += more
                    waiting += more
            for stage in list(waiting):
                before = [done.get(name) for name in stage.after]
                if any(one and one.failed for one in before):
                    waiting.remove(stage)
                    stage.failed, done[stage.name] = 1, stage
                    print(f"✘ {stage.name}: not run, since what it needs has failed", flush=True)
                elif all(before):
                    taken = sum(one.cores for one in running)
                    if taken and taken + stage.cores > room:
                        break
                    waiting.remove(stage)
                    stage.start()
                    running.append(stage)
            time.sleep(0.05)
        for stage in [stage for stage in stages if stage.failed and stage.process and stage.again]:
            run_alone(stage, running)
    finally:
        for stage in running:
            stage.end()
    return stages


def run_alone(stage, running):
    """What a stage comes to with the machine to itself counts: a shared machine may stop a test for seconds."""
    print(f"Once more, alone: {stage.name}", flush=True)
    names, stage.tests = stage.names or [stage.name], []
    os.replace(stage.log, f"{stage.log}.beside")
    stage.start()
    running.append(stage)
    while not stage.has_ended():
        time.sleep(0.05)
    running.remove(stage)
    if not stage.failed:
        stage.names = [f"failed beside others and passed alone: {name}" for name in names]


def interrupted(number, frame):
    sys.exit(128 + number)
