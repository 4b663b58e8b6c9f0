"""What scripts/test runs once its tools are there: what is built, and then all tests side by side."""
import argparse, os, platform, sys

from counts import browser, marks, node, one, table, unittest
from stages import ROOT, Stage, run
import suites

# Everything is built once, for debugging, where assertions hold. scripts/prove and scripts/release build for release.
HEARTH = f"{ROOT}/.build/debug/hearth"
# Most stages wait half of their time.
ROOM = (os.cpu_count() or 1) + 2


def script(name, *words):
    return [f"{ROOT}/scripts/{name}", *words, "--hearth", HEARTH]


def builds(options):
    """The build, and the lint, which needs none; what is tested comes once the build is there."""
    build = Stage("build", ["swift", "build", "--build-tests"], one, 2, tells=False, again=False,
                  then=lambda: tests(options))
    return [build, Stage("lint", ["scripts/lint"], one, nice=4, again=False)]


def tests(options):
    """What needs the program. The longest come first: what is left at the end leaves a processor idle."""
    lanes = suites.lanes("sqlite") + suites.lanes("postgresql")
    if options.sanitize:
        lanes.append(Stage("sanitize", ["scripts/sanitize"], one, cores=ROOM, after=[one.name for one in lanes]))
    if options.swift:
        return lanes
    program = {"HEARTH": HEARTH}
    # It runs what has failed again by itself.
    screen = Stage("browser", ["scripts/test-browser", "--durations=20"], browser, environment=program, again=False)
    scripts = [
        Stage("drill", script("drill", "45", "--seed", "1"), one),
        Stage("clients", ["scripts/test-clients"], node, 2, environment=program),
        Stage("drill self-test", script("drill", "--self-test", "--seed", "1"), one),
        Stage("race over nodes", script("race", "3", "--nodes", "3", "--seed", "1"), one, 2),
        Stage("race behind a pooler", script("race", "1", "--nodes", "3", "--pooler", "--seed", "1"), one, 2),
        Stage("nodes", script("nodes", "--publishes", "20"), one, 2),
        # From itself, since a clone has no older one: each node is replaced while all are changed and polled.
        Stage("upgrade", [*script("upgrade", HEARTH)], one),
        Stage("simulate", [f"{ROOT}/scripts/simulate", "--skip-build", "--seconds", "10", "--seed", "7000"], one),
        Stage("crash", script("crash", "25", "--seed", "1"), one, 2),
        Stage("race", script("race", "100", "--seed", "1"), one, 2),
        Stage("hoard", script("hoard", "20", "--seed", "1"), one, 2),
        Stage("docs", [f"{ROOT}/scripts/test-docs", "--hearth", HEARTH], marks),
        Stage("scripts", ["python3", "-m", "unittest", "discover", "-s", "Tests/Scripts"], unittest),
        Stage("chart", ["scripts/test-chart"], unittest, environment=program),
        Stage("bucket", ["scripts/test-bucket"], unittest, environment=program),
        Stage("disk", script("disk", "2", "--seed", "1"), one),
        Stage("signatures", ["scripts/test-signatures"], unittest, environment=program),
    ]
    # It waits nearly all of its time.
    rest = [Stage("faults", script("faults", "--jobs", "3"), table, 0.5), *lanes, *scripts]
    # A person at a screen has the machine alone.
    for stage in rest:
        stage.nice = 4
    return [screen, *rest]


def tell_times(stages):
    print(f"\n{os.cpu_count()} cores of {processor()}, Linux {platform.release()}\n")
    print("| stage | seconds | of processors |\n|---|---|---|")
    rows = {}
    for stage in stages:
        name = "Swift tests" if stage.name.startswith("swift ") else \
            "Swift tests on PostgreSQL" if stage.name.startswith("postgresql ") else stage.name
        rows.setdefault(name, []).append(stage)
    for name, some in rows.items():
        took = max(one.began + one.seconds for one in some) - min(one.began for one in some)
        lanes = f" ({len(some)} lanes of {sum(one.seconds for one in some):.0f} s together)" if len(some) > 1 else ""
        print(f"| {name}{lanes} | {took:.0f} | {sum(one.processor for one in some):.0f} |")
    print("\n| test | seconds |\n|---|---|")
    for seconds, name in sorted((one for stage in stages for one in stage.tests), reverse=True)[:20]:
        print(f"| {name.replace('|', '')} | {seconds:.1f} |")
    print(flush=True)


def processor():
    with open("/proc/cpuinfo") as file:
        names = [line.split(":")[1].strip() for line in file if line.startswith("model name")]
    return names[0] if names else platform.machine()


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--timings", action="store_true")
    parser.add_argument("--sanitize", action="store_true")
    parser.add_argument("--swift", action="store_true")
    options = parser.parse_args()
    stages = run(builds(options), ROOM)
    passed = not any(stage.failed for stage in stages)
    if options.timings or not passed:
        tell_times([stage for stage in stages if stage.process])
    for stage in stages:
        for name in stage.names:
            print(f"{stage.name}: {name}")
    skipped = sum(stage.skipped for stage in stages)
    print(f"{sum(stage.passed for stage in stages)} passed, {sum(stage.failed for stage in stages)} failed"
          + (f", {skipped} skipped" if skipped else ""))
    sys.exit(0 if passed else 1)


if __name__ == "__main__":
    main()
