"""How many tests a log tells of, by who wrote it: each returns how many passed, failed and were skipped."""
import re


def one(stage, text):
    """What is a single check tells by its status."""
    return (1, 0, 0) if stage.status == 0 else (0, 1, 0)


def total(pattern, text):
    return sum(int(found) for found in re.findall(pattern, text, re.M))


def node(stage, text):
    return tuple(total(rf"^(?:#|ℹ) {word} (\d+)$", text) for word in ("pass", "fail", "skipped"))


def pytest(stage, text):
    """What has failed is run once more (scripts/test-browser): that counts."""
    runs = re.findall(r"^=* ?(\d+ .* in [\d.]+s.*)$", text, re.M)
    passed, failed, skipped = (
        [total(rf"\b(\d+) {word}", one) for one in runs] for word in ("passed", "(?:failed|errors?)", "skipped"))
    return sum(passed), sum(failed[-1:]), sum(skipped[:1])


def browser(stage, text):
    """The console's own tests in node, and those in the browser, the slowest of which are told (--durations)."""
    for seconds, name in re.findall(r"^([\d.]+)s call +\S*/(\S+)$", text, re.M):
        stage.tests.append((float(seconds), name))
    return tuple(map(sum, zip(node(stage, text), pytest(stage, text))))


def unittest(stage, text):
    failed, skipped = total(r"(?:failures|errors)=(\d+)", text), total(r"skipped=(\d+)", text)
    return total(r"^Ran (\d+) test", text) - failed - skipped, failed, skipped


def marks(stage, text):
    """A line for each, with a mark before it."""
    return len(re.findall("^✔", text, re.M)), len(re.findall("^✘", text, re.M)), 0


def table(stage, text):
    """A row for each drill of scripts/faults."""
    rows = [line for line in text.splitlines() if re.match(r"\| [a-z-]+ \| ", line)][1:]
    failed, skipped = sum("| FAILED: " in row for row in rows), sum("| skipped: " in row for row in rows)
    return len(rows) - failed - skipped, failed, skipped
