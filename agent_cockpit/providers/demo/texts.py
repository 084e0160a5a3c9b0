"""The longer texts of the scripted demo model."""

from __future__ import annotations

WHO = """\
I am the built-in demo: a script, not a language model. I need no key and no network, and \
everything that I ask for really happens on this small project."""

TRY = """\
Try one of these:

- *Fix the failing test* – I propose an edit, run the tests, and run two commands
- *Where is the bug?* – I answer from the files that I read
- *Run the tests* – and I tell what came of it
- *Tell me more* – a long answer, so that you can press Esc while it streams
- *Run something slow* – a command of 30 seconds, so that you can stop it

Shift+Tab twice switches to plan mode: then I propose a plan first, and change it when you ask. \
Say no to anything; I take it into account."""

LONG_ANSWER = """\
## What a mean is, and how it goes wrong

The **arithmetic mean** of some numbers is their sum divided by how many they are. It is the one \
value that could stand in the place of every number and leave the sum as it was. That sentence is \
also the best test for code that computes it: *mean times count gives the sum back*.

### The three usual mistakes

| mistake | what one sees | how to catch it |
|---|---|---|
| dividing by `n - 1` | every result a little too large | three numbers with a known mean |
| forgetting the empty list | a crash, `ZeroDivisionError` | a test with `[]` |
| whole-number division | results cut down to whole numbers | a mean that is not whole |

The first one is not silly. Dividing by `n - 1` is right for the *variance of a sample*, where the \
mean was estimated from the same numbers and one degree of freedom is used up. Whoever copies the \
habit from there to here gets a mean that is too large by the factor `n / (n - 1)`: half as much \
again for three numbers, one percent for a hundred. The more numbers there are, the better the \
mistake hides, and that is why small tests find it and large data does not.

### A version that one can read at a glance

```python
def average(numbers: list[float]) -> float:
    \"\"\"Return the mean of the numbers, and 0.0 when there are none.\"\"\"
    if not numbers:
        return 0.0
    return sum(numbers) / len(numbers)
```

It says what it does, it has the empty list in plain sight, and there is no running total whose \
name one has to keep in mind. For long lists of floats, `math.fsum` adds without piling up \
rounding errors, and `statistics.fmean` does all of the above.

### How to be sure

1. Write the test first, with numbers that one can check in the head: `2, 4, 6`.
2. See it fail, so that you know that it *can* fail.
3. Change one line.
4. Run all the tests, not only the new one.
5. Read the diff once more before you keep it.

> A test that has never failed has not proved anything yet.

### A word on this program

You are reading a text that streams, piece by piece, the way a model's answer does. Press **Esc** \
while it runs and it stops where it is; what came so far stays in the conversation, and the next \
prompt goes on from there. Scroll up while it streams and the page stays where you read. Ask again \
and it starts anew."""

ONE_NUMBER_TEST = """\
    def test_spread_of_one_number(self) -> None:
        self.assertEqual(spread([5]), 0)
"""

WHY_FILE = """\
# Why the average was wrong

`average` divided the sum by one too few. Dividing by the count minus one belongs to the variance
of a sample; a mean divides by the count.
"""
