"""What scripts/test counts of what its stages print."""
import os, sys, unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../scripts/test.d"))
import counts


class CountsTest(unittest.TestCase):
    def test_what_failed_and_passes_alone_has_passed(self):
        once = "267 passed in 600.1s (0:10:00)\n"
        twice = "5 failed, 262 passed in 678.77s (0:11:18)\n5 passed, 262 deselected in 50.2s\n"
        self.assertEqual(counts.pytest(None, once), (267, 0, 0))
        self.assertEqual(counts.pytest(None, twice), (267, 0, 0))

    def test_what_fails_alone_too_has_failed(self):
        text = "2 failed, 264 passed, 1 skipped in 60.0s\n1 failed, 265 deselected in 9.0s\n"
        self.assertEqual(counts.pytest(None, text), (264, 1, 1))


if __name__ == "__main__":
    unittest.main()
