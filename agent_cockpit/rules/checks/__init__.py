"""What proves a piece of work: which checks there are, and what their results are worth."""
