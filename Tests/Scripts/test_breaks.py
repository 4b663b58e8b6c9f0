"""What scripts/simulate breaks on purpose is there to be broken."""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "scripts" / "simulate.d"))

from breaks import BREAKS  # noqa: E402


class BreaksTests(unittest.TestCase):
    def test_each_break_finds_what_it_breaks_once(self):
        for name, rule in BREAKS.items():
            with self.subTest(name):
                self.assertEqual((ROOT / rule.path).read_text().count(rule.old), 1)


if __name__ == "__main__":
    unittest.main()
