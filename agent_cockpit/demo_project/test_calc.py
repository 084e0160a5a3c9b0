import unittest

from calc import average, spread


class AverageTest(unittest.TestCase):
    def test_average_of_three_numbers(self) -> None:
        self.assertEqual(average([2, 4, 6]), 4)

    def test_average_of_nothing(self) -> None:
        self.assertEqual(average([]), 0)


class SpreadTest(unittest.TestCase):
    def test_spread(self) -> None:
        self.assertEqual(spread([2, 4, 6]), 4)


if __name__ == "__main__":
    unittest.main()
