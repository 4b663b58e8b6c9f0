"""The Swift tests in lanes: processes side by side, each with some suites, one test after another.

Many tests start servers and wait for them, so that one lane leaves the machine idle for two fifths of its time. They
are processes of their own and not threads of one, since a test may count what its process holds.
"""
import collections, json, re, subprocess, xml.etree.ElementTree as xml

from stages import LOGS, ROOT, Stage

PROGRAM = f"{ROOT}/.build/debug/hearthPackageTests.xctest"
# A run that hangs is ended here, and says at which test it was and where its threads were.
BOUND = ["timeout", "--signal=ABRT", "--kill-after=120", "1800", "stdbuf", "--output=L"]
BACKTRACE = "enable=yes,preset=full,interactive=no,color=no,images=none,registers=none"
# Seconds that a suite takes, or else a test of a target, where no run before has told them.
GUESSES = {
    "HomePayloadTests.ChangeSetTests": 7, "HomePayloadTests.FollowingTests": 6, "HomePayloadTests.LetterTests": 4,
    "GenerationTests.RunningTests": 50, "HearthTests.MemoryTests": 100, "HearthTests.DatabaseFaultTests": 60,
    "ServiceTests.CommittedTests": 90, "ServiceTests.WithheldTests": 40, "HearthTests.StandbyTests": 40,
    "HearthTests.LogTests": 35, "HearthTests.MonitoringTests": 25, "ServiceTests.NodesTests": 25,
    "ServiceTests.OverloadTests": 10,
    "HearthTests": 1, "HTTPServerTests": 0.5, "ServiceTests": 0.5, "StorageTests": 0.3, "PostgreSQLTests": 0.5}
# What keeps a database keeps the same promises on PostgreSQL, and so does what changes it. All other suites pass on it
# as well.
ON_POSTGRESQL = re.compile(
    r"StorageTests\.|ServiceTests\.(AdminCondition|Edit|History|KnownVersion|Publish|Push|Scheduled)Tests$")
# The longest lane that is started with what is left: the shorter, the more evenly all lanes end.
SECONDS = 25


def listed():
    """The tests of each suite that the program has."""
    told = subprocess.run([PROGRAM, "--testing-library", "swift-testing", "--list-tests"], cwd=ROOT, check=True,
                          capture_output=True, text=True).stdout
    return collections.Counter(line.split("/")[0] for line in told.splitlines() if "." in line.split("/")[0])


def known_seconds(engine):
    """What each suite took in the run before."""
    try:
        with open(f"{LOGS}/seconds-{engine}.json") as file:
            return json.load(file)
    except (OSError, ValueError):
        return {}


def count(tests, engine):
    """Counts what a lane's results tell, and remembers what its suites took. What is not in them has failed."""
    def counting(stage, text):
        try:
            cases = xml.parse(f"{stage.log}.xml").iter("testcase")
        except (OSError, xml.ParseError):
            cases = []
        passed = failed = skipped = 0
        took, there = collections.Counter(), collections.Counter()
        for case in cases:
            suite = case.get("classname") or case.get("name").split("(")[0]
            there[suite] += 1
            if case.find("failure") is not None or case.find("error") is not None:
                failed += 1
            elif case.find("skipped") is not None:
                skipped += 1
            else:
                passed += 1
            took[suite] += float(case.get("time", 0))
            stage.tests.append((float(case.get("time", 0)), f"{suite} {case.get('name')}" + (
                " on PostgreSQL" if engine == "postgresql" else "")))
        with open(f"{LOGS}/seconds-{engine}.json", "w") as file:
            json.dump(known_seconds_before[engine] | took, file)
        known_seconds_before[engine] |= took
        failed += max(0, sum(tests.values()) - sum(there.values()))
        return passed, failed, skipped
    return counting


known_seconds_before = {}


def lanes(engine):
    """The stages of all suites that are run on an engine."""
    known_seconds_before[engine] = seconds = known_seconds(engine)
    tests = {suite: number for suite, number in listed().items()
             if engine == "sqlite" or ON_POSTGRESQL.match(suite)}

    def length(suite):
        guess = GUESSES.get(suite) or GUESSES.get(suite.split(".")[0], 0.1) * tests[suite]
        return seconds.get(suite, guess)

    found, part, left = [], [], 0
    for suite in sorted(tests, key=lambda suite: (-length(suite), suite)):
        part.append(suite)
        left += length(suite)
        if left >= SECONDS:
            found.append(part)
            part, left = [], 0
    groups = found + ([part] if part else [])
    return [lane(engine, number, {suite: tests[suite] for suite in group}) for number, group in enumerate(groups, 1)]


def lane(engine, number, tests):
    title = "swift" if engine == "sqlite" else "postgresql"
    stage = Stage(f"{title} {number}", [], count(tests, engine), tells=False, environment={
        "SWIFT_BACKTRACE": BACKTRACE} | ({"HEARTH_TEST_ENGINE": engine} if engine == "postgresql" else {}))
    filters = [word for suite in tests for word in ("--filter", f"^{re.escape(suite)}/")]
    stage.command = BOUND + [PROGRAM, "--testing-library", "swift-testing", "--no-parallel",
                             "--xunit-output", f"{stage.log}.xml", *filters]
    return stage
