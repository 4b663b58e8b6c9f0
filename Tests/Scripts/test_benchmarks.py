"""What scripts/bench says of its figures: when a goal is held, and which run measured a row."""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts" / "bench.d"))

from table import BEGIN, END, Row, bounds, parsed, written  # noqa: E402

MEASURES = ["sizes", "polls", "ripple"]


def document(between="\n"):
    return f"# Benchmarks\n\nProse.\n\n{BEGIN}{between}{END}\n\n## Below\n\nIt stays.\n"


class Verdicts(unittest.TestCase):
    def verdict(self, values, goal, **options):
        return Row("what", "", values, goal, **options).verdict

    def test_a_goal_beyond_all_rounds_is_held_or_missed(self):
        self.assertEqual(self.verdict([1.00, 1.01, 0.99, 1.02, 1.00], 1.05), "held")
        self.assertEqual(self.verdict([1.10, 1.11, 1.09, 1.12, 1.10], 1.05), "missed")
        self.assertEqual(self.verdict([1.10, 1.11, 1.09, 1.12, 1.10], 1.05, at_most=False), "held")
        self.assertEqual(self.verdict([1.00, 1.01, 0.99, 1.02, 1.00], 1.05, at_most=False), "missed")

    def test_a_goal_as_close_as_the_noise_is_not_decided_on_either_side(self):
        for values in ([1.00, 1.06, 0.99, 1.02, 1.00], [1.10, 1.11, 1.04, 1.12, 1.10]):
            self.assertEqual(self.verdict(values, 1.05), "not decided")
            self.assertEqual(self.verdict(values, 1.05, at_most=False), "not decided")

    def test_a_goal_that_is_met_exactly_is_held(self):
        self.assertEqual(self.verdict([1.05] * 5, 1.05), "held")
        self.assertEqual(self.verdict([1.05] * 5, 1.05, at_most=False), "held")

    def test_one_round_or_two_tell_nothing_of_noise_unless_there_is_none(self):
        for values in ([1.00], [2.00], [1.00, 1.00], [2.00, 2.00]):
            self.assertEqual(self.verdict(values, 1.05), "not decided")
        self.assertEqual(self.verdict([1.00] * 3, 1.05), "held")
        self.assertEqual(self.verdict([3910], 3950, exact=True), "held")
        self.assertEqual(self.verdict([3951], 3950, exact=True), "missed")

    def test_without_a_goal_nothing_is_decided(self):
        self.assertEqual(self.verdict([1.00] * 5, None), "no goal")

    def test_bounds_are_all_of_few_rounds_and_the_inner_ones_of_many(self):
        self.assertEqual(bounds([3]), (3, 3))
        self.assertEqual(bounds([3, 1, 2]), (1, 3))
        self.assertEqual(bounds([5, 3, 1, 2, 4]), (1, 5))
        self.assertEqual(bounds(range(1, 8)), (1, 7), "without the outermost two it would be 0.875")
        self.assertEqual(bounds(range(1, 10)), (2, 8))
        self.assertEqual(bounds(range(1, 101)), (41, 60))


class Tables(unittest.TestCase):
    def setUp(self):
        self.rows = {"sizes": [Row("bytes", "gzip'd 5", [4], 5, exact=True)],
                     "polls": [Row("a 200", "1 | 2 µs", [1.0, 1.1, 1.2], 1.05), Row("a 304", "", [1.0] * 3, 2)],
                     "ripple": [Row("p99.9", "", [1.5, 1.25, 1.375], 2)]}
        self.first = written(document(), MEASURES, self.rows, "commit aaa, at noon")

    def cells(self, text):
        between = text.split(BEGIN)[1].split(END)[0]
        rows, runs = parsed(between)
        return {row[1]: (row[3], row[6], runs[row[-1]]) for row in rows}, list(runs)

    def test_a_whole_run_writes_all_rows_with_itself(self):
        cells, runs = self.cells(self.first)
        self.assertEqual(cells, {
            "bytes": ("4", "held", "commit aaa, at noon"), "a 200": ("1.100", "not decided", "commit aaa, at noon"),
            "a 304": ("1", "held", "commit aaa, at noon"), "p99.9": ("1.375", "held", "commit aaa, at noon")})
        self.assertEqual(runs, ["1"])
        self.assertIn("| polls | a 200 | 1 / 2 µs | 1.100 | 3: 1 to 1.200 | ≤ 1.05 | not decided | 1 |", self.first)

    def test_what_is_not_between_the_markers_stays(self):
        self.assertTrue(self.first.startswith(f"# Benchmarks\n\nProse.\n\n{BEGIN}\n"))
        self.assertTrue(self.first.endswith(f"{END}\n\n## Below\n\nIt stays.\n"))
        self.assertRaises(ValueError, written, "# Benchmarks\n", MEASURES, self.rows, "commit aaa")
        self.assertRaises(ValueError, written, f"# Benchmarks\n{BEGIN}\n", MEASURES, self.rows, "commit aaa")

    def test_a_run_of_some_measurements_changes_their_rows_alone(self):
        again = {"polls": [Row("a 200", "", [1.0, 1.005, 1.01], 1.05)]}
        second = written(self.first, MEASURES, again, "commit bbb, at one")
        cells, runs = self.cells(second)
        self.assertEqual(cells, {
            "bytes": ("4", "held", "commit aaa, at noon"), "a 200": ("1.005", "held", "commit bbb, at one"),
            "p99.9": ("1.375", "held", "commit aaa, at noon")}, "a row that is measured no more is gone")
        self.assertEqual([cells for cells in self.cells(second)[0]], ["bytes", "a 200", "p99.9"], "the order stays")
        self.assertEqual(runs, ["1", "2"])
        # The run that no row is of any more is told no more.
        third = written(second, MEASURES, {name: self.rows[name] for name in ("sizes", "ripple")}, "commit ccc")
        cells, runs = self.cells(third)
        self.assertEqual([said for _, _, said in cells.values()], ["commit ccc", "commit bbb, at one", "commit ccc"])
        self.assertEqual(runs, ["1", "2"])

    def test_a_measurement_that_is_known_no_more_loses_its_rows(self):
        self.assertEqual(list(self.cells(written(self.first, ["polls"], {}, "commit bbb"))[0]), ["a 200", "a 304"])


class Document(unittest.TestCase):
    """docs/benchmarks.md, as it stands."""

    def test_every_row_is_of_a_run_that_is_told_and_of_a_measurement_that_there_is(self):
        text = (ROOT / "docs" / "benchmarks.md").read_text()
        rows, runs = parsed(text.split(BEGIN)[1].split(END)[0])
        measures = (ROOT / "scripts" / "bench.d" / "measure.py").read_text()
        for row in rows:
            self.assertEqual(len(row), 8, row)
            self.assertIn(f"def {row[0]}(", measures)
            self.assertIn(row[-1], runs)
            self.assertIn(row[6], ("held", "missed", "not decided", "no goal"))


if __name__ == "__main__":
    unittest.main()
