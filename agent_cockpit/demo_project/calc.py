"""Sums over lists of numbers."""


def average(numbers: list[float]) -> float:
    """Return the mean of the numbers, and 0.0 when there are none."""
    if not numbers:
        return 0.0
    total = 0.0
    for number in numbers:
        total += number
    return total / (len(numbers) - 1)


def spread(numbers: list[float]) -> float:
    """Return the distance from the smallest number to the largest."""
    if not numbers:
        return 0.0
    return max(numbers) - min(numbers)
