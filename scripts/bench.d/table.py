"""The table of docs/benchmarks.md: what a row says of its goal, and which run measured it."""
import math, statistics

BEGIN, END = "<!-- scripts/bench writes from here -->", "<!-- to here -->"
HEAD = ["--only", "what", "measured", "value", "rounds", "goal", "", "run"]
#: How sure the bounds of a median are to be; five rounds give 0.9375.
SURE = 0.92
#: Fewer rounds tell nothing of noise.
FEWEST = 3


class Row:
    """One figure.

    values: one for each round; exact: it is the same in every round, such as a number of bytes, and has no noise.
    goal: what it is held against, if anything; at_most: whether less is better.
    """

    def __init__(self, what, measured, values, goal=None, at_most=True, exact=False):
        self.what, self.measured, self.values, self.goal = what, measured, list(values), goal
        self.at_most, self.exact = at_most, exact

    @property
    def value(self):
        return statistics.median(self.values)

    @property
    def verdict(self):
        """A goal that is as close as the noise is neither held nor missed."""
        if self.goal is None:
            return "no goal"
        if len(self.values) < FEWEST and not self.exact:
            return "not decided"
        low, high = bounds(self.values)
        worst, best = (high, low) if self.at_most else (low, high)
        if is_within(worst, self.goal, self.at_most):
            return "held"
        return "not decided" if is_within(best, self.goal, self.at_most) else "missed"

    def cells(self, measure, run):
        low, high = bounds(self.values)
        rounds = "exact" if self.exact else f"{len(self.values)}: {number(low)} to {number(high)}"
        goal = "" if self.goal is None else f"{'≤' if self.at_most else '≥'} {self.goal:g}"
        cells = [measure, self.what, self.measured, number(self.value), rounds, goal, self.verdict, run]
        return [cell.replace("|", "/").replace("\n", " ") for cell in cells]


def is_within(value, goal, at_most):
    return value <= goal if at_most else value >= goal


def bounds(values):
    """Between which two of the values the true median is, as far as these rounds tell.

    It is below or above all of n values in one of 2^(n-1) cases, whatever the noise is like. Of many rounds the
    outermost are left out as long as what remains is sure enough; of few, all count, and the bounds are less sure.
    """
    ordered, left, chance = sorted(values), 0, 0.0
    while left < len(ordered) // 2:
        chance += math.comb(len(ordered), left) / 2 ** len(ordered)
        if 1 - 2 * chance < SURE:
            break
        left += 1
    outermost = max(left - 1, 0)
    return ordered[outermost], ordered[-1 - outermost]


def number(value):
    """With the digits that two readers would compare: three, and all before the point."""
    if value == int(value) and abs(value) < 1e15:
        return f"{value:.0f}"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.3f}"


def merged(text, measures, rows, run):
    """The text between the markers once a run has measured.

    text: what stands there; measures: the names of all measurements, in their order; rows: the rows of each measurement
    that was made; run: what the run says of itself. A measurement that was made takes the place of all of its rows from
    before; the others keep theirs, with the run that measured them. Runs are numbered by their age.
    """
    old_rows, old_runs = parsed(text)
    kept = [row for row in old_rows if row[0] in measures and row[0] not in rows]
    names = sorted({row[-1] for row in kept}, key=lambda name: int(name.split()[-1]))
    again = {name: str(number) for number, name in enumerate(names, 1)}
    runs = [(again[name], old_runs[name]) for name in names]
    if rows:
        runs.append((str(len(names) + 1), run))
    lines = [row[:-1] + [again[row[-1]]] for row in kept]
    lines += [row.cells(measure, runs[-1][0]) for measure, some in rows.items() for row in some]
    # What stood in an order keeps it: the sort is stable.
    lines.sort(key=lambda row: measures.index(row[0]))
    table = ["| " + " | ".join(cells) + " |" for cells in [HEAD, ["---"] * len(HEAD), *lines]]
    return "\n".join(["", *table, "", *[f"- Run {name}: {said}" for name, said in runs], ""])


def parsed(text):
    """The rows of a table, each a list of cells, and what each run says of itself."""
    rows, runs = [], {}
    for line in text.splitlines():
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip().strip("|").split(" | ")])
        elif line.startswith("- Run "):
            name, said = line.removeprefix("- Run ").split(": ", 1)
            runs[name] = said
    return rows[2:], runs


def written(document, measures, rows, run):
    """A document with what a run has measured between its markers, and all else as it is."""
    before, found, rest = document.partition(BEGIN)
    old, closed, after = rest.partition(END)
    if not found or not closed:
        raise ValueError(f"{BEGIN} and {END} do not both stand in the document")
    return before + BEGIN + merged(old, measures, rows, run) + END + after
