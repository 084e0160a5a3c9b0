"""Print the sums of the numbers on the command line."""

import sys

from calc import average, spread


def report(numbers: list[float]) -> str:
    """Return the report, one sum a line."""
    return f"average {average(numbers):g}\nspread  {spread(numbers):g}"


if __name__ == "__main__":
    print(report([float(word) for word in sys.argv[1:]]))
